// SPDX-License-Identifier: MIT
//
// Bulk copies, shared memory of other blocks and pipelines, right and with one of their fences, waits or barriers missing.

#include <cuda/ptx>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using u64 = std::uint64_t;
using u32 = unsigned;
#define D __device__ __forceinline__
D void wait(u64 *bar, u32 parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity))
        ;
}
// store to global by bulk copy from shared
template <int FENCE, bool SYNC> D void bulk_out(int *out, int n)
{
    __shared__ alignas(16) int s[64];
    s[threadIdx.x] = threadIdx.x + n;
    if (FENCE == 1)
        ptx::fence_proxy_async(ptx::space_shared);
    if (FENCE == 2)
        ptx::fence_proxy_async(ptx::space_global);
    if (FENCE == 4)
        asm volatile("fence.proxy.alias;" ::: "memory");
    if (SYNC)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (FENCE == 3)
            ptx::fence_proxy_async(ptx::space_shared);
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, s, sizeof s);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
}

//! run out_right --races --block 64 --arg o:s32[64] --arg n=5
__global__ void out_right(int *o, int n)
{
    bulk_out<1, true>(o, n);
}

//! run out_fence_global --races --block 64 --arg o:s32[64] --arg n=5
//! finds data-race "the read of 's'" "fence.proxy.async"
__global__ void out_fence_global(int *o, int n)
{
    bulk_out<2, true>(o, n);
}

//! run out_fence_alias --races --block 64 --arg o:s32[64] --arg n=5
//! finds data-race "the read of 's'" "fence.proxy.async"
__global__ void out_fence_alias(int *o, int n)
{
    bulk_out<4, true>(o, n);
}

//! run out_fence_late --races --block 64 --arg o:s32[64] --arg n=5
__global__ void out_fence_late(int *o, int n)
{
    bulk_out<3, true>(o, n);
}

//! run out_fence_none --races --block 64 --arg o:s32[64] --arg n=5
//! finds data-race "the read of 's'" "fence.proxy.async"
__global__ void out_fence_none(int *o, int n)
{
    bulk_out<0, true>(o, n);
}

//! run out_no_sync --races --block 64 --arg o:s32[64] --arg n=5
//! finds data-race "the read of 's'"
__global__ void out_no_sync(int *o, int n)
{
    bulk_out<1, false>(o, n);
}

// in: global -> shared
template <bool INIT_SYNC, bool WAIT, bool EXPECT> D void bulk_in(const int *in, int *out)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    if (INIT_SYNC)
        __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in, sizeof s, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       sizeof s);
    }
    if (WAIT)
        wait(&bar, 0);
    else
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

//! run in_right --races --block 64 --arg i:s32[64]=iota --arg o:s32[64]
__global__ void in_right(const int *i, int *o)
{
    bulk_in<true, true, true>(i, o);
}

//! run in_no_init_sync --races --block 64 --arg i:s32[64]=iota --arg o:s32[64]
//! finds data-race "the read of 'bar'" "__syncthreads()"
__global__ void in_no_init_sync(const int *i, int *o)
{
    bulk_in<false, true, true>(i, o);
}

//! run in_no_wait --races --block 64 --arg i:s32[64]=iota --arg o:s32[64]
//! finds data-race "the read of 's'" "mbarrier"
//! finds poison-used
__global__ void in_no_wait(const int *i, int *o)
{
    bulk_in<true, false, true>(i, o);
}

// double buffer of TMA loads, refilled
template <bool GUARD> D void ring(const int *in, int *out, int rounds)
{
    __shared__ alignas(16) int s[2][32];
    __shared__ u64 full[2];
    if (threadIdx.x == 0) {
        for (int b = 0; b < 2; b++)
            ptx::mbarrier_init(&full[b], 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    auto fill = [&](int r) {
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared,
                                       &full[r & 1], sizeof s[0]);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[r & 1], in + 32 * r,
                           sizeof s[0], &full[r & 1]);
    };
    if (threadIdx.x == 0) {
        fill(0);
        fill(1);
    }
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        wait(&full[r & 1], r / 2 & 1);
        sum += s[r & 1][threadIdx.x % 32];
        if (GUARD)
            __syncthreads();
        if (threadIdx.x == 0 && r + 2 < rounds)
            fill(r + 2);
    }
    out[threadIdx.x] = sum;
}

//! run ring_right --races --block 64 --arg i:s32[192]=iota --arg o:s32[64] --arg n=6
__global__ void ring_right(const int *i, int *o, int n)
{
    ring<true>(i, o, n);
}

//! run ring_no_guard --races --block 64 --arg i:s32[192]=iota --arg o:s32[64] --arg n=6
//! finds data-race "the write of 's'"
__global__ void ring_no_guard(const int *i, int *o, int n)
{
    ring<false>(i, o, n);
}

