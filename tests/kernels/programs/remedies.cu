// SPDX-License-Identifier: MIT
//
// Races with copies and with atomics, and what a report says would end them.
#include <cuda/ptx>
#include <cuda_pipeline.h>
namespace ptx = cuda::ptx;

__device__ void reduce_into(int *to, const int *from)
{
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to, from, 128);
    ptx::cp_async_bulk_commit_group();
}

/* The last block to have reduced into the sum copies it. */
template <bool WHOLE> __device__ void last_reduces(int *sum, unsigned *count, int *out)
{
    __shared__ alignas(128) int s[32];
    __shared__ bool last;
    s[threadIdx.x] = 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        reduce_into(sum, s);
        if (WHOLE)
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        else
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last)
        out[threadIdx.x] = sum[threadIdx.x];
}

//! run last_to_reduce --races --grid 2 --block 32 --arg sum:s32[32] --arg count:u32[1] --arg out:s32[32]
//! gives out = [2] * 32
__global__ void last_to_reduce(int *sum, unsigned *count, int *out) { last_reduces<true>(sum, count, out); }

//! run last_waits_for_reads --races --grid 2 --block 32 --arg sum:s32[32] --arg count:u32[1] --arg out:s32[32]
//! finds data-race "'sum'+" "nobody waited for the copy by 'cp.reduce.async.bulk'" "cp.async.bulk.wait_group without .read would order them"
__global__ void last_waits_for_reads(int *sum, unsigned *count, int *out) { last_reduces<false>(sum, count, out); }

//! run reduced_and_stored --races --grid 2 --block 32 --arg sum:s32[32]
//! finds data-race "'sum'+" "one thread has to release what it did, and the other to acquire that"
__global__ void reduced_and_stored(int *sum)
{
    __shared__ alignas(128) int s[32];
    s[threadIdx.x] = 1;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (blockIdx.x == 1) {
        sum[threadIdx.x] = 5;
    } else if (threadIdx.x == 0) {
        reduce_into(sum, s);
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

__device__ void add_one(int *to) { asm volatile("red.relaxed.gpu.global.add.s32 [%0], 1;" ::"l"(to) : "memory"); }

/* Block 0 adds, then the others may go on: a flag that orders nothing. */
__device__ void add_first(int *sum, volatile int *flag)
{
    if (blockIdx.x == 0) {
        add_one(sum);
        *flag = 1;
    } else {
        while (!*flag)
            ;
    }
}

// All are atomic, but not through one proxy: the reduction races with the addition before the last.
//! run reduced_after_additions --races --grid 2 --block 1 --arg sum:s32[32] --arg flag:s32[1]
//! finds data-race "'sum'+0" "one thread has to release what it did"
__global__ void reduced_after_additions(int *sum, int *flag)
{
    __shared__ alignas(128) int s[32];
    add_first(sum, flag);
    if (blockIdx.x == 0)
        return;
    for (int i = 0; i < 32; i++)
        s[i] = 1;
    add_one(sum);
    ptx::fence_proxy_async();
    reduce_into(sum, s);
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

//! run added_after_a_reduction --races --grid 2 --block 1 --arg sum:s32[32] --arg flag:s32[1]
//! finds data-race "'sum'+0" "with the write by thread 0 of CTA 0" "__threadfence() before 'red'"
__global__ void added_after_a_reduction(int *sum, int *flag)
{
    __shared__ alignas(128) int s[32];
    if (blockIdx.x == 0) {
        for (int i = 0; i < 32; i++)
            s[i] = 1;
        ptx::fence_proxy_async(ptx::space_shared);
        reduce_into(sum, s);
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    add_first(sum, flag);
    if (blockIdx.x == 1)
        add_one(sum);
}

//! run written_before_wait --races --block 32 --arg out:s32[64]
//! finds data-race "'s'+" "cp.async.bulk.wait_group.read would order them"
__global__ void written_before_wait(int *out)
{
    __shared__ alignas(128) int s[32];
    for (int round = 0; round < 2; round++) {
        s[threadIdx.x] = round;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 32 * round, s, 128);
            ptx::cp_async_bulk_commit_group();
        }
    }
    if (threadIdx.x == 0)
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

//! run loaded_before_wait --races --block 32 --arg in:s32[32]=iota --arg out:s32[32]
//! finds data-race "'s'+" "a wait for its mbarrier would order them"
//! finds poison-used
__global__ void loaded_before_wait(const int *in, int *out)
{
    __shared__ alignas(128) int s[32];
    __shared__ uint64_t full;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in, 128, &full);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 128);
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

//! run refilled_while_read --races --block 64 --arg in:s32[512]=iota --arg out:s32[64]
//! finds data-race "'buffer'+" "cp.async.wait_group by its thread and then __syncthreads(), or __syncthreads() before the copy, would order them"
__global__ void refilled_while_read(const int *in, int *out)
{
    __shared__ int buffer[2][64];
    int t = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&buffer[0][t], in + t, 4);
    __pipeline_commit();
    for (int k = 0; k < 8; k++) {
        if (k < 7)
            __pipeline_memcpy_async(&buffer[(k + 1) & 1][t], in + (k + 1) * 64 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += buffer[k & 1][63 - t];
    }
    out[t] = sum;
}

// A plain store, no barrier, then atomics: of the same warp, and of another one.
//! run cleared_while_counted --races --block 64 --arg in:u32[64]=iota --arg out:u32[16]
//! finds data-race "'bins'+" "is weak: an atomic access in its place would not race, nor would the two with __syncthreads() between them"
__global__ void cleared_while_counted(const unsigned *in, unsigned *out)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    atomicAdd(&bins[in[threadIdx.x] & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        out[threadIdx.x] = bins[threadIdx.x];
}
