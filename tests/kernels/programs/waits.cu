// SPDX-License-Identifier: MIT
//
// Kernels that wait for each other: locks, rings of blocks, lanes that spin for lanes of their own warp, barriers of libcu++.
//! for sm_80 sm_90
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

//! run spin_lock --grid 64 --block 32 --arg lock:u32[1] --arg count:u32[1]
//! gives count = [2048]
__global__ void spin_lock(int *lock, volatile int *count)
{
    while (atomicCAS(lock, 0, 1))
        ;
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
}

//! run _Z4ring --grid 64 --block 32 --arg flags:u32[64]
//! gives flags = [1] * 64
__global__ void ring(volatile int *flags)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x && !flags[blockIdx.x - 1])
            ;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
}

//! run ring_back --grid 64 --block 32 --arg flags:u32[64]
//! gives flags = [1] * 64
//! warns cross-cta-wait-without-coop "waits while 1 of 64"
__global__ void ring_back(volatile int *flags)
{
    if (threadIdx.x == 0) {
        while (blockIdx.x != gridDim.x - 1 && !flags[blockIdx.x + 1])
            ;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
}

//! run never_set --grid 4 --block 32 --arg flags:u32[64]
//! finds spin-forever "goes round the loop"
__global__ void never_set(volatile int *flags)
{
    while (!flags[blockIdx.x])
        flags[32] = 7;
}

//! run lane_sets --block 2 --arg f:u32[1] --arg o:u32[16]
//! gives f = [1]
__global__ void lane_sets(volatile int *f, int *o)
{
    if (threadIdx.x & 1)
        goto L;
    {
        int k = 0;
        bool w;
    A:
        w = *f;
        if (w)
            goto D;
        if (k < 16) {
            k++;
            goto A;
        }
        if (clock() < 0x7fffffff) {
            if (k < 100) {
                o[8] = 1;
                goto A;
            }
            o[7] = 2;
            goto A;
        }
        __nanosleep(1);
        goto A;
    }
L:
    *f = 1;
    return;
D:
    o[threadIdx.x] = 1;
}

//! run three_loops --block 32 --arg f:u32[4] --arg o:u32[32]
//! gives o = [1] * 31
__global__ void three_loops(volatile int *f, int *o)
{
    int t = threadIdx.x;
    while (t < 10 && !f[0])
        ;
    while (t < 20 && t >= 10 && !f[1]) {
        for (int i = 0; i < 3; i++)
            f[3] = i;
    }
    while (t < 31 && !f[2])
        ;
    if (t == 31)
        f[0] = f[1] = f[2] = 1;
    o[t] = 1;
}

//! run delay --block 64 --arg o:u32[64] --arg ticks=1000000000000
//! gives o = [1] * 64
__global__ void delay(int *o, long long ticks)
{
    long long start = clock64();
    while (clock64() - start < ticks)
        ;
    o[threadIdx.x] = 1;
}

//! run drops --block 2 --arg o:u32[64]
//! gives o = [1, 0]
//! run drops --block 32 --arg o:u32[64]
//! gives o = [1, 0] + [1] * 30
//! run drops --block 64 --arg o:u32[64]
//! gives o = [1, 0] + [1] * 62
__global__ void drops(int *o)
{
    __shared__ block_barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 1) {
        b.arrive_and_drop();
        return;
    }
    b.arrive_and_wait();
    o[threadIdx.x] = 1;
}

//! run one_too_many --block 64 --arg o:u32[64]
//! finds mbarrier-phase-never-completes "lanes 0-31 of warp 0 (CTA 0), lanes 0-31 of warp 1" "1 of 65 arrivals" "nobody"
__global__ void one_too_many(int *o)
{
    __shared__ block_barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x + 1);
    __syncthreads();
    b.arrive_and_wait();
    o[threadIdx.x] = 1;
}

//! run one_leaves --block 64 --arg o:u32[64]
//! finds mbarrier-phase-never-completes "1 of 64 arrivals" "lane 5 of warp 0 (CTA 0) exited"
__global__ void one_leaves(int *o)
{
    __shared__ block_barrier b;
    if (threadIdx.x == 0)
        init(&b, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 5)
        return;
    b.arrive_and_wait();
    o[threadIdx.x] = 1;
}