// write out twice from one buffer
template <int WAIT> D void refill_out(int *out)
{
    __shared__ alignas(16) int s[32];
    for (int r = 0; r < 3; r++) {
        s[threadIdx.x] = r * 100 + threadIdx.x;
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (threadIdx.x == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + 32 * r, s, sizeof s);
            ptx::cp_async_bulk_commit_group();
            if (WAIT == 1)
                ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
            if (WAIT == 2)
                ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
        }
        __syncthreads();
    }
}

//! run refill_right --races --block 32 --arg o:s32[96]
__global__ void refill_right(int *o)
{
    refill_out<1>(o);
}

//! run refill_no_wait --races --block 32 --arg o:s32[96]
//! finds data-race "the write of 's'" "cp.async.bulk.wait_group.read would order them"
__global__ void refill_no_wait(int *o)
{
    refill_out<0>(o);
}

//! run refill_one_late --races --block 32 --arg o:s32[96]
//! finds data-race "the write of 's'" "cp.async.bulk.wait_group.read would order them"
__global__ void refill_one_late(int *o)
{
    refill_out<2>(o);
}

// cluster DSMEM
template <int BEFORE, int AFTER> D void exchange(int *o)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ int s[32];
    s[threadIdx.x] = c.block_rank() * 100 + threadIdx.x;
    if (BEFORE == 2)
        c.sync();
    else if (BEFORE == 1)
        __syncthreads();
    int *other = c.map_shared_rank(s, (c.block_rank() + 1) % c.num_blocks());
    int v = other[threadIdx.x];
    if (AFTER)
        c.sync();
    s[threadIdx.x] = -1;
    o[blockIdx.x * 32 + threadIdx.x] = v;
}

//! run dsmem_right --races --grid 4 --cluster 2 --block 32 --arg o:s32[128]
__global__ void dsmem_right(int *o)
{
    exchange<2, 1>(o);
}

//! run dsmem_block_sync --races --grid 4 --cluster 2 --block 32 --arg o:s32[128]
//! finds data-race "the write of 's'"
//! finds poison-used
__global__ void dsmem_block_sync(int *o)
{
    exchange<1, 1>(o);
}

//! run dsmem_no_sync_after --races --grid 4 --cluster 2 --block 32 --arg o:s32[128]
//! finds dsmem-after-exit "CTA 1 has exited"
__global__ void dsmem_no_sync_after(int *o)
{
    exchange<2, 0>(o);
}

//! run dsmem_arrive_relaxed --races --grid 4 --cluster 2 --block 32 --arg o:s32[128]
//! finds data-race "the read of 's'"
__global__ void dsmem_arrive_relaxed(int *o)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ int s[32];
    s[threadIdx.x] = c.block_rank() * 100 + threadIdx.x;
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
    ptx::barrier_cluster_wait(ptx::sem_acquire);
    o[blockIdx.x * 32 + threadIdx.x] = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
    c.sync();
}
// st.async
template <bool WAIT> D void st_async_to(int *o)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ int s[32];
    __shared__ u64 bar;
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       sizeof s);
    }
    c.sync();
    unsigned other = c.block_rank() ^ 1;
    ptx::st_async(c.map_shared_rank(&s[threadIdx.x], other), (int)(100 * other + threadIdx.x),
                  c.map_shared_rank(&bar, other));
    if (WAIT)
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0))
            ;
    o[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
    c.sync();
}

//! run st_async_right --races --grid 2 --cluster 2 --block 32 --arg o:s32[64]
__global__ void st_async_right(int *o)
{
    st_async_to<true>(o);
}

//! run st_async_no_wait --races --grid 2 --cluster 2 --block 32 --arg o:s32[64]
//! finds poison-used
//! finds data-race "the write of 's'"
__global__ void st_async_no_wait(int *o)
{
    st_async_to<false>(o);
}
// red.async
//! run red_async_right --races --grid 2 --cluster 2 --block 32 --arg o:u32[2]
__global__ void red_async_right(u32 *o)
{
    cg::cluster_group c = cg::this_cluster();
    __shared__ u32 sum;
    __shared__ u64 bar;
    if (threadIdx.x == 0) {
        sum = 0;
        ptx::mbarrier_init(&bar, 1);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar,
                                       32 * 4);
    }
    ptx::fence_proxy_async();
    c.sync();
    unsigned other = c.block_rank() ^ 1;
    ptx::red_async(ptx::op_add, c.map_shared_rank(&sum, other), threadIdx.x,
                   c.map_shared_rank(&bar, other));
    while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0))
        ;
    if (threadIdx.x == 0)
        o[blockIdx.x] = sum;
    c.sync();
}
// multicast-free pipelines
template <int MISS> D void pipe(const int *in, int *out, int n)
{
    __shared__ int s[2][32];
    cuda::pipeline<cuda::thread_scope_thread> p = cuda::make_pipeline();
    for (int r = 0; r < 2; r++) {
        p.producer_acquire();
        cuda::memcpy_async(&s[r][threadIdx.x], in + 32 * r + threadIdx.x, sizeof(int), p);
        p.producer_commit();
    }
    int sum = 0;
    for (int r = 0; r < n; r++) {
        if (MISS != 1)
            cuda::pipeline_consumer_wait_prior<1>(p);
        if (MISS != 2)
            __syncthreads();
        sum += s[r & 1][(threadIdx.x + 1) % 32];
        p.consumer_release();
        if (MISS != 3)
            __syncthreads();
        p.producer_acquire();
        if (r + 2 < n)
            cuda::memcpy_async(&s[r & 1][threadIdx.x], in + 32 * (r + 2) + threadIdx.x, sizeof(int),
                               p);
        p.producer_commit();
    }
    out[threadIdx.x] = sum;
}

