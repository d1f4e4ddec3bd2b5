// SPDX-License-Identifier: MIT
//
// The primitives of CUB as they are, and what goes wrong around them.
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

template <bool GUARDED>
__device__ void reduce_twice(const int *in, int *out)
{
    using Reduce = cub::BlockReduce<int, 96>;
    __shared__ typename Reduce::TempStorage temp;
    int value = in[threadIdx.x];
    int sum = Reduce(temp).Sum(value);
    if (GUARDED)
        __syncthreads();
    int most = Reduce(temp).Reduce(value, [](int a, int b) { return a > b ? a : b; });
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = most;
    }
}

//! run reduce_right --races --block 96 --arg in:s32[96]=iota --arg out:s32[2]
//! gives out = [96 * 95 // 2, 95]
__global__ void reduce_right(const int *in, int *out)
{
    reduce_twice<true>(in, out);
}

//! run reduce_reused --races --block 96 --arg in:s32[96]=iota --arg out:s32[2]
//! finds data-race "'temp'+"
__global__ void reduce_reused(const int *in, int *out)
{
    reduce_twice<false>(in, out);
}

template <bool GUARDED>
__device__ void compact_block(const int *in, int *out, int *count)
{
    using Scan = cub::BlockScan<int, 128>;
    __shared__ union {
        typename Scan::TempStorage scan;
        int kept[128];
    } temp;
    int value = in[threadIdx.x], keep = value % 3 == 0, at, all;
    Scan(temp.scan).ExclusiveSum(keep, at, all);
    if (GUARDED)
        __syncthreads();
    if (keep)
        temp.kept[at] = value;
    __syncthreads();
    if (threadIdx.x < all)
        out[threadIdx.x] = temp.kept[threadIdx.x];
    if (threadIdx.x == 0)
        *count = all;
}

//! run compact_right --races --block 128 --arg in:s32[128]=iota --arg out:s32[128] --arg count:s32[1]
//! gives out = list(range(0, 128, 3))
//! gives count = [43]
__global__ void compact_right(const int *in, int *out, int *count)
{
    compact_block<true>(in, out, count);
}

//! run compact_shared --races --block 128 --arg in:s32[128]=iota --arg out:s32[128] --arg count:s32[1]
//! finds data-race "'temp'+" "__syncthreads() between"
//! finds poison-used
__global__ void compact_shared(const int *in, int *out, int *count)
{
    compact_block<false>(in, out, count);
}

//! run sort_block --races --block 64 --arg in:u32[256]=iota --arg out:u32[256]
//! gives out = sorted(i * 0x9e3779b1 % 2**32 for i in range(256))
__global__ void sort_block(const unsigned *in, unsigned *out)
{
    using Sort = cub::BlockRadixSort<unsigned, 64, 4, cub::NullType, 6>;
    __shared__ typename Sort::TempStorage temp;
    unsigned keys[4];
    for (int k = 0; k < 4; k++)
        keys[k] = in[threadIdx.x * 4 + k] * 0x9e3779b1u;
    Sort(temp).Sort(keys);
    for (int k = 0; k < 4; k++)
        out[threadIdx.x * 4 + k] = keys[k];
}

template <int WARPS>
__device__ void scan_warps(const int *in, int *out)
{
    using Scan = cub::WarpScan<int, 16>;
    __shared__ typename Scan::TempStorage temp[WARPS];
    int value;
    Scan(temp[threadIdx.x / 16 % WARPS]).InclusiveSum(in[threadIdx.x], value);
    out[threadIdx.x] = value;
}

//! run scan_sixteen --races --block 64 --arg in:s32[64]=1 --arg out:s32[64]
//! gives out = [i % 16 + 1 for i in range(64)]
__global__ void scan_sixteen(const int *in, int *out)
{
    scan_warps<4>(in, out);
}

template <int SLOTS>
__device__ void sum_odd(const int *in, int *out)
{
    using Reduce = cub::WarpReduce<int, 12>;
    __shared__ typename Reduce::TempStorage temp[SLOTS];
    int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 < 12) {
        int sum = Reduce(temp[warp % SLOTS]).Sum(in[threadIdx.x]);
        if (threadIdx.x % 32 == 0)
            out[warp] = sum;
    }
}

//! run sum_twelve --races --block 64 --arg in:s32[64]=iota --arg out:s32[2]
//! gives out = [sum(range(12)), sum(range(32, 44))]
__global__ void sum_twelve(const int *in, int *out)
{
    sum_odd<2>(in, out);
}

template <bool SEPARATE>
__device__ void sort_warps(const int *in, int *out)
{
    using Sort = cub::WarpMergeSort<int, 2, 32>;
    __shared__ typename Sort::TempStorage temp[2];
    int base = threadIdx.x * 2, keys[2] = {in[base] * 37 % 101, in[base + 1] * 37 % 101};
    Sort(temp[SEPARATE ? threadIdx.x / 32 : 0]).Sort(keys, [](int a, int b) { return a < b; });
    out[base] = keys[0];
    out[base + 1] = keys[1];
}

//! run merge_right --races --block 64 --arg in:s32[128]=iota --arg out:s32[128]
//! gives out = sorted(i * 37 % 101 for i in range(64)) + sorted(i * 37 % 101 for i in range(64, 128))
__global__ void merge_right(const int *in, int *out)
{
    sort_warps<true>(in, out);
}

//! run merge_same_storage --races --block 64 --arg in:s32[128]=iota --arg out:s32[128]
//! finds data-race "'temp'+"
__global__ void merge_same_storage(const int *in, int *out)
{
    sort_warps<false>(in, out);
}
