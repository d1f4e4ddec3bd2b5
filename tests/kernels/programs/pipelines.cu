// SPDX-License-Identifier: MIT
//
// Copies that run beside the threads: cuda::pipeline, cuda::barrier, bulk copies into rings, and the memory of other blocks of a cluster.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

template <bool RELEASES>
__device__ void staged(const int *in, int *out, int tiles)
{
    __shared__ alignas(16) int s[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x, sum = 0;
    for (int ahead = 0, k = 0; k < tiles; k++) {
        for (; ahead < tiles && ahead < k + 2; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&s[ahead % 2][t], &in[ahead * 64 + t], cuda::aligned_size_t<4>(4), pipe);
            pipe.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        if (k == tiles - 1)
            pipe.consumer_wait();
        __syncthreads();
        sum += s[k % 2][63 - t];
        if (RELEASES)
            __syncthreads();
        pipe.consumer_release();
    }
    out[t] = sum;
}

//! run staged_right --races --block 64 --arg in:s32[256]=iota --arg out:s32[64] --arg tiles=4
//! gives out = [sum(64 * k + 63 - t for k in range(4)) for t in range(64)]
__global__ void staged_right(const int *in, int *out, int tiles)
{
    staged<true>(in, out, tiles);
}

//! run staged_refilled --races --block 64 --arg in:s32[256]=iota --arg out:s32[64] --arg tiles=4
//! finds data-race "'s'+"
__global__ void staged_refilled(const int *in, int *out, int tiles)
{
    staged<false>(in, out, tiles);
}

// Warp 0 produces, warp 1 consumes.

template <bool CONSUMER_TELLS>
__device__ void ring_of_barriers(const int *in, int *out, int rounds)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s[32];
    __shared__ alignas(8) unsigned char room[2 * sizeof(barrier)];
    barrier *full = reinterpret_cast<barrier *>(room), *empty = full + 1;
    int lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        init(full, 64);
        init(empty, 64);
    }
    __syncthreads();
    for (int k = 0; k < rounds; k++)
        if (threadIdx.x < 32) {
            if (CONSUMER_TELLS)
                empty->arrive_and_wait();
            s[lane] = in[k * 32 + lane];
            (void)full->arrive();
        } else {
            if (CONSUMER_TELLS)
                (void)empty->arrive();
            full->arrive_and_wait();
            out[k * 32 + lane] = s[lane ^ 5];
        }
}

//! run ring_right --races --block 64 --arg in:s32[96]=iota --arg out:s32[96] --arg rounds=3
//! gives out = [i ^ 5 for i in range(96)]
__global__ void ring_right(const int *in, int *out, int rounds)
{
    ring_of_barriers<true>(in, out, rounds);
}

//! run ring_one_way --races --block 64 --arg in:s32[96]=iota --arg out:s32[96] --arg rounds=3
//! finds mbarrier-phase-never-completes "32 of 64 arrivals that never come" "'room'+0"
//! finds data-race "'s'+" "confirmed by schedule"
__global__ void ring_one_way(const int *in, int *out, int rounds)
{
    ring_of_barriers<false>(in, out, rounds);
}

//! run one_arrival_short --block 64 --arg out:s32[64]
//! finds mbarrier-phase-never-completes "'room'+0, for 1 of 65 arrivals"
__global__ void one_arrival_short(int *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ alignas(8) unsigned char room[sizeof(barrier)];
    barrier *b = reinterpret_cast<barrier *>(room);
    if (threadIdx.x == 0)
        init(b, blockDim.x + 1);
    __syncthreads();
    b->arrive_and_wait();
    out[threadIdx.x] = 1;
}

// A ring of tiles that one thread fills by bulk copies and all others read.

template <bool EMPTY, bool BYTES>
__device__ void bulk_ring(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int s[2][32];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], 32);
        }
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    __syncthreads();
    if (t == 32) {
        for (int k = 0; k < tiles; k++) {
            int i = k % 2;
            if (EMPTY)
                while (!ptx::mbarrier_try_wait_parity(&empty[i], k / 2 % 2 ^ 1))
                    ;
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i], BYTES ? 128 : 256);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s[i], in + k * 32, 128, &full[i]);
        }
    } else if (t < 32) {
        for (int k = 0; k < tiles; k++) {
            int i = k % 2;
            while (!ptx::mbarrier_try_wait_parity(&full[i], k / 2 % 2))
                ;
            out[k * 32 + t] = s[i][31 - t] + 1;
            ptx::mbarrier_arrive(&empty[i]);
        }
    }
}

//! run bulk_ring_right --races --block 33 --arg in:s32[160]=iota --arg out:s32[160] --arg tiles=5
//! gives out = [i // 32 * 32 + 32 - i % 32 for i in range(160)]
__global__ void bulk_ring_right(const int *in, int *out, int tiles)
{
    bulk_ring<true, true>(in, out, tiles);
}