//! run pipe_right --races --block 32 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
__global__ void pipe_right(const int *i, int *o, int n)
{
    pipe<0>(i, o, n);
}

//! run pipe_no_wait --races --block 32 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
//! finds data-race "the read of 's'"
//! finds data-race "the write of 's'"
//! finds poison-used
__global__ void pipe_no_wait(const int *i, int *o, int n)
{
    pipe<1>(i, o, n);
}

//! run pipe_no_sync_before --races --block 32 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
//! finds implicit-warp-sync "the read of 's'"
__global__ void pipe_no_sync_before(const int *i, int *o, int n)
{
    pipe<2>(i, o, n);
}

//! run pipe_no_sync_after --races --block 32 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
//! finds data-race "the write of 's'"
__global__ void pipe_no_sync_after(const int *i, int *o, int n)
{
    pipe<3>(i, o, n);
}
// producer warp / consumer warps by cuda::barrier
template <int MISS> D void roles(const int *in, int *out, int n)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s[2][32];
    __shared__ alignas(barrier) char raw[4][sizeof(barrier)];
    barrier *full = (barrier *)raw[0], *empty = (barrier *)raw[2];
    if (threadIdx.x == 0)
        for (int b = 0; b < 2; b++) {
            init(&full[b], 64);
            init(&empty[b], 64);
        }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int r = 0; r < n; r++) {
            if (MISS != 1 && r >= 2)
                empty[r & 1].arrive_and_wait();
            s[r & 1][threadIdx.x] = in[32 * r + threadIdx.x];
            (void)full[r & 1].arrive();
        }
    } else {
        int sum = 0;
        for (int r = 0; r < n; r++) {
            auto t = full[r & 1].arrive();
            if (MISS != 2)
                full[r & 1].wait(std::move(t));
            sum += s[r & 1][(threadIdx.x + 1) % 32];
            if (r + 2 < n && MISS != 1)
                (void)empty[r & 1].arrive();
        }
        out[threadIdx.x - 32] = sum;
    }
}

//! run roles_right --races --block 64 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
__global__ void roles_right(const int *i, int *o, int n)
{
    roles<0>(i, o, n);
}

//! run roles_no_empty --races --block 64 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
//! finds data-race "the read of 's'" "__syncthreads()"
//! finds mbarrier-phase-never-completes "mbarrier"
__global__ void roles_no_empty(const int *i, int *o, int n)
{
    roles<1>(i, o, n);
}

//! run roles_no_wait --races --block 64 --arg i:s32[256]=iota --arg o:s32[32] --arg n=8
//! finds poison-used
//! finds data-race "the write of 's'" "__syncthreads()"
//! finds mbarrier-phase-never-completes "mbarrier"
__global__ void roles_no_wait(const int *i, int *o, int n)
{
    roles<2>(i, o, n);
}
// bulk reduction to global and plain read of the result
template <int WAIT> D void bulk_reduce(int *out, int *seen)
{
    __shared__ alignas(16) int s[32];
    s[threadIdx.x] = threadIdx.x;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, s,
                                  sizeof s);
        ptx::cp_async_bulk_commit_group();
        if (WAIT == 1)
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        if (WAIT == 2)
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        seen[blockIdx.x] = out[3];
    }
}

//! run reduce_one --races --block 32 --arg o:s32[32] --arg s:s32[4]
__global__ void reduce_one(int *o, int *s)
{
    bulk_reduce<1>(o, s);
}

//! run reduce_read_only --races --block 32 --arg o:s32[32] --arg s:s32[4]
//! finds data-race "the read of 'o'" "cp.async.bulk.wait_group without .read would order them"
__global__ void reduce_read_only(int *o, int *s)
{
    bulk_reduce<2>(o, s);
}

//! run reduce_two_blocks --races --grid 2 --block 32 --arg o:s32[32] --arg s:s32[4]
//! finds data-race "the write of 'o'"
__global__ void reduce_two_blocks(int *o, int *s)
{
    bulk_reduce<1>(o, s);
}
