// SPDX-License-Identifier: MIT
//
// The reductions of the CUDA samples, from interleaved addresses to one shuffle a warp, each right and with a barrier missing.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <class T> __device__ void reduce0_(T *g_idata, T *g_odata, unsigned int n, bool bug)
{
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = (i < n) ? g_idata[i] : 0;
    cg::sync(cta);
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if ((tid % (2 * s)) == 0)
            sdata[tid] += sdata[tid + s];
        if (!bug)
            cg::sync(cta);
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
//! run reduce0 --races --grid 3 --block 128 --shared 512 --arg in:s32[384]=iota --arg out:s32[3] --arg n=384
//! gives out = [sum(range(128*i,128*i+128)) for i in range(3)]
__global__ void reduce0(int *in, int *out, unsigned n)
{
    reduce0_(in, out, n, false);
}
//! run reduce0_bug --races --grid 3 --block 128 --shared 512 --arg in:s32[384]=iota --arg out:s32[3] --arg n=384
//! finds data-race sample_reductions.cu
__global__ void reduce0_bug(int *in, int *out, unsigned n)
{
    reduce0_(in, out, n, true);
}

//! run reduce3 --races --grid 2 --block 64 --shared 512 --arg in:f64[256]=iota --arg out:f64[2] --arg n=250
//! gives out = [float(sum(range(128*i,min(250,128*i+128)))) for i in range(2)]
__global__ void reduce3(double *g_idata, double *g_odata, unsigned int n)
{
    cg::thread_block cta = cg::this_thread_block();
    double *sdata = SharedMemory<double>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    double mySum = (i < n) ? g_idata[i] : 0;
    if (i + blockDim.x < n)
        mySum += g_idata[i + blockDim.x];
    sdata[tid] = mySum;
    cg::sync(cta);
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] = mySum = mySum + sdata[tid + s];
        cg::sync(cta);
    }
    if (tid == 0)
        g_odata[blockIdx.x] = mySum;
}

template <class T, unsigned int blockSize, bool BUG>
__device__ void reduce4_(T *g_idata, T *g_odata, unsigned int n)
{
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    T mySum = (i < n) ? g_idata[i] : 0;
    if (i + blockSize < n)
        mySum += g_idata[i + blockSize];
    sdata[tid] = mySum;
    cg::sync(cta);
    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s)
            sdata[tid] = mySum = mySum + sdata[tid + s];
        if (!BUG)
            cg::sync(cta);
    }
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
            mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0)
        g_odata[blockIdx.x] = mySum;
}
//! run reduce4 --races --grid 2 --block 256 --shared 1024 --arg in:s32[1024]=iota --arg out:s32[2] --arg n=1024
//! gives out = [sum(range(512*i,512*i+512)) for i in range(2)]
__global__ void reduce4(int *in, int *out, unsigned n)
{
    reduce4_<int, 256, false>(in, out, n);
}
//! run reduce4_bug --races --grid 2 --block 256 --shared 1024 --arg in:s32[1024]=iota --arg out:s32[2] --arg n=1024
//! finds data-race sample_reductions.cu
__global__ void reduce4_bug(int *in, int *out, unsigned n)
{
    reduce4_<int, 256, true>(in, out, n);
}

