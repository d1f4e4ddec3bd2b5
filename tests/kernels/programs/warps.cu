// SPDX-License-Identifier: MIT
//
// Lanes that work together: shuffles, votes, tiles of cooperative groups, half precision, sorting networks.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

//! run shuffled_sum --block 64 --arg in:f32[64]=iota --arg out:f32[2]
//! gives out = [float(sum(range(32))), float(sum(range(32, 64)))]
__global__ void shuffled_sum(const float *in, float *out)
{
    float value = in[threadIdx.x];
    for (int k = 16; k; k /= 2)
        value += __shfl_down_sync(~0u, value, k);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = value;
}

//! run shuffle_of_half --block 32 --arg in:f32[32]=iota --arg out:f32[32]
//! finds shfl-source-inactive
//! finds poison-used
__global__ void shuffle_of_half(const float *in, float *out)
{
    float value = in[threadIdx.x];
    if (threadIdx.x < 16)
        value += __shfl_down_sync(0xffff, value, 16);
    out[threadIdx.x] = value;
}

//! run shuffle_passed_by --block 32 --arg in:f32[32]=iota --arg out:f32[32]
//! finds collective-passed-by
__global__ void shuffle_passed_by(const float *in, float *out)
{
    float value = in[threadIdx.x];
    if (threadIdx.x < 20)
        value += __shfl_xor_sync(~0u, value, 1);
    out[threadIdx.x] = value;
}

//! run mask_without_caller --block 32 --arg out:u32[32]
//! finds collective-caller-not-in-mask
//! finds poison-used
__global__ void mask_without_caller(unsigned *out)
{
    out[threadIdx.x] = __ballot_sync(0x7fffffff, threadIdx.x & 1);
}

//! run aggregated_counter --races --grid 2 --block 64 --arg in:s32[128]=iota --arg count:s32[1] --arg out:s32[128]
//! gives count = [128 - len(range(0, 128, 5))]
__global__ void aggregated_counter(const int *in, int *count, int *out)
{
    int value = in[blockIdx.x * 64 + threadIdx.x];
    if (value % 5) {
        auto active = cg::coalesced_threads();
        int at;
        if (active.thread_rank() == 0)
            at = atomicAdd(count, (int)active.size());
        out[active.shfl(at, 0) + active.thread_rank()] = value;
    }
}

//! run tiled_scan --races --block 64 --arg in:s32[64]=iota --arg out:s32[64]
//! gives out = [sum(range(i // 8 * 8, i)) for i in range(64)]
__global__ void tiled_scan(const int *in, int *out)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    out[threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
}

//! run tiled_most --races --block 64 --arg in:s32[64]=iota --arg out:s32[16]
//! gives out = [max((4 * k + j) * 7 % 64 for j in range(4)) for k in range(16)]
__global__ void tiled_most(const int *in, int *out)
{
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    int most = cg::reduce(tile, in[threadIdx.x] * 7 % 64, cg::greater<int>());
    if (tile.thread_rank() == 0)
        out[threadIdx.x / 4] = most;
}

template <bool SYNCED>
__device__ void tile_exchange(int *out)
{
    __shared__ int s[64];
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x * 3;
    if (SYNCED)
        tile.sync();
    out[threadIdx.x] = s[threadIdx.x ^ 15];
}

//! run tile_right --races --block 64 --arg out:s32[64]
//! gives out = [3 * (i ^ 15) for i in range(64)]
__global__ void tile_right(int *out)
{
    tile_exchange<true>(out);
}

//! run tile_unsynced --races --block 64 --arg out:s32[64]
//! finds implicit-warp-sync "'s'+"
__global__ void tile_unsynced(int *out)
{
    tile_exchange<false>(out);
}

template <bool GUARDED>
__device__ void bitonic(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t] * 2654435761u % 1000;
    __syncthreads();
    for (unsigned k = 2; k <= 128; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            unsigned other = t ^ j;
            if (other > t && (s[t] > s[other]) == !(t & k)) {
                unsigned swapped = s[t];
                s[t] = s[other];
                s[other] = swapped;
            }
            if (GUARDED || j > 32)
                __syncthreads();
        }
    __syncthreads();
    out[t] = s[t];
}

//! run bitonic_right --races --block 128 --arg in:u32[128]=iota --arg out:u32[128]
//! gives out = sorted(i * 2654435761 % 2**32 % 1000 for i in range(128))
__global__ void bitonic_right(const unsigned *in, unsigned *out)
{
    bitonic<true>(in, out);
}

