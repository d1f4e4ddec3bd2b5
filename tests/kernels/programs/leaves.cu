// SPDX-License-Identifier: MIT
//
// Threads that leave before a barrier or a collective that others execute, and threads that pass one by.

//! run early_return --grid 2 --block 64 --arg in:s32[128]=iota --arg out:s32[128] --arg n=100
//! gives out = [t ^ 1 for t in range(100)] + [0] * 28
//! warns barrier-after-partial-exit "28 threads had exited"
__global__ void early_return(const int *in, int *out, int n)
{
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    s[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = s[threadIdx.x ^ 1];
}

//! run passes_by --block 64 --arg out:s32[64] --arg n=50
//! finds aligned-barrier-divergent "14 threads exited without executing it" "went on at 'st'"
__global__ void passes_by(int *out, int n)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < n)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

//! run leaves_loop --block 96 --arg out:s32[96]
//! gives out = [t + 1 for t in range(96)]
//! warns barrier-after-partial-exit
__global__ void leaves_loop(int *out)
{
#pragma unroll 1
    for (int k = 0;; k++) {
        out[threadIdx.x]++;
        if (k == threadIdx.x)
            return;
        __syncthreads();
    }
}

//! run half_shuffles --block 32 --arg out:s32[32]
//! finds collective-passed-by "lanes 16-31" "went on at 'st'"
__global__ void half_shuffles(int *out)
{
    int v = threadIdx.x;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0xffffffff, v, 1);
    out[threadIdx.x] = v;
}

//! run two_masks --block 32 --arg out:s32[32]
//! finds collective-passed-by "lanes 16-31"
__global__ void two_masks(int *out)
{
    if (threadIdx.x < 16)
        __syncwarp(0xffffffff);
    else
        __syncwarp(0xffff0000);
    out[threadIdx.x] = 1;
}

//! run early_shuffle --block 32 --arg out:s32[32] --arg n=20
//! gives out = [t ^ 1 for t in range(20)] + [0] * 12
__global__ void early_shuffle(int *out, int n)
{
    int v = threadIdx.x;
    if (v >= n)
        return;
    out[threadIdx.x] = __shfl_xor_sync(0xffffffff, v, 1);
}

//! run pairs --grid 4 --block 32 --arg out:s32[4]
//! gives out = [0, 1, 0, 1]
__global__ void __cluster_dims__(2, 1, 1) pairs(int *out)
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    if (threadIdx.x == 0)
        out[blockIdx.x] = rank;
}
