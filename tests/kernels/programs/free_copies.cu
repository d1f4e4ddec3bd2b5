// SPDX-License-Identifier: MIT
//
// Double buffers, pipelines, barriers and clusters: no race in any of them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

//! run double_buffer --races --block 64 --arg in:u32[512]=iota --arg out:u32[64] --arg tiles=8
//! gives out = [sum(64 * k + (t ^ 33) for k in range(8)) for t in range(64)]
__global__ void double_buffer(const unsigned *in, unsigned *out, int tiles)
{
    __shared__ unsigned s[2][64];
    unsigned sum = 0, t = threadIdx.x;
    s[0][t] = in[t];
    for (int k = 0; k < tiles; k++) {
        __syncthreads();
        if (k + 1 < tiles)
            s[(k + 1) & 1][t] = in[64 * (k + 1) + t];
        sum += s[k & 1][t ^ 33];
    }
    out[t] = sum;
}

//! run multiply --races --grid 2,2 --block 8,8 --arg a:f32[256]=1 --arg b:f32[256]=2 --arg c:f32[256]
//! gives c = [32.0] * 256
__global__ void multiply(const float *a, const float *b, float *c)
{
    __shared__ float sa[8][8], sb[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 8 + x;
    float sum = 0;
    for (int k = 0; k < 16; k += 8) {
        sa[y][x] = a[row * 16 + k + x];
        sb[y][x] = b[(k + y) * 16 + column];
        __syncthreads();
        for (int i = 0; i < 8; i++)
            sum += sa[y][i] * sb[i][x];
        __syncthreads();
    }
    c[row * 16 + column] = sum;
}

//! run transpose --races --grid 2,2 --block 16,4 --arg in:u32[1024]=iota --arg out:u32[1024]
//! gives out = [32 * (i % 32) + i // 32 for i in range(1024)]
__global__ void transpose(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[16][17];
    int x = threadIdx.x;
    for (int y = threadIdx.y; y < 16; y += 4)
        s[y][x] = in[(blockIdx.y * 16 + y) * 32 + blockIdx.x * 16 + x];
    __syncthreads();
    for (int y = threadIdx.y; y < 16; y += 4)
        out[(blockIdx.x * 16 + y) * 32 + blockIdx.y * 16 + x] = s[x][y];
}

//! run three_stages --races --block 64 --arg in:u32[512]=iota --arg out:u32[64] --arg tiles=8
//! gives out = [sum(64 * k + (t ^ 33) for k in range(8)) for t in range(64)]
__global__ void three_stages(const unsigned *in, unsigned *out, int tiles)
{
    __shared__ unsigned s[3][64];
    unsigned sum = 0, t = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        __pipeline_memcpy_async(&s[k][t], &in[64 * k + t], 4);
        __pipeline_commit();
    }
    for (int k = 0; k < tiles; k++) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (k + 2 < tiles)
            __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[64 * (k + 2) + t], 4);
        __pipeline_commit();
        sum += s[k % 3][t ^ 33];
    }
    out[t] = sum;
}

//! run pipeline_of_block --races --block 64 --arg in:u32[512]=iota --arg out:u32[64] --arg tiles=8
//! gives out = [sum(64 * k + (t ^ 33) for k in range(8)) for t in range(64)]
__global__ void pipeline_of_block(const unsigned *in, unsigned *out, int tiles)
{
    auto block = cg::this_thread_block();
    __shared__ unsigned s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    unsigned sum = 0, t = threadIdx.x;
    for (int k = 0, next = 0; k < tiles; k++) {
        for (; next < tiles && next < k + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % 2], in + 64 * next, sizeof s[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        block.sync();
        sum += s[k % 2][t ^ 33];
        pipe.consumer_release();
    }
    out[t] = sum;
}

//! run group_copies --races --block 64 --arg in:u32[128]=iota --arg out:u32[64]
//! gives out = [2 * (t ^ 1) + 64 for t in range(64)]
__global__ void group_copies(const unsigned *in, unsigned *out)
{
    auto block = cg::this_thread_block();
    __shared__ unsigned s[2][64];
    cg::memcpy_async(block, s[0], in, 256);
    cg::memcpy_async(block, s[1], in + 64, 256);
    cg::wait(block);
    out[threadIdx.x] = s[0][threadIdx.x ^ 1] + s[1][threadIdx.x ^ 1];
}

//! run phases --races --block 64 --arg out:u32[64]
//! gives out = [sum(63 - t + k for k in range(5)) for t in range(64)]
__global__ void phases(unsigned *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, 64);
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        s[t] = t + k;
        bar.arrive_and_wait();
        sum += s[63 - t];
        bar.arrive_and_wait();
    }
    out[t] = sum;
}

