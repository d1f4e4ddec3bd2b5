// SPDX-License-Identifier: MIT
//
// Idioms between threads and blocks, each right and with one of its parts missing: look-back, a chain of flags, a seqlock, aggregation in a warp,
// a hash table, semaphores, a queue, initialization once, ticket and reader locks.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/semaphore>
#include <cuda/latch>
namespace cg = cooperative_groups;
using u = unsigned;
// decoupled look-back
template <int MISS>
__device__ void look_back(const u *in, u *out, volatile u *flag, volatile u *sum, volatile u *pre)
{
    __shared__ u base;
    u b = blockIdx.x, t = threadIdx.x;
    u v = in[b * 32 + t];
    for (int k = 1; k < 32; k *= 2) {
        u w = __shfl_up_sync(~0u, v, k);
        if (t >= k)
            v += w;
    }
    if (t == 31) {
        if (b == 0) {
            pre[0] = v;
            if (MISS != 1)
                __threadfence();
            flag[0] = 2;
            base = 0;
        } else {
            sum[b] = v;
            if (MISS != 1)
                __threadfence();
            flag[b] = 1;
            u acc = 0;
            int k = b - 1;
            while (true) {
                u f;
                while ((f = flag[k]) == 0)
                    ;
                if (MISS != 2)
                    __threadfence();
                if (f == 2) {
                    acc += pre[k];
                    break;
                }
                acc += sum[k];
                k--;
            }
            pre[b] = acc + v;
            __threadfence();
            flag[b] = 2;
            base = acc;
        }
    }
    if (MISS != 3)
        __syncthreads();
    out[b * 32 + t] = v + base;
}

//! run lb_right --races --grid 5 --block 32 --arg i:u32[160]=1 --arg o:u32[160] --arg f:u32[8] --arg s:u32[8] --arg p:u32[8]
__global__ void lb_right(const u *i, u *o, u *f, u *s, u *p)
{
    look_back<0>(i, o, f, s, p);
}

//! run lb_sync --races --grid 5 --block 32 --arg i:u32[160]=1 --arg o:u32[160] --arg f:u32[8] --arg s:u32[8] --arg p:u32[8]
//! finds implicit-warp-sync "the write of 'base'"
//! finds poison-used
//! finds implicit-warp-sync "the read of 'base'"
__global__ void lb_sync(const u *i, u *o, u *f, u *s, u *p)
{
    look_back<3>(i, o, f, s, p);
}
// look-back with plain data
template <int MISS> __device__ void chain(u *data, u *out, u *flag)
{
    u b = blockIdx.x;
    if (threadIdx.x == 0) {
        u before = 0;
        if (b) {
            while (atomicAdd(&flag[b - 1], 0) == 0)
                ;
            if (MISS != 2)
                __threadfence();
            before = data[b - 1];
        }
        data[b] = before + b;
        if (MISS != 1)
            __threadfence();
        atomicExch(&flag[b], 1);
        out[b] = before;
    }
}

//! run chain_right --races --grid 4 --block 32 --arg d:u32[4] --arg o:u32[4] --arg f:u32[4]
__global__ void chain_right(u *d, u *o, u *f)
{
    chain<0>(d, o, f);
}

//! run chain_no_release --races --grid 4 --block 32 --arg d:u32[4] --arg o:u32[4] --arg f:u32[4]
//! finds data-race "the read of 'd'" "__threadfence() before"
__global__ void chain_no_release(u *d, u *o, u *f)
{
    chain<1>(d, o, f);
}

//! run chain_no_acquire --races --grid 4 --block 32 --arg d:u32[4] --arg o:u32[4] --arg f:u32[4]
//! finds data-race "the read of 'd'" "__threadfence() behind"
__global__ void chain_no_acquire(u *d, u *o, u *f)
{
    chain<2>(d, o, f);
}
// seqlock
template <bool ATOMIC> __device__ void seqlock(u *seq, u *data, u *o)
{
    cuda::atomic_ref<u, cuda::thread_scope_device> s(*seq);
    if (blockIdx.x == 0)
        for (u k = 1; k < 3; k++) {
            s.store(2 * k - 1, cuda::memory_order_relaxed);
            cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
            for (int i = 0; i < 2; i++)
                if (ATOMIC)
                    cuda::atomic_ref<u, cuda::thread_scope_device>(data[i]).store(
                        k, cuda::memory_order_relaxed);
                else
                    data[i] = k;
            s.store(2 * k, cuda::memory_order_release);
        }
    else {
        u a, v[2];
        do {
            a = s.load(cuda::memory_order_acquire);
            for (int i = 0; i < 2; i++)
                v[i] = ATOMIC ? cuda::atomic_ref<u, cuda::thread_scope_device>(data[i]).load(
                                    cuda::memory_order_relaxed)
                              : data[i];
            cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        } while ((a & 1) || a != s.load(cuda::memory_order_relaxed));
        o[0] = v[0];
        o[1] = v[1];
    }
}

