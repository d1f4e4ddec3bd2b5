// SPDX-License-Identifier: MIT
//
// Cooperative groups of several warps, which keep what they need in shared memory that the runtime reserves.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

//! run sums_of_two_warps --block 128 --arg o:s32[128]
//! gives o = [sum(range(64 * (t // 64), 64 * (t // 64) + 64)) for t in range(128)]
__global__ void sums_of_two_warps(int *o)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<64>(block);
    o[threadIdx.x] = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
}

//! run votes_of_two_warps --block 128 --arg o:s32[128]
//! gives o = [int(t < 64) for t in range(128)]
__global__ void votes_of_two_warps(int *o)
{
    __shared__ cg::block_tile_memory<128> room;
    auto block = cg::this_thread_block(room);
    auto tile = cg::tiled_partition<64>(block);
    tile.sync();
    o[threadIdx.x] = tile.any(threadIdx.x == 5);
}
