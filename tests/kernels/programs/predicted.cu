// SPDX-License-Identifier: MIT
//
// Races that one schedule hides: what orders the accesses there is only the order in which things happened to run.
#include <cuda/atomic>

__device__ unsigned block_total(const unsigned *in)
{
    __shared__ unsigned s[64];
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (unsigned k = 32; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    return s[0];
}

template <bool BEFORE, bool BEHIND>
__device__ void last_block(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    __shared__ bool last;
    unsigned total = block_total(in);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = total;
        if (BEFORE)
            __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        if (BEHIND)
            __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
    }
}

//! run last_block_right --races --grid 8 --block 64 --arg in:u32[512]=1 --arg part:u32[8] --arg count:u32[1] --arg out:u32[1]
//! gives out = [512]
__global__ void last_block_right(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    last_block<true, true>(in, part, count, out);
}

//! run no_fence_behind --races --grid 8 --block 64 --arg in:u32[512]=1 --arg part:u32[8] --arg count:u32[1] --arg out:u32[1]
//! finds data-race "__threadfence() behind"
__global__ void no_fence_behind(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    last_block<true, false>(in, part, count, out);
}

//! run no_fence_before --races --grid 8 --block 64 --arg in:u32[512]=1 --arg part:u32[8] --arg count:u32[1] --arg out:u32[1]
//! finds data-race "__threadfence() before"
__global__ void no_fence_before(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    last_block<false, true>(in, part, count, out);
}

using device_atomic = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

//! run seqlock_plain --races --grid 2 --block 1 --arg seq:u32[1] --arg data:u32[2] --arg out:u32[3]
//! finds data-race "'data'+" "as in a seqlock" "relaxed atomic accesses to the data"
__global__ void seqlock_plain(unsigned *seq, unsigned *data, unsigned *out)
{
    device_atomic s(*seq);
    if (blockIdx.x == 0) {
        unsigned v = s.load(cuda::memory_order_relaxed);
        s.store(v + 1, cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        data[0] = 5;
        data[1] = 6;
        s.store(v + 2, cuda::memory_order_release);
    } else {
        unsigned a, b, x, y;
        do {
            a = s.load(cuda::memory_order_acquire);
            x = data[0];
            y = data[1];
            cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
            b = s.load(cuda::memory_order_relaxed);
        } while (a != b || (a & 1));
        out[0] = x;
        out[1] = y;
        out[2] = a;
    }
}

//! run seqlock_atomic --races --grid 2 --block 1 --arg seq:u32[1] --arg data:u32[2] --arg out:u32[3]
__global__ void seqlock_atomic(unsigned *seq, unsigned *data, unsigned *out)
{
    device_atomic s(*seq), d0(data[0]), d1(data[1]);
    if (blockIdx.x == 0) {
        unsigned v = s.load(cuda::memory_order_relaxed);
        s.store(v + 1, cuda::memory_order_relaxed);
        cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
        d0.store(5, cuda::memory_order_relaxed);
        d1.store(6, cuda::memory_order_relaxed);
        s.store(v + 2, cuda::memory_order_release);
    } else {
        unsigned a, b, x, y;
        do {
            a = s.load(cuda::memory_order_acquire);
            x = d0.load(cuda::memory_order_relaxed);
            y = d1.load(cuda::memory_order_relaxed);
            cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
            b = s.load(cuda::memory_order_relaxed);
        } while (a != b || (a & 1));
        out[0] = x;
        out[1] = y;
        out[2] = a;
    }
}

template <bool ACQUIRES, bool RELEASES>
__device__ void count_locked(unsigned *lock, unsigned *count)
{
    while (atomicCAS(lock, 0, 1))
        ;
    if (ACQUIRES)
        __threadfence();
    *count = *count + 1;
    if (RELEASES)
        __threadfence();
    atomicExch(lock, 0);
}

//! run fair_lock --races --grid 2 --block 1 --arg lock:u32[1] --arg count:u32[1]
//! gives count = [2]
__global__ void fair_lock(unsigned *lock, unsigned *count)
{
    count_locked<true, true>(lock, count);
}

//! run first_releases_badly --races --grid 2 --block 1 --arg lock:u32[1] --arg count:u32[1]
//! finds data-race "__threadfence() before"
__global__ void first_releases_badly(unsigned *lock, unsigned *count)
{
    if (blockIdx.x == 0)
        count_locked<true, false>(lock, count);
    else
        count_locked<true, true>(lock, count);
}

//! run second_releases_badly --races --grid 2 --block 1 --arg lock:u32[1] --arg count:u32[1]
//! finds data-race "__threadfence() before"
__global__ void second_releases_badly(unsigned *lock, unsigned *count)
{
    if (blockIdx.x == 0)
        count_locked<true, true>(lock, count);
    else
        count_locked<true, false>(lock, count);
}

//! run first_acquires_badly --races --grid 2 --block 1 --arg lock:u32[1] --arg count:u32[1]
//! finds data-race "__threadfence() behind"
__global__ void first_acquires_badly(unsigned *lock, unsigned *count)
{
    if (blockIdx.x == 0)
        count_locked<false, true>(lock, count);
    else
        count_locked<true, true>(lock, count);
}

//! run second_acquires_badly --races --grid 2 --block 1 --arg lock:u32[1] --arg count:u32[1]
//! finds data-race "__threadfence() behind"
__global__ void second_acquires_badly(unsigned *lock, unsigned *count)
{
    if (blockIdx.x == 0)
        count_locked<true, true>(lock, count);
    else
        count_locked<false, true>(lock, count);
}

//! run last_block_by_a_shared_flag --races --grid 64 --block 256 --arg in:f32[262144]=1 --arg parts:f32[64] --arg count:u32[1] --arg out:f32[1] --arg n=262144
//! gives out = [262144]
__global__ void last_block_by_a_shared_flag(const float *in, float *parts, unsigned *count, float *out, int n)
{
    __shared__ float s[256];
    __shared__ bool last;
    int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    s[t] = sum;
    __syncthreads();
    if (t == 0) {
        for (int i = 1; i < blockDim.x; i++)
            s[0] += s[i];
        parts[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && t == 0) {
        float all = 0;
        for (int i = 0; i < gridDim.x; i++)
            all += parts[i];
        *out = all;
    }
}
