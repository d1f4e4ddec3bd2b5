// SPDX-License-Identifier: MIT
//
// Copies of boxes of tensors (TMA), in the style of the programming guide.
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum mistake { NONE, NO_FENCE, NO_WAIT, NO_EXPECT, NO_READ_WAIT };

// The guide's example: a box of 8 x 4 comes, is changed and goes back.
template <mistake M>
__device__ void add_in_box(const CUtensorMap &map, int x, int y)
{
    __shared__ alignas(128) int box[4][8];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    if (threadIdx.x == 0) {
        init(&bar, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&box, &map, x, y, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, M == NO_EXPECT ? 0 : sizeof box);
    } else {
        token = bar.arrive();
    }
    if (M != NO_WAIT)
        bar.wait(std::move(token));
    box[threadIdx.x / 8][threadIdx.x % 8] += threadIdx.x;
    if (M != NO_FENCE)
        cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, &box);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
    }
}

//! run add_right --races --block 32 --with 's32 a[16][16]; tensormap m=tiled(a, dims {16, 16}, box {8, 4})' --init a=1,1,1 --arg m --arg x=4 --arg y=8
//! gives a = [1] * 3 + [0] * (8 * 16 + 1) + [0, 1, 2, 3, 4, 5, 6, 7] + [0] * 8 + [8, 9, 10, 11, 12, 13, 14, 15] + [0] * 8 + [16, 17]
__global__ void add_right(const __grid_constant__ CUtensorMap map, int x, int y)
{
    add_in_box<NONE>(map, x, y);
}

//! run add_at_edge --races --block 32 --with 's32 a[16][16]; tensormap m=tiled(a, dims {16, 16}, box {8, 4})' --arg m --arg x=12 --arg y=-2
//! gives a = [0] * 12 + [16, 17, 18, 19] + [0] * 12 + [24, 25, 26, 27] + [0] * 224
__global__ void add_at_edge(const __grid_constant__ CUtensorMap map, int x, int y)
{
    add_in_box<NONE>(map, x, y);
}

//! run add_no_fence --races --block 32 --with 's32 a[16][16]; tensormap m=tiled(a, dims {16, 16}, box {8, 4})' --arg m --arg x=4 --arg y=8
//! finds data-race "tensors.cu" "fence.proxy.async"
__global__ void add_no_fence(const __grid_constant__ CUtensorMap map, int x, int y)
{
    add_in_box<NO_FENCE>(map, x, y);
}

//! run add_no_wait --races --block 32 --with 's32 a[16][16]; tensormap m=tiled(a, dims {16, 16}, box {8, 4})' --arg m --arg x=4 --arg y=8
//! finds data-race "cp.async.bulk.tensor"
//! finds poison-used "undefined value"
__global__ void add_no_wait(const __grid_constant__ CUtensorMap map, int x, int y)
{
    add_in_box<NO_WAIT>(map, x, y);
}

//! run add_no_expect --races --block 32 --with 's32 a[16][16]; tensormap m=tiled(a, dims {16, 16}, box {8, 4})' --arg m --arg x=4 --arg y=8
//! finds data-race "cp.async.bulk.tensor"
//! finds poison-used "undefined value"
__global__ void add_no_expect(const __grid_constant__ CUtensorMap map, int x, int y)
{
    add_in_box<NO_EXPECT>(map, x, y);
}

// A matrix is transposed through two tiles whose rows are swizzled, so that columns have no bank conflicts.
//! run transpose --races --block 8,8 --with 's32 a[16][8]; s32 b[16][8]; tensormap from=tiled(a, dims {8, 16}, box {8, 8}, swizzle 32); tensormap to=tiled(b, dims {8, 16}, box {8, 8}, swizzle 32)' --init a=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24 --arg from --arg to
//! gives b = [1, 9, 17] + [0] * 5 + [2, 10, 18] + [0] * 5 + [3, 11, 19]
__global__ void transpose(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to)
{
    __shared__ alignas(1024) int in[64], out[64];
    __shared__ uint64_t bar;
    unsigned x = threadIdx.x, y = threadIdx.y;
    if (x == 0 && y == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_proxy_async(ptx::space_shared);
        const int32_t at[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, in, &from, at, &bar);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof in);
    }
    __syncthreads();
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    auto place = [](unsigned row, unsigned column) {
        unsigned unit = row * 2 + column / 4; /* of 16 bytes, two a row; each row of 128 bytes flips them */
        return (unit ^ (unit / 8 & 1)) * 4 + column % 4;
    };
    out[place(x, y)] = in[place(y, x)];
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (x == 0 && y == 0) {
        const int32_t at[] = {0, 0};
        ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &to, at, out);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

// Blocks add their boxes to one, an element at a time.
template <bool FENCE>
__device__ void sum_boxes(const CUtensorMap &map)
{
    __shared__ alignas(128) unsigned box[2][2][4];
    (&box[0][0][0])[threadIdx.x] = threadIdx.x + 1;
    if (FENCE)
        ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        const int32_t at[] = {0, 1, 0};
        ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_add, &map, at, box);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
}

//! run sum_right --races --block 16 --grid 3 --with 'u32 a[2][2][4]; tensormap m=tiled(a, dims {4, 2, 2}, box {4, 2, 2})' --arg m
//! gives a = [0] * 4 + [3, 6, 9, 12] + [0] * 4 + [27, 30, 33, 36]
__global__ void sum_right(const __grid_constant__ CUtensorMap map)
{
    sum_boxes<true>(map);
}

