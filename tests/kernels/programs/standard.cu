// SPDX-License-Identifier: MIT
//
// Objects of libcu++ as its manual shows them: barriers with two parts and with completion functions, warps of two kinds,
// semaphores, latches, pipelines, atomic flags, and waiting for a value; each right and with one thing missing.
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <cuda/latch>
#include <cuda/std/atomic>
#include <cuda/pipeline>
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using Bar = cuda::barrier<cuda::thread_scope_block>;
//! run split --races --block 64 --arg out:s32[64]
//! gives out = [ (i+1)%64*3 for i in range(64)]
__global__ void split(int *out)
{
    __shared__ Bar bar;
    __shared__ int a[64];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    a[threadIdx.x] = threadIdx.x * 3;
    auto t = bar.arrive();
    int local = out[threadIdx.x];
    bar.wait(std::move(t));
    out[threadIdx.x] = a[(threadIdx.x + 1) % 64] + local;
}
//! run split_bug --races --block 64 --arg out:s32[64]
//! finds data-race standard.cu
__global__ void split_bug(int *out)
{
    __shared__ Bar bar;
    __shared__ int a[64];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    auto t = bar.arrive();
    a[threadIdx.x] = threadIdx.x * 3;
    bar.wait(std::move(t));
    out[threadIdx.x] = a[(threadIdx.x + 1) % 64];
}
//! run split_noinit --races --block 64 --arg out:s32[64]
//! finds data-race standard.cu
__global__ void split_noinit(int *out)
{
    __shared__ Bar bar;
    __shared__ int a[64];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    a[threadIdx.x] = threadIdx.x * 3;
    bar.arrive_and_wait();
    out[threadIdx.x] = a[(threadIdx.x + 1) % 64];
}
//! run split_many --races --block 64 --arg out:s32[64]
//! finds mbarrier-phase-never-completes
__global__ void split_many(int *out)
{
    __shared__ Bar bar;
    __shared__ int a[64];
    if (threadIdx.x == 0)
        init(&bar, blockDim.x + 1);
    __syncthreads();
    a[threadIdx.x] = threadIdx.x * 3;
    bar.arrive_and_wait();
    out[threadIdx.x] = a[(threadIdx.x + 1) % 64];
}
// One warp fills two buffers, the other empties them.
//! run spec --races --block 64 --arg in:s32[128]=iota --arg out:s32[128]
//! gives out = [2*i+1 for i in range(128)]
template <int BUG> __device__ void spec_(const int *in, int *out)
{
    __shared__ Bar ready[2], filled[2];
    __shared__ int buf[2][32];
    if (threadIdx.x < 2) {
        init(&ready[threadIdx.x], 64);
        init(&filled[threadIdx.x], 64);
    }
    __syncthreads();
    int lane = threadIdx.x & 31;
    if (threadIdx.x < 32) {
        for (int i = 0; i < 4; i++) {
            if (BUG != 1)
                ready[i % 2].arrive_and_wait();
            buf[i % 2][lane] = in[i * 32 + lane];
            (void)filled[i % 2].arrive();
        }
    } else {
        (void)ready[0].arrive();
        (void)ready[1].arrive();
        for (int i = 0; i < 4; i++) {
            if (BUG == 2)
                (void)filled[i % 2].arrive();
            else
                filled[i % 2].arrive_and_wait();
            out[i * 32 + lane] = buf[i % 2][31 - lane] * 2 + 1 - 2 * (31 - 2 * lane);
            (void)ready[i % 2].arrive();
        }
    }
}
__global__ void spec(const int *in, int *out)
{
    spec_<0>(in, out);
}
//! run spec_bug1 --races --block 64 --arg in:s32[128]=iota --arg out:s32[128]
//! finds data-race standard.cu
//! finds mbarrier-phase-never-completes "for 32 of 64 arrivals that never come"
__global__ void spec_bug1(const int *in, int *out)
{
    spec_<1>(in, out);
}
//! run spec_bug2 --races --block 64 --arg in:s32[128]=iota --arg out:s32[128]
//! finds data-race standard.cu
//! finds poison-used
//! finds mbarrier-phase-never-completes "object 'ready'+0, for 32 of 64 arrivals"
__global__ void spec_bug2(const int *in, int *out)
{
    spec_<2>(in, out);
}
struct Fin {
    int *p;
    __device__ void operator()() noexcept
    {
        *p += 1;
    }
};
//! run completion --races --block 8 --arg out:s32[8] --arg n:s32[1]
//! gives out = [3]*8
__global__ void completion(int *out, int *n)
{
    using B = cuda::barrier<cuda::thread_scope_block, Fin>;
    __shared__ alignas(B) char mem[sizeof(B)];
    B *bar = reinterpret_cast<B *>(mem);
    if (threadIdx.x == 0)
        new (bar) B(blockDim.x, Fin{n});
    __syncthreads();
    for (int i = 0; i < 3; i++)
        bar->arrive_and_wait();
    out[threadIdx.x] = *n;
}
__device__ cuda::counting_semaphore<cuda::thread_scope_device, 2> sem(2);
__device__ int inside, most;
//! run semaphore --races --grid 6 --block 1 --arg out:s32[1]
//! finds data-race standard.cu
__global__ void semaphore(int *out)
{ // two at a time: plain count is a race
    sem.acquire();
    inside++;
    sem.release();
    if (blockIdx.x == 0)
        *out = 1;
}
__device__ cuda::binary_semaphore<cuda::thread_scope_device> bsem(1);
__device__ int bcount;
//! run bsemaphore --races --grid 6 --block 1 --arg out:s32[1]
//! gives out = [6]
__global__ void bsemaphore(int *out)
{
    bsem.acquire();
    *out = ++bcount;
    bsem.release();
}
__device__ cuda::latch<cuda::thread_scope_device> lat(4);
__device__ int ld[4];
//! run latch --races --grid 4 --block 1 --arg out:s32[4]
//! gives out = [10]*4
__global__ void latch(int *out)
{
    ld[blockIdx.x] = blockIdx.x + 1;
    lat.arrive_and_wait();
    out[blockIdx.x] = ld[0] + ld[1] + ld[2] + ld[3];
}
__device__ cuda::latch<cuda::thread_scope_block> latb(4);
//! run latch_bug --races --grid 4 --block 1 --arg out:s32[4]
//! finds data-race standard.cu
__global__ void latch_bug(int *out)
{
    ld[blockIdx.x] = blockIdx.x + 1;
    latb.arrive_and_wait();
    out[blockIdx.x] = ld[0] + ld[1] + ld[2] + ld[3];
}
template <int BUG> __device__ void pipe_(const int *in, int *out, int n)
{
    __shared__ int buf[2][64];
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int s = 0; s < 2; s++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, buf[s], in + s * 64, sizeof(int) * 64, pipe);
        pipe.producer_commit();
    }
    for (int s = 0; s < n; s++) {
        if (BUG != 1)
            pipe.consumer_wait();
        out[s * 64 + threadIdx.x] = buf[s % 2][63 - threadIdx.x];
        if (BUG != 2)
            pipe.consumer_release();
        if (s + 2 < n) {
            if (BUG != 2)
                pipe.producer_acquire();
            cuda::memcpy_async(block, buf[s % 2], in + (s + 2) * 64, sizeof(int) * 64, pipe);
            pipe.producer_commit();
        }
    }
}
//! run pipe --races --block 64 --arg in:s32[256]=iota --arg out:s32[256] --arg n=4
//! gives out = [i//64*64+63-i%64 for i in range(256)]
__global__ void pipe(const int *in, int *out, int n)
{
    pipe_<0>(in, out, n);
}
//! run pipe_bug1 --races --block 64 --arg in:s32[256]=iota --arg out:s32[256] --arg n=4
//! finds data-race standard.cu
//! finds poison-used
__global__ void pipe_bug1(const int *in, int *out, int n)
{
    pipe_<1>(in, out, n);
}
//! run pipe_bug2 --races --block 64 --arg in:s32[256]=iota --arg out:s32[256] --arg n=4
//! finds data-race standard.cu
//! finds mbarrier-phase-never-completes "for 64 of 64 arrivals that never come"
__global__ void pipe_bug2(const int *in, int *out, int n)
{
    pipe_<2>(in, out, n);
}
__device__ cuda::std::atomic<int> sa;
__device__ cuda::std::atomic_flag flag;
__device__ int prot;
//! run stdatomic --races --grid 4 --block 2 --arg out:s32[1]
//! gives out = [8]
__global__ void stdatomic(int *out)
{
    while (flag.test_and_set(cuda::std::memory_order_acquire))
        ;
    prot++;
    int p = prot;
    flag.clear(cuda::std::memory_order_release);
    if (sa.fetch_add(1) == 7)
        *out = p > 0 ? 8 : 0;
}
//! run stdatomic_bug --races --grid 4 --block 2 --arg out:s32[1]
//! finds data-race standard.cu
__global__ void stdatomic_bug(int *out)
{
    while (flag.test_and_set(cuda::std::memory_order_relaxed))
        ;
    prot++;
    flag.clear(cuda::std::memory_order_release);
}
//! run waitnotify --races --grid 2 --block 1 --arg out:s32[1]
//! gives out = [42]
__global__ void waitnotify(int *out)
{
    static __device__ cuda::atomic<int, cuda::thread_scope_device> a;
    static __device__ int d;
    if (blockIdx.x == 0) {
        d = 42;
        a.store(1, cuda::memory_order_release);
        a.notify_one();
    } else {
        a.wait(0, cuda::memory_order_acquire);
        *out = d;
    }
}
