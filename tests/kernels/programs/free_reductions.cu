// SPDX-License-Identifier: MIT
//
// Reductions and scans as people write them: no race in any of them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

//! run tree --races --grid 3 --block 128 --arg in:u32[384]=iota --arg out:u32[3]
//! gives out = [sum(range(128 * b, 128 * b + 128)) for b in range(3)]
__global__ void tree(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned n = 64; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = s[0];
}

//! run unrolled --races --grid 2 --block 128 --arg in:u32[512]=iota --arg out:u32[2]
//! gives out = [sum(range(256 * b, 256 * b + 256)) for b in range(2)]
__global__ void unrolled(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
    unsigned sum = in[i] + in[i + 128];
    s[t] = sum;
    __syncthreads();
    if (t < 64)
        s[t] = sum = sum + s[t + 64];
    __syncthreads();
    if (t < 32) {
        sum += s[t + 32];
        for (int k = 16; k > 0; k /= 2)
            sum += __shfl_down_sync(~0u, sum, k);
    }
    if (t == 0)
        out[blockIdx.x] = sum;
}

//! run warp_tail --races --block 64 --arg in:u32[64]=iota --arg out:u32[1]
//! gives out = [sum(range(64))]
__global__ void warp_tail(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        unsigned v = s[t] + s[t + 32];
        __syncwarp();
        s[t] = v;
        __syncwarp();
        for (int k = 16; k > 0; k /= 2) {
            v += s[(t + k) % 32];
            __syncwarp();
            s[t] = v;
            __syncwarp();
        }
        if (t == 0)
            *out = v;
    }
}

//! run by_warps --races --grid 2 --block 256 --arg in:u32[512]=iota --arg out:u32[1]
//! gives out = [sum(range(512))]
__global__ void by_warps(const unsigned *in, unsigned *out)
{
    __shared__ unsigned part[8];
    unsigned t = threadIdx.x, v = in[blockIdx.x * 256 + t];
    for (int k = 16; k > 0; k /= 2)
        v += __shfl_xor_sync(~0u, v, k);
    if (t % 32 == 0)
        part[t / 32] = v;
    __syncthreads();
    if (t < 32) {
        v = t < 8 ? part[t] : 0;
        for (int k = 4; k > 0; k /= 2)
            v += __shfl_down_sync(~0u, v, k);
        if (t == 0)
            atomicAdd(out, v);
    }
}

//! run strided --races --grid 3 --block 64 --arg in:u32[1000]=iota --arg out:u32[1] --arg n=1000
//! gives out = [sum(range(1000))]
__global__ void strided(const unsigned *in, unsigned *out, int n)
{
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = __reduce_add_sync(~0u, sum);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}

//! run last_block --races --grid 6 --block 64 --arg in:u32[384]=iota --arg part:u32[6] --arg count:u32[1] --arg out:u32[1]
//! gives out = [sum(range(384))]
__global__ void last_block(const unsigned *in, unsigned *part, unsigned *count, unsigned *out)
{
    __shared__ unsigned s[64];
    __shared__ bool last;
    unsigned t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int n = 32; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(count, gridDim.x) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last) {
        unsigned v = t < gridDim.x ? part[t] : 0;
        s[t] = v;
        __syncthreads();
        for (int n = 32; n > 0; n /= 2) {
            if (t < n)
                s[t] += s[t + n];
            __syncthreads();
        }
        if (t == 0) {
            *out = s[0];
            *count = 0;
        }
    }
}

//! run last_block_of_library --races --grid 6 --block 32 --arg part:u32[6] --arg count:u32[1] --arg out:u32[1]
//! gives out = [sum(range(6))]
__global__ void last_block_of_library(unsigned *part, unsigned *count, unsigned *out)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> c(*count);
    if (threadIdx.x)
        return;
    part[blockIdx.x] = blockIdx.x;
    if (c.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) {
        unsigned sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
    }
}

//! run grid_wide --races --cooperative --grid 4 --block 64 --arg in:u32[256]=iota --arg part:u32[4] --arg out:u32[1]
//! gives out = [sum(range(256))]
__global__ void grid_wide(const unsigned *in, unsigned *part, unsigned *out)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ unsigned s[64];
    s[block.thread_rank()] = in[grid.thread_rank()];
    block.sync();
    if (block.thread_rank() == 0) {
        unsigned sum = 0;
        for (int i = 0; i < 64; i++)
            sum += s[i];
        part[blockIdx.x] = sum;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        unsigned sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
    }
}

//! run of_tiles --races --block 64 --arg in:u32[64]=iota --arg out:u32[4]
//! gives out = [sum(range(16 * b, 16 * b + 16)) for b in range(4)]
__global__ void of_tiles(const unsigned *in, unsigned *out)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned v = cg::reduce(tile, in[threadIdx.x], cg::plus<unsigned>());
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = v;
}