//! run bitonic_no_barrier --races --block 128 --arg in:u32[128]=iota --arg out:u32[128]
//! finds data-race "'s'+"
__global__ void bitonic_no_barrier(const unsigned *in, unsigned *out)
{
    bitonic<false>(in, out);
}

//! run odd_even_warp --races --block 32 --arg in:s32[32]=iota --arg out:s32[32]
//! gives out = sorted(i * 29 % 32 for i in range(32))
__global__ void odd_even_warp(const int *in, int *out)
{
    int lane = threadIdx.x, value = in[lane] * 29 % 32;
    for (int round = 0; round < 32; round++) {
        int partner = (lane + round) % 2 ? lane - 1 : lane + 1;
        int other = __shfl_sync(~0u, value, partner & 31);
        if (partner >= 0 && partner < 32)
            value = partner > lane ? min(value, other) : max(value, other);
    }
    out[lane] = value;
}

template <bool GUARDED>
__device__ void radix_step(const unsigned *in, unsigned *out)
{
    __shared__ unsigned a[64], zeros;
    unsigned t = threadIdx.x;
    a[t] = in[t] * 37 % 64;
    for (int bit = 0; bit < 6; bit++) {
        if (t == 0)
            zeros = 0;
        __syncthreads();
        unsigned key = a[t], one = key >> bit & 1, before = 0;
        for (unsigned i = 0; i < t; i++)
            before += (a[i] >> bit & 1) == one;
        if (!one)
            atomicAdd(&zeros, 1);
        if (GUARDED)
            __syncthreads();
        a[one ? zeros + before : before] = key;
        __syncthreads();
    }
    out[t] = a[t];
}

//! run radix_right --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! gives out = list(range(64))
__global__ void radix_right(const unsigned *in, unsigned *out)
{
    radix_step<true>(in, out);
}

//! run radix_in_place --races --block 64 --arg in:u32[64]=iota --arg out:u32[64]
//! finds data-race "'a'+"
//! finds data-race "'zeros'+0"
__global__ void radix_in_place(const unsigned *in, unsigned *out)
{
    radix_step<false>(in, out);
}

template <bool ATOMIC>
__device__ void half_sum(const __half2 *in, __half2 *out)
{
    __half2 value = in[blockIdx.x * 32 + threadIdx.x];
    for (int k = 16; k; k /= 2)
        value = __hadd2(value, __shfl_xor_sync(~0u, value, k));
    if (threadIdx.x)
        return;
    if (ATOMIC)
        atomicAdd(out, value);
    else
        *out = __hadd2(*out, value);
}

//! run half_sum_right --races --grid 4 --block 32 --arg in:u32[128]=0x40003c00 --arg out:u32[1]
//! gives out = [0x5c005800]
__global__ void half_sum_right(const __half2 *in, __half2 *out)
{
    half_sum<true>(in, out);
}

//! run half_sum_plain --races --grid 4 --block 32 --arg in:u32[128]=0x40003c00 --arg out:u32[1]
//! finds data-race "'out'+0" "one atomic operation"
__global__ void half_sum_plain(const __half2 *in, __half2 *out)
{
    half_sum<false>(in, out);
}

template <bool COOPERATIVE>
__device__ void two_phases(const int *in, int *part, int *out)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int sum = cg::reduce(warp, in[cg::this_grid().thread_rank()], cg::plus<int>());
    if (warp.thread_rank() == 0)
        part[blockIdx.x] = sum;
    if (COOPERATIVE)
        cg::this_grid().sync();
    else
        block.sync();
    if (cg::this_grid().thread_rank() == 0)
        *out = part[0] + part[1] + part[2];
}

//! run grid_right --races --cooperative --grid 3 --block 32 --arg in:s32[96]=iota --arg part:s32[3] --arg out:s32[1]
//! gives out = [96 * 95 // 2]
__global__ void grid_right(const int *in, int *part, int *out)
{
    two_phases<true>(in, part, out);
}

//! run grid_of_blocks --races --grid 3 --block 32 --arg in:s32[96]=iota --arg part:s32[3] --arg out:s32[1]
//! finds data-race "'part'+"
__global__ void grid_of_blocks(const int *in, int *part, int *out)
{
    two_phases<false>(in, part, out);
}

//! run grid_not_cooperative --grid 3 --block 32 --arg in:s32[96]=iota --arg part:s32[3] --arg out:s32[1]
//! finds grid-sync-without-coop
__global__ void grid_not_cooperative(const int *in, int *part, int *out)
{
    two_phases<true>(in, part, out);
}