//! run roles --races --block 64 --arg in:u32[256]=iota --arg out:u32[1]
//! gives out = [sum(range(256))]
__global__ void roles(const unsigned *in, unsigned *out)
{
    using barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ barrier full[2], empty[2];
    __shared__ unsigned s[2][32];
    unsigned t = threadIdx.x, sum = 0;
    if (t < 2) {
        init(&full[t], 64);
        init(&empty[t], 64);
    }
    __syncthreads();
    if (t < 32) {
        for (int k = 0; k < 8; k++) {
            empty[k % 2].arrive_and_wait();
            s[k % 2][t] = in[32 * k + t];
            (void)full[k % 2].arrive();
        }
    } else {
        (void)empty[0].arrive();
        (void)empty[1].arrive();
        for (int k = 0; k < 8; k++) {
            full[k % 2].arrive_and_wait();
            sum += s[k % 2][63 - t];
            (void)empty[k % 2].arrive();
        }
        atomicAdd(out, sum);
    }
}

//! run arrival_of_copy --races --block 64 --arg in:u32[256]=iota --arg out:u32[64]
//! gives out = [sum(64 * k + (t ^ 33) for k in range(4)) for t in range(64)]
__global__ void arrival_of_copy(const unsigned *in, unsigned *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    __shared__ alignas(16) unsigned s[64];
    unsigned t = threadIdx.x, sum = 0;
    if (t == 0)
        init(&bar, 64);
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        cuda::memcpy_async(cg::this_thread_block(), s, in + 64 * k, cuda::aligned_size_t<16>(256), bar);
        bar.arrive_and_wait();
        sum += s[t ^ 33];
        __syncthreads();
    }
    out[t] = sum;
}

//! run of_latch --races --block 64 --arg out:u32[64]
//! gives out = [63 - t for t in range(64)]
__global__ void of_latch(unsigned *out)
{
    using latch = cuda::latch<cuda::thread_scope_block>;
    __shared__ alignas(latch) char bytes[sizeof(latch)];
    __shared__ unsigned s[64];
    latch *all = reinterpret_cast<latch *>(bytes);
    if (threadIdx.x == 0)
        new (all) latch(64);
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    all->arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
}

//! run named_barriers --races --block 64 --arg out:u32[32]
//! gives out = [sum(31 - t + k for k in range(4)) for t in range(32)]
__global__ void named_barriers(unsigned *out)
{
    __shared__ unsigned s[32];
    unsigned t = threadIdx.x, sum = 0;
    for (int k = 0; k < 4; k++)
        if (t < 32) {
            s[t] = t + k;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += s[63 - t];
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        }
    if (t >= 32)
        out[t - 32] = sum;
}

//! run stencil --races --cooperative --grid 2 --block 32 --arg a:s32[66]=iota --arg b:s32[66]
//! gives b = [0] + list(range(1, 65))
__global__ void stencil(int *a, int *b)
{
    cg::grid_group grid = cg::this_grid();
    int i = 1 + grid.thread_rank();
    for (int k = 0; k < 4; k++) {
        b[i] = (a[i - 1] + a[i + 1]) / 2;
        grid.sync();
        a[i] = b[i];
        grid.sync();
    }
}

//! run neighbours --races --grid 4 --cluster 2 --block 32 --arg out:u32[128]
//! gives out = [100 * (b ^ 1) + 31 - t for b in range(4) for t in range(32)]
__global__ void neighbours(unsigned *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned s[32];
    s[threadIdx.x] = 100 * blockIdx.x + threadIdx.x;
    cluster.sync();
    unsigned *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    out[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x];
    cluster.sync();
}

//! run cluster_histogram --races --grid 2 --cluster 2 --block 64 --arg in:u32[256]=iota --arg bins:u32[32]
//! gives bins = [8] * 32
__global__ void cluster_histogram(const unsigned *in, unsigned *bins)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    cluster.sync();
    for (int k = 0; k < 2; k++) {
        unsigned v = in[blockIdx.x * 128 + 64 * k + threadIdx.x] % 32;
        atomicAdd(cluster.map_shared_rank(s, v / 16) + v % 16, 1);
    }
    cluster.sync();
    if (threadIdx.x < 16)
        bins[16 * cluster.block_rank() + threadIdx.x] = s[threadIdx.x];
}

//! run split_barrier --races --grid 2 --cluster 2 --block 32 --arg out:u32[64]
//! gives out = [31 - t + 10 * (1 - b) for b in range(2) for t in range(32)]
__global__ void split_barrier(unsigned *out)
{
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned s[32];
    s[threadIdx.x] = threadIdx.x + 10 * cluster.block_rank();
    cluster.barrier_arrive();
    unsigned *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
    cluster.barrier_wait();
    out[blockIdx.x * 32 + threadIdx.x] = other[31 - threadIdx.x];
    cluster.sync();
}