//! run seq_right --races --grid 2 --block 1 --arg s:u32[1] --arg d:u32[2] --arg o:u32[2]
__global__ void seq_right(u *s, u *d, u *o)
{
    seqlock<true>(s, d, o);
}

//! run seq_plain --races --grid 2 --block 1 --arg s:u32[1] --arg d:u32[2] --arg o:u32[2]
//! finds data-race "the write of 'd'"
__global__ void seq_plain(u *s, u *d, u *o)
{
    seqlock<false>(s, d, o);
}
// warp aggregated
//! run agg_right --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
__global__ void agg_right(u *count, u *out, u *x)
{
    auto g = cg::coalesced_threads();
    u at;
    if (g.thread_rank() == 0)
        at = atomicAdd(count, g.size());
    at = g.shfl(at, 0) + g.thread_rank();
    out[at] = at;
}

//! run agg_wrong --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512] --arg a2:u32[512]
//! finds data-race "the read of 'a0'"
//! finds data-race "the write of 'a0'" "__syncthreads()"
__global__ void agg_wrong(u *count, u *out, u *x)
{
    auto g = cg::coalesced_threads();
    u at;
    if (g.thread_rank() == 0) {
        at = *count;
        *count = at + g.size();
    }
    at = g.shfl(at, 0) + g.thread_rank();
    out[at % 512] = at;
}
// hash table
template <bool CAS, bool PUB> __device__ void insert(u *keys, u *vals, u key, u val)
{
    u h = key * 7 % 64;
    while (true) {
        u old = CAS ? atomicCAS(&keys[h], 0, key) : keys[h];
        if (!CAS && old == 0)
            keys[h] = key;
        if (old == 0 || old == key) {
            if (PUB)
                atomicExch(&vals[h], val);
            else
                vals[h] = val;
            return;
        }
        h = (h + 1) % 64;
    }
}

//! run hash_right --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
__global__ void hash_right(u *k, u *v)
{
    u i = blockIdx.x * 16 + threadIdx.x + 1;
    insert<true, true>(k, v, i % 20 + 1, i);
}

//! run hash_no_cas --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds implicit-warp-sync "the write of 'a0'"
//! finds implicit-warp-sync "the write of 'a0'" "both store the same value"
//! finds data-race "the read of 'a0'" "__syncthreads()"
__global__ void hash_no_cas(u *k, u *v)
{
    u i = blockIdx.x * 16 + threadIdx.x + 1;
    insert<false, true>(k, v, i % 20 + 1, i);
}

//! run hash_plain_values --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds data-race "the write of 'a1'" "__syncthreads()"
__global__ void hash_plain_values(u *k, u *v)
{
    u i = blockIdx.x * 16 + threadIdx.x + 1;
    insert<true, false>(k, v, i % 20 + 1, i);
}
// semaphore
//! run sem_right --races --grid 3 --block 64 --arg a0:u32[512]
__global__ void sem_right(u *x)
{
    __shared__ cuda::binary_semaphore<cuda::thread_scope_block> *s;
    __shared__ alignas(16) char raw[64];
    if (threadIdx.x == 0)
        s = new (raw) cuda::binary_semaphore<cuda::thread_scope_block>(1);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        s->acquire();
        x[blockIdx.x]++;
        s->release();
    }
}

//! run sem_two --races --grid 3 --block 64 --arg a0:u32[512]
//! finds data-race "the read of 'a0'" "__syncthreads()"
__global__ void sem_two(u *x)
{
    __shared__ cuda::counting_semaphore<cuda::thread_scope_block, 2> *s;
    __shared__ alignas(16) char raw[64];
    if (threadIdx.x == 0)
        s = new (raw) cuda::counting_semaphore<cuda::thread_scope_block, 2>(2);
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        s->acquire();
        x[blockIdx.x]++;
        s->release();
    }
}
// cg::reduce over tile64
//! run tile64 --races --grid 3 --block 64 --arg a0:u32[512] --arg a1:u32[512]
//! finds implicit-warp-sync "only the library has this memory"
//! finds data-race "only the library has this memory"
__global__ void tile64(u *o, u *i)
{
    __shared__ cg::block_tile_memory<128> mem;
    auto b = cg::this_thread_block(mem);
    auto t = cg::tiled_partition<64>(b);
    u v = cg::reduce(t, i[threadIdx.x % 64], cg::plus<u>());
    if (t.thread_rank() == 0)
        o[blockIdx.x * 2 + threadIdx.x / 64] = v;
}
// queue with ready flags
template <int MISS> __device__ void mpsc(u *tail, u *slot, u *ready, u *out)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x) {
        for (int r = 0; r < 2; r++) {
            u k = atomicAdd(tail, 1);
            slot[k] = blockIdx.x * 10 + r;
            if (MISS != 1)
                __threadfence();
            *(volatile u *)&ready[k] = 1;
        }
    } else {
        for (u k = 0; k < 2 * (gridDim.x - 1); k++) {
            while (*(volatile u *)&ready[k] == 0)
                ;
            if (MISS != 2)
                __threadfence();
            out[k] = slot[k];
        }
    }
}