template <unsigned int blockSize, bool nIsPow2, bool BUG>
__device__ void reduce6_(int *g_idata, int *g_odata, unsigned int n)
{
    cg::thread_block cta = cg::this_thread_block();
    int *sdata = SharedMemory<int>();
    unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x;
    int mySum = 0;
    if (nIsPow2) {
        unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
        gridSize = gridSize << 1;
        while (i < n) {
            mySum += g_idata[i];
            if ((i + blockSize) < n)
                mySum += g_idata[i + blockSize];
            i += gridSize;
        }
    } else {
        unsigned int i = blockIdx.x * blockSize + threadIdx.x;
        while (i < n) {
            mySum += g_idata[i];
            i += gridSize;
        }
    }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 512) && (tid < 256))
        sdata[tid] = mySum = mySum + sdata[tid + 256];
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128))
        sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64))
        sdata[tid] = mySum = mySum + sdata[tid + 64];
    if (!BUG)
        cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
            mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0)
        g_odata[blockIdx.x] = mySum;
}
//! run reduce6 --races --grid 2 --block 512 --shared 2048 --arg in:s32[5000]=iota --arg out:s32[2] --arg n=5000
//! gives out = [sum(x for x in range(5000) if x//512%2==i) for i in range(2)]
__global__ void reduce6(int *in, int *out, unsigned n)
{
    reduce6_<512, false, false>(in, out, n);
}
//! run reduce6_bug --races --grid 2 --block 512 --shared 2048 --arg in:s32[4096]=iota --arg out:s32[2] --arg n=4096
//! finds data-race sample_reductions.cu
__global__ void reduce6_bug(int *in, int *out, unsigned n)
{
    reduce6_<512, true, true>(in, out, n);
}

template <class T> __device__ __forceinline__ T warpReduceSum(unsigned int mask, T mySum)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        mySum += __shfl_down_sync(mask, mySum, offset);
    return mySum;
}
#if __CUDA_ARCH__ >= 800
template <> __device__ __forceinline__ int warpReduceSum<int>(unsigned int mask, int mySum)
{
    mySum = __reduce_add_sync(mask, mySum);
    return mySum;
}
#endif
template <typename T, unsigned int blockSize, bool nIsPow2, int BUG>
__device__ void reduce7_(const T *__restrict__ g_idata, T *__restrict__ g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, gridSize = blockSize * gridDim.x;
    unsigned int maskLength = (blockSize & 31);
    maskLength = (maskLength > 0) ? (32 - maskLength) : maskLength;
    const unsigned int mask = (0xffffffff) >> maskLength;
    T mySum = 0;
    if (nIsPow2) {
        unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
        gridSize = gridSize << 1;
        while (i < n) {
            mySum += g_idata[i];
            if ((i + blockSize) < n)
                mySum += g_idata[i + blockSize];
            i += gridSize;
        }
    } else {
        unsigned int i = blockIdx.x * blockSize + threadIdx.x;
        while (i < n) {
            mySum += g_idata[i];
            i += gridSize;
        }
    }
    mySum = warpReduceSum<T>(mask, mySum);
    if ((tid % warpSize) == 0)
        sdata[tid / warpSize] = mySum;
    if (BUG != 1)
        __syncthreads();
    const unsigned int shmem_extent = (blockSize / warpSize) > 0 ? (blockSize / warpSize) : 1;
    const unsigned int ballot_result = __ballot_sync(mask, tid < shmem_extent);
    if (tid < shmem_extent) {
        mySum = sdata[tid];
        mySum = warpReduceSum<T>(BUG == 2 ? mask : ballot_result, mySum);
    }
    if (tid == 0)
        g_odata[blockIdx.x] = mySum;
}
//! run reduce7 --races --grid 2 --block 256 --shared 32 --arg in:s32[5000]=iota --arg out:s32[2] --arg n=5000
//! gives out = [sum(x for x in range(5000) if x//256%2==i) for i in range(2)]
__global__ void reduce7(const int *in, int *out, unsigned n)
{
    reduce7_<int, 256, false, 0>(in, out, n);
}
//! run reduce7f --grid 2 --block 256 --shared 32 --arg in:f32[5000]=1 --arg out:f32[2] --arg n=5000
//! finds shfl-source-inactive "lane 0 reads lane 16"
//! finds poison-used
// The last shuffles read lanes that the mask leaves out, as those of the samples do: what comes of it is undefined.
__global__ void reduce7f(const float *in, float *out, unsigned n)
{
    reduce7_<float, 256, false, 0>(in, out, n);
}
//! run reduce7_bar --races --grid 2 --block 256 --shared 32 --arg in:s32[5000]=iota --arg out:s32[2] --arg n=5000
//! finds data-race sample_reductions.cu
//! finds poison-used
__global__ void reduce7_bar(const int *in, int *out, unsigned n)
{
    reduce7_<int, 256, false, 1>(in, out, n);
}