//! run sum_no_fence --races --block 16 --grid 3 --with 'u32 a[2][2][4]; tensormap m=tiled(a, dims {4, 2, 2}, box {4, 2, 2})' --arg m
//! finds data-race "tensors.cu" "fence.proxy.async"
__global__ void sum_no_fence(const __grid_constant__ CUtensorMap map)
{
    sum_boxes<false>(map);
}

// A ring of two buffers: one thread fetches rows, all add them up.
template <bool EMPTY>
__device__ void sum_rows(const CUtensorMap &map, int rows, int *out)
{
    __shared__ alignas(128) int row[2][32];
    __shared__ uint64_t full[2], empty[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], blockDim.x);
        }
        ptx::fence_proxy_async(ptx::space_shared);
    }
    __syncthreads();
    auto fetch = [&](int i) {
        const int32_t at[] = {0, i};
        ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, row[i % 2], &map, at, &full[i % 2]);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full[i % 2], sizeof row[0]);
    };
    for (int i = 0; t == 0 && i < 2 && i < rows; i++)
        fetch(i);
    for (int i = 0; i < rows; i++) {
        while (!ptx::mbarrier_try_wait_parity(&full[i % 2], i / 2 % 2))
            ;
        sum += row[i % 2][t];
        ptx::mbarrier_arrive(&empty[i % 2]);
        if (t == 0 && i + 2 < rows) {
            while (EMPTY && !ptx::mbarrier_try_wait_parity(&empty[i % 2], i / 2 % 2))
                ;
            fetch(i + 2);
        }
    }
    out[t] = sum;
}

//! run rows_right --races --block 32 --with 's32 a[6][32]; tensormap m=tiled(a, dims {32, 6}, box {32, 1})' --init a=5,6,7 --arg m --arg rows=6 --arg out:s32[32]
//! gives out = [5, 6, 7] + [0] * 29
__global__ void rows_right(const __grid_constant__ CUtensorMap map, int rows, int *out)
{
    sum_rows<true>(map, rows, out);
}

//! run rows_refilled --races --block 32 --with 's32 a[6][32]; tensormap m=tiled(a, dims {32, 6}, box {32, 1})' --init a=5,6,7 --arg m --arg rows=6 --arg out:s32[32]
//! finds data-race "cp.async.bulk.tensor"
__global__ void rows_refilled(const __grid_constant__ CUtensorMap map, int rows, int *out)
{
    sum_rows<false>(map, rows, out);
}

//! run wrong_rank --block 1 --with 's32 a[32]; tensormap m=tiled(a, box {8})' --arg m --arg out:s32[4]
//! finds bad-tensor-map "one of 1 dimensions, not 2"
__global__ void wrong_rank(const __grid_constant__ CUtensorMap map, int *out)
{
    __shared__ alignas(128) int box[8];
    const int32_t at[] = {0, 0};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, at, box);
    out[0] = 1;
}

// The smaller of each two elements, as the map says what they are; PTX has it of halves, and not of wider floats.
//! run least --block 1 --with 'f16 a[8]; tensormap m=tiled(a, box {8})' --init a=-1.0,2.0,-3.0,4.0,-5.0,6.0,-7.0,8.0 --arg m --arg bits=0xc000c000
//! gives a = [-2, -2, -3, -2, -5, -2, -7, -2]
//! run least --block 1 --with 's32 a[4]; tensormap m=tiled(a, box {4})' --init a=-1,2,-3,0x40000000 --arg m --arg bits=1
//! gives a = [-1, 1, -3, 1]
//! run least --block 1 --with 'f32 a[4]; tensormap m=tiled(a, box {4})' --arg m --arg bits=1
//! finds bad-tensor-map "no reduction .min of elements .f32"
__global__ void least(const __grid_constant__ CUtensorMap map, unsigned bits)
{
    __shared__ alignas(128) unsigned box[4];
    for (int i = 0; i < 4; i++)
        box[i] = bits;
    ptx::fence_proxy_async(ptx::space_shared);
    const int32_t at[] = {0};
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_min, &map, at, box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}

// Half of the box lies outside.
//! run filled --races --block 1 --with 'f32 a[8]; tensormap m=tiled(a, dims {8}, box {8})' --init a=1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0 --arg m --arg out:u32[8]
//! gives out = [0x3f800000] * 4 + [0] * 4
//! run filled --races --block 1 --with 'f32 a[8]; tensormap m=tiled(a, dims {8}, box {8}, fill nan)' --init a=1.0,1.0,1.0,1.0,1.0,1.0,1.0,1.0 --arg m --arg out:u32[8]
//! gives out = [0x3f800000] * 4 + [0x7ff77ff7] * 4
__global__ void filled(const __grid_constant__ CUtensorMap map, unsigned *out)
{
    __shared__ alignas(128) unsigned box[8];
    __shared__ uint64_t bar;
    const int32_t at[] = {4};
    ptx::mbarrier_init(&bar, 1);
    ptx::fence_proxy_async(ptx::space_shared);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &map, at, &bar);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof box);
    while (!ptx::mbarrier_try_wait_parity(&bar, 0))
        ;
    for (int i = 0; i < 8; i++)
        out[i] = box[i];
}
