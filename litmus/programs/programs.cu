/* SPDX-License-Identifier: MIT
 *
 * The CUDA sources of the .ptx files beside this one, which are what nvcc 13.0 makes of them:
 *     nvcc -arch=compute_90 -ptx programs.cu
 * blocksum reduces blockDim.x inputs a block in shared memory, half as many adders each round; one
 * variant lacks the barrier of the loop, one has it in a divergent branch. The histograms count in
 * global memory, in shared memory first, and without atomics. */

extern "C" __global__ void blocksum(const float *in, float *out, int n)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            sdata[tid] += sdata[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
extern "C" __global__ void blocksum_nobarrier(const float *in, float *out, int n)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
        if (tid < stride)
            sdata[tid] += sdata[tid + stride];
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
extern "C" __global__ void blocksum_divergent(const float *in, float *out, int n)
{
    __shared__ float sdata[256];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    sdata[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
        if (tid < stride) {
            sdata[tid] += sdata[tid + stride];
            __syncthreads();
        }
    if (tid == 0)
        out[blockIdx.x] = sdata[0];
}
extern "C" __global__ void histogram(const int *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[data[i]], 1u);
}
extern "C" __global__ void histogram_plain(const int *data, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        bins[data[i]] = bins[data[i]] + 1;
}
extern "C" __global__ void histogram_shared(const int *data, unsigned *bins, int n, int nbins)
{
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < nbins; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < nbins; b += blockDim.x)
        atomicAdd(&bins[b], local[b]);
}
