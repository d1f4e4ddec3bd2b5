// SPDX-License-Identifier: MIT
//
// What 'run --races' is measured with (races.py).
__device__ float sum_of_block(float *s, float mine)
{
    int t = threadIdx.x;
    s[t] = mine;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    return s[0];
}

__global__ void block_sum(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = sum_of_block(s, i < n ? in[i] : 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

__global__ void fill(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i;
}

__global__ void scale(float *a, float by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= by;
}

__global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] & 255], 1);
}

__global__ void last_block(const float *in, float *parts, unsigned *count, float *out, int n)
{
    __shared__ float s[256];
    __shared__ bool last;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    float sum = sum_of_block(s, mine);
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        sum = sum_of_block(s, parts[threadIdx.x]);
        if (threadIdx.x == 0)
            *out = sum;
    }
}