//! run of_large_tiles --races --block 128 --arg in:u32[128]=iota --arg out:u32[2]
//! gives out = [sum(range(64 * b, 64 * b + 64)) for b in range(2)]
__global__ void of_large_tiles(const unsigned *in, unsigned *out)
{
    __shared__ cg::block_tile_memory<128> memory;
    auto block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    __shared__ unsigned s[128];
    s[threadIdx.x] = in[threadIdx.x];
    tile.sync();
    if (tile.thread_rank() == 0) {
        unsigned sum = 0;
        for (int i = 0; i < 64; i++)
            sum += s[64 * tile.meta_group_rank() + i];
        out[tile.meta_group_rank()] = sum;
    }
}

//! run coalesced --races --block 64 --arg in:u32[64]=iota --arg out:u32[1]
//! gives out = [sum(range(0, 64, 3))]
__global__ void coalesced(const unsigned *in, unsigned *out)
{
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        unsigned v = cg::reduce(g, in[threadIdx.x], cg::plus<unsigned>());
        if (g.thread_rank() == 0)
            atomicAdd(out, v);
    }
}

//! run hillis_steele --races --grid 2 --block 128 --arg in:u32[256]=1 --arg out:u32[256]
//! gives out = [t % 128 + 1 for t in range(256)]
__global__ void hillis_steele(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[2][128];
    unsigned t = threadIdx.x, from = 0;
    s[0][t] = in[blockIdx.x * 128 + t];
    __syncthreads();
    for (unsigned n = 1; n < 128; n *= 2) {
        s[from ^ 1][t] = s[from][t] + (t >= n ? s[from][t - n] : 0);
        from ^= 1;
        __syncthreads();
    }
    out[blockIdx.x * 128 + t] = s[from][t];
}

//! run blelloch --races --block 64 --arg in:u32[128]=1 --arg out:u32[128]
//! gives out = list(range(128))
__global__ void blelloch(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[128];
    int t = threadIdx.x, offset = 1;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    for (int d = 64; d > 0; d /= 2) {
        __syncthreads();
        if (t < d)
            s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0)
        s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            unsigned was = s[a];
            s[a] = s[b];
            s[b] += was;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}

//! run scan_of_tile --races --block 64 --arg in:u32[64]=1 --arg out:u32[64]
//! gives out = [t % 32 for t in range(64)]
__global__ void scan_of_tile(const unsigned *in, unsigned *out)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    out[threadIdx.x] = cg::exclusive_scan(tile, in[threadIdx.x]);
}

//! run look_back --races --grid 5 --block 32 --arg in:u32[160]=1 --arg state:u32[5] --arg sums:u32[5] --arg prefix:u32[5] --arg out:u32[160] --arg ticket:u32[1]
//! gives out = list(range(1, 161))
__global__ void look_back(const unsigned *in, unsigned *state, unsigned *sums, unsigned *prefix, unsigned *out, unsigned *ticket)
{
    unsigned t = threadIdx.x, block = 0;
    if (t == 0)
        block = atomicAdd(ticket, 1);
    block = __shfl_sync(~0u, block, 0);
    unsigned v = in[32 * block + t];
    for (int k = 1; k < 32; k *= 2) {
        unsigned w = __shfl_up_sync(~0u, v, k);
        v += t >= k ? w : 0;
    }
    unsigned before = 0;
    if (t == 31) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> mine(state[block]);
        sums[block] = v;
        mine.store(1, cuda::memory_order_release);
        for (int i = (int)block - 1; i >= 0; i--) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> theirs(state[i]);
            unsigned s;
            while ((s = theirs.load(cuda::memory_order_acquire)) == 0)
                ;
            before += s == 2 ? prefix[i] : sums[i];
            if (s == 2)
                break;
        }
        prefix[block] = before + v;
        mine.store(2, cuda::memory_order_release);
    }
    before = __shfl_sync(~0u, before, 31);
    out[32 * block + t] = before + v;
}

//! run packed_look_back --races --grid 5 --block 1 --arg in:u32[5]=3 --arg state:u64[5] --arg out:u32[5]
//! gives out = [3, 6, 9, 12, 15]
__global__ void packed_look_back(const unsigned *in, unsigned long long *state, unsigned *out)
{
    unsigned b = blockIdx.x, before = 0;
    volatile unsigned long long *s = state;
    s[b] = 1ull << 32 | in[b];
    for (int i = (int)b - 1; i >= 0; i--) {
        unsigned long long w;
        while (!((w = s[i]) >> 32))
            ;
        before += (unsigned)w;
        if (w >> 33)
            break;
    }
    s[b] = 2ull << 32 | (before + in[b]);
    out[b] = before + in[b];
}

//! run chained --races --grid 6 --block 32 --arg flag:u32[7]=1,0,0,0,0,0,0 --arg sum:u32[1] --arg out:u32[6]
//! gives out = [0, 1, 3, 6, 10, 15]
__global__ void chained(volatile unsigned *flag, unsigned *sum, unsigned *out)
{
    if (threadIdx.x == 0) {
        while (flag[blockIdx.x] == 0)
            ;
        __threadfence();
        *sum += blockIdx.x;
        out[blockIdx.x] = *sum;
        __threadfence();
        flag[blockIdx.x + 1] = 1;
    }
}