//! run bulk_ring_overrun --races --block 33 --arg in:s32[160]=iota --arg out:s32[160] --arg tiles=5
//! finds data-race "'s'+" "nobody waited for the copy"
//! finds mbarrier-bad-state "'full'+0: more arrivals than the 0"
//! finds mbarrier-phase-never-completes "'full'+0"
__global__ void bulk_ring_overrun(const int *in, int *out, int tiles)
{
    bulk_ring<false, true>(in, out, tiles);
}

//! run bulk_ring_wrong_bytes --block 33 --arg in:s32[160]=iota --arg out:s32[160] --arg tiles=5
//! finds mbarrier-phase-never-completes "'full'+0, for 128 bytes"
__global__ void bulk_ring_wrong_bytes(const int *in, int *out, int tiles)
{
    bulk_ring<true, false>(in, out, tiles);
}

// Sums over the blocks of a cluster through their shared memory.

template <bool FILLED, bool STAYS>
__device__ void cluster_sum(const int *in, int *out)
{
    __shared__ int s;
    cg::cluster_group cluster = cg::this_cluster();
    int sum = __reduce_add_sync(~0u, in[blockIdx.x * 32 + threadIdx.x]);
    if (threadIdx.x == 0)
        s = sum;
    if (FILLED)
        cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0) {
        int all = 0;
        for (int k = 0; k < cluster.num_blocks(); k++)
            all += *cluster.map_shared_rank(&s, k);
        *out = all;
    }
    if (STAYS)
        cluster.sync();
}

//! run cluster_sum_right --races --grid 4 --block 32 --arg in:s32[128]=iota --arg out:s32[1]
//! gives out = [128 * 127 // 2]
__global__ void __cluster_dims__(4) cluster_sum_right(const int *in, int *out)
{
    cluster_sum<true, true>(in, out);
}

//! run cluster_sum_early --races --grid 4 --block 32 --arg in:s32[128]=iota --arg out:s32[1]
//! finds data-race "'s'+0" "a barrier of the cluster between"
//! finds poison-used
__global__ void __cluster_dims__(4) cluster_sum_early(const int *in, int *out)
{
    cluster_sum<false, true>(in, out);
}

//! run cluster_sum_gone --races --grid 4 --block 32 --arg in:s32[128]=iota --arg out:s32[1]
//! finds dsmem-after-exit "CTA"
__global__ void __cluster_dims__(4) cluster_sum_gone(const int *in, int *out)
{
    cluster_sum<true, false>(in, out);
}

template <bool CLEARED>
__device__ void cluster_histogram(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned mine[16];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x % 16] = 0;
    if (CLEARED)
        cluster.sync();
    else
        __syncthreads();
    unsigned bin = in[blockIdx.x * 32 + threadIdx.x] % 32;
    atomicAdd(cluster.map_shared_rank(mine, bin / 16) + bin % 16, 1);
    cluster.sync();
    if (threadIdx.x < 16)
        bins[cluster.block_rank() * 16 + threadIdx.x] = mine[threadIdx.x];
}

//! run cluster_bins_right --races --grid 2 --block 32 --arg in:u32[64]=iota --arg bins:u32[32]
//! gives bins = [2] * 32
//! finds implicit-warp-sync "both store the same value"
__global__ void __cluster_dims__(2) cluster_bins_right(const unsigned *in, unsigned *bins)
{
    cluster_histogram<true>(in, bins);
}

//! run cluster_bins_uncleared --races --grid 2 --block 32 --arg in:u32[64]=iota --arg bins:u32[32]
//! finds data-race "'mine'+"
//! finds implicit-warp-sync "both store the same value"
__global__ void __cluster_dims__(2) cluster_bins_uncleared(const unsigned *in, unsigned *bins)
{
    cluster_histogram<false>(in, bins);
}

// Cooperative groups copy together.

template <bool WAITS>
__device__ void copied_by_group(const int *in, int *out)
{
    __shared__ alignas(16) int s[64];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    if (WAITS)
        cg::wait(block);
    else
        block.sync();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

//! run group_copy_right --races --block 64 --arg in:s32[64]=iota --arg out:s32[64]
//! gives out = list(range(63, -1, -1))
__global__ void group_copy_right(const int *in, int *out)
{
    copied_by_group<true>(in, out);
}

//! run group_copy_unwaited --races --block 64 --arg in:s32[64]=iota --arg out:s32[64]
//! finds data-race "nobody waited for the copy"
//! finds poison-used
__global__ void group_copy_unwaited(const int *in, int *out)
{
    copied_by_group<false>(in, out);
}
