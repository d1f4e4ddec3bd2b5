// SPDX-License-Identifier: MIT
//
// Asynchronous copies, their barriers and their proxy.
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_pipeline.h>

namespace ptx = cuda::ptx;

template <bool GUARDED>
__device__ void buffers(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[2][64];
    unsigned t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&s[0][t], &in[t], 4);
    __pipeline_commit();
    for (unsigned k = 0; k < 4; k++) {
        if (k < 3)
            __pipeline_memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[k % 2][t ^ 1];
        if (GUARDED)
            __syncthreads();
    }
    out[t] = sum;
}

//! run refilled_right --races --block 64 --arg in:u32[256]=1 --arg out:u32[64]
//! gives out = [4] * 64
__global__ void refilled_right(const unsigned *in, unsigned *out)
{
    buffers<true>(in, out);
}

//! run refilled_early --races --block 64 --arg in:u32[256]=1 --arg out:u32[64]
//! finds data-race "cp.async"
__global__ void refilled_early(const unsigned *in, unsigned *out)
{
    buffers<false>(in, out);
}

//! run read_before_wait --races --block 32 --arg in:u32[32]=1 --arg out:u32[32]
//! finds data-race "cp.async"
__global__ void read_before_wait(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[32];
    s[threadIdx.x] = 0;
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_commit();
    out[threadIdx.x] = s[threadIdx.x];
    __pipeline_wait_prior(0);
}

template <bool BARRIER>
__device__ void initialize(unsigned *out)
{
    __shared__ uint64_t bar;
    if (threadIdx.x == 0)
        ptx::mbarrier_init(&bar, blockDim.x);
    if (BARRIER)
        __syncthreads();
    uint64_t token = ptx::mbarrier_arrive(&bar);
    while (!ptx::mbarrier_try_wait(&bar, token))
        ;
    out[threadIdx.x] = 1;
}

//! run init_right --races --block 64 --arg out:u32[64]
//! gives out = [1] * 64
__global__ void init_right(unsigned *out)
{
    initialize<true>(out);
}

//! run init_bare --races --block 64 --arg out:u32[64]
//! finds data-race "mbarrier.init" "__syncthreads()"
__global__ void init_bare(unsigned *out)
{
    initialize<false>(out);
}

template <bool FENCED>
__device__ void store_tile(unsigned *out)
{
    __shared__ alignas(128) unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    if (FENCED)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, s, 256);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

//! run bulk_right --races --block 64 --arg out:u32[64]
//! gives out = list(range(64))
__global__ void bulk_right(unsigned *out)
{
    store_tile<true>(out);
}

//! run bulk_unfenced --races --block 64 --arg out:u32[64]
//! finds data-race "fence.proxy.async"
__global__ void bulk_unfenced(unsigned *out)
{
    store_tile<false>(out);
}

template <bool WAITS>
__device__ void load_tile(const unsigned *in, unsigned *out)
{
    __shared__ alignas(128) unsigned s[64];
    __shared__ uint64_t bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in, 256, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 256);
    }
    if (WAITS)
        while (!ptx::mbarrier_try_wait_parity(&bar, 0))
            ;
    out[threadIdx.x] = s[threadIdx.x];
}

//! run load_right --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! gives out = list(range(64))
__global__ void load_right(const unsigned *in, unsigned *out)
{
    load_tile<true>(in, out);
}

//! run load_unwaited --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! finds data-race "cp.async.bulk"
//! finds poison-used "an undefined value is stored"
__global__ void load_unwaited(const unsigned *in, unsigned *out)
{
    load_tile<false>(in, out);
}

template <bool WAITS>
__device__ void arrive_on(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[64];
    __shared__ __mbarrier_t bar;
    if (threadIdx.x == 0)
        __mbarrier_init(&bar, 64);
    __syncthreads();
    __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t token = __mbarrier_arrive(&bar);
    while (WAITS && !__mbarrier_test_wait(&bar, token))
        ;
    out[threadIdx.x] = s[WAITS ? threadIdx.x ^ 33 : threadIdx.x];
}

//! run arrive_on_right --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! gives out = [i ^ 33 for i in range(64)]
__global__ void arrive_on_right(const unsigned *in, unsigned *out)
{
    arrive_on<true>(in, out);
}

//! run arrive_on_unwaited --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! finds data-race "nobody waited for the copy by 'cp.async'"
__global__ void arrive_on_unwaited(const unsigned *in, unsigned *out)
{
    arrive_on<false>(in, out);
}

template <bool WRITTEN>
__device__ void wait_and_reuse(unsigned *out, unsigned *copy)
{
    __shared__ alignas(128) unsigned s[32];
    s[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncwarp();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, s, 128);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        if (WRITTEN)
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    __syncwarp();
    s[threadIdx.x] = 7;
    if (copy)
        copy[threadIdx.x] = out[threadIdx.x];
}

//! run reused_after_read --races --block 32 --arg out:u32[32] --arg copy=0
//! gives out = list(range(32))
__global__ void reused_after_read(unsigned *out, unsigned *copy)
{
    wait_and_reuse<false>(out, copy);
}

//! run written_after_wait --races --block 32 --arg out:u32[32] --arg copy:u32[32]
//! gives copy = list(range(32))
__global__ void written_after_wait(unsigned *out, unsigned *copy)
{
    wait_and_reuse<true>(out, copy);
}

//! run written_after_read --races --block 32 --arg out:u32[32] --arg copy:u32[32]
//! finds data-race "'out'+" "nobody waited for the copy by 'cp.async.bulk'"
__global__ void written_after_read(unsigned *out, unsigned *copy)
{
    wait_and_reuse<false>(out, copy);
}