//! run mpsc_right --races --grid 4 --block 32 --arg t:u32[1] --arg s:u32[8] --arg r:u32[8] --arg o:u32[8]
__global__ void mpsc_right(u *t, u *s, u *r, u *o)
{
    mpsc<0>(t, s, r, o);
}

//! run mpsc_no_release --races --grid 4 --block 32 --arg t:u32[1] --arg s:u32[8] --arg r:u32[8] --arg o:u32[8]
//! finds data-race "the read of 's'" "__threadfence() before"
__global__ void mpsc_no_release(u *t, u *s, u *r, u *o)
{
    mpsc<1>(t, s, r, o);
}

//! run mpsc_no_acquire --races --grid 4 --block 32 --arg t:u32[1] --arg s:u32[8] --arg r:u32[8] --arg o:u32[8]
//! finds data-race "the read of 's'" "__threadfence() behind"
__global__ void mpsc_no_acquire(u *t, u *s, u *r, u *o)
{
    mpsc<2>(t, s, r, o);
}
// double-checked initialization
template <bool ACQ> __device__ void once(u *state, u *value, u *o)
{
    if (threadIdx.x)
        return;
    u s = *(volatile u *)state;
    if (ACQ)
        __threadfence();
    if (s != 2) {
        if (atomicCAS(state, 0, 1) == 0) {
            *value = 5;
            __threadfence();
            atomicExch(state, 2);
        } else {
            while (*(volatile u *)state != 2)
                ;
            __threadfence();
        }
    }
    o[blockIdx.x] = *value;
}

//! run once_right --races --grid 3 --block 32 --arg s:u32[1] --arg v:u32[1] --arg o:u32[3]
__global__ void once_right(u *s, u *v, u *o)
{
    once<true>(s, v, o);
}

//! run once_no_acquire --races --grid 3 --block 32 --arg s:u32[1] --arg v:u32[1] --arg o:u32[3]
//! finds data-race "the read of 'v'" "__threadfence() behind"
__global__ void once_no_acquire(u *s, u *v, u *o)
{
    once<false>(s, v, o);
}
// ticket lock, rwlock
template <int MISS> __device__ void ticket(u *next, u *now, u *x)
{
    if (threadIdx.x)
        return;
    u me = atomicAdd(next, 1);
    while (*(volatile u *)now != me)
        ;
    if (MISS != 1)
        __threadfence();
    *x += 1;
    if (MISS != 2)
        __threadfence();
    *(volatile u *)now = me + 1;
}

//! run ticket_right --races --grid 4 --block 32 --arg n:u32[1] --arg w:u32[1] --arg x:u32[1]
__global__ void ticket_right(u *n, u *w, u *x)
{
    ticket<0>(n, w, x);
}

//! run ticket_no_acquire --races --grid 4 --block 32 --arg n:u32[1] --arg w:u32[1] --arg x:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() behind"
__global__ void ticket_no_acquire(u *n, u *w, u *x)
{
    ticket<1>(n, w, x);
}

//! run ticket_no_release --races --grid 4 --block 32 --arg n:u32[1] --arg w:u32[1] --arg x:u32[1]
//! finds data-race "the read of 'x'" "__threadfence() before"
__global__ void ticket_no_release(u *n, u *w, u *x)
{
    ticket<2>(n, w, x);
}
template <int MISS> __device__ void rw(int *l, u *x, u *o)
{
    if (threadIdx.x)
        return;
    if (blockIdx.x == 1) {
        while (atomicCAS(l, 0, -1) != 0)
            ;
        __threadfence();
        *x += 1;
        __threadfence();
        atomicExch(l, 0);
    } else {
        while (true) {
            int v = *(volatile int *)l;
            if (v >= 0 && atomicCAS(l, v, v + 1) == v)
                break;
        }
        if (MISS != 1)
            __threadfence();
        o[blockIdx.x] = *x;
        if (MISS != 2)
            __threadfence();
        atomicSub(l, 1);
    }
}

//! run rw_right --races --grid 3 --block 32 --arg l:s32[1] --arg x:u32[1] --arg o:u32[3]
__global__ void rw_right(int *l, u *x, u *o)
{
    rw<0>(l, x, o);
}

//! run rw_no_acquire --races --grid 3 --block 32 --arg l:s32[1] --arg x:u32[1] --arg o:u32[3]
//! finds data-race "the read of 'x'" "__threadfence() behind"
__global__ void rw_no_acquire(int *l, u *x, u *o)
{
    rw<1>(l, x, o);
}

//! run rw_no_release --races --grid 3 --block 32 --arg l:s32[1] --arg x:u32[1] --arg o:u32[3]
//! finds data-race "the write of 'x'" "__threadfence() before"
__global__ void rw_no_release(int *l, u *x, u *o)
{
    rw<2>(l, x, o);
}
