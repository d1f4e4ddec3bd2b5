// SPDX-License-Identifier: MIT
//
// Data that threads share by atomic operations, locks and queues: no race in any of it.
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

//! run histogram --races --grid 3 --block 64 --arg in:u32[600]=iota --arg bins:u32[16] --arg n=600
//! gives bins = [sum(i % 16 == b for i in range(600)) for b in range(16)]
__global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[16];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s[in[i] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}

//! run histogram_of_bytes --races --block 64 --arg in:u32[256]=iota --arg bins:u32[256]
//! gives bins = [1] * 256
__global__ void histogram_of_bytes(const unsigned *in, unsigned *bins)
{
    __shared__ unsigned char s[64][256 / 4];
    for (int part = 0; part < 4; part++) {
        for (int b = 0; b < 64; b++)
            s[threadIdx.x][b] = 0;
        for (int i = 0; i < 4; i++) {
            unsigned v = in[4 * threadIdx.x + i];
            if (v / 64 == part)
                s[threadIdx.x][v % 64]++;
        }
        __syncthreads();
        unsigned sum = 0;
        for (int t = 0; t < 64; t++)
            sum += s[t][threadIdx.x];
        bins[64 * part + threadIdx.x] = sum;
        __syncthreads();
    }
}

//! run filter --races --grid 2 --block 64 --arg in:u32[128]=iota --arg out:u32[128] --arg count:u32[1]
//! gives count = [43]
__global__ void filter(const unsigned *in, unsigned *out, unsigned *count)
{
    unsigned v = in[blockIdx.x * 64 + threadIdx.x];
    if (v % 3 == 0) {
        unsigned active = __activemask(), lane = threadIdx.x % 32, leader = __ffs(active) - 1, at = 0;
        if (lane == leader)
            at = atomicAdd(count, __popc(active));
        at = __shfl_sync(active, at, leader);
        out[at + __popc(active & ((1u << lane) - 1))] = v;
    }
}

//! run filter_of_groups --races --grid 2 --block 64 --arg in:u32[128]=iota --arg out:u32[128] --arg count:u32[1]
//! gives count = [43]
__global__ void filter_of_groups(const unsigned *in, unsigned *out, unsigned *count)
{
    unsigned v = in[blockIdx.x * 64 + threadIdx.x];
    if (v % 3 == 0) {
        cg::coalesced_group g = cg::coalesced_threads();
        unsigned at = 0;
        if (g.thread_rank() == 0)
            at = atomicAdd(count, g.size());
        out[g.shfl(at, 0) + g.thread_rank()] = v;
    }
}

//! run spin_lock --races --grid 3 --block 32 --arg lock:s32[1] --arg sum:s32[1]
//! gives sum = [96]
__global__ void spin_lock(int *lock, int *sum)
{
    for (int turn = 0; turn < 32; turn++)
        if (threadIdx.x == turn) {
            while (atomicCAS(lock, 0, 1) != 0)
                ;
            __threadfence();
            *sum += 1;
            __threadfence();
            atomicExch(lock, 0);
        }
}

//! run lock_in_loop --races --grid 2 --block 32 --arg lock:s32[1] --arg sum:s32[1]
//! gives sum = [64]
__global__ void lock_in_loop(int *lock, int *sum)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)sum += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

//! run test_and_set --races --grid 4 --block 1 --arg lock:s32[1] --arg data:s32[2] --arg rounds=3
//! gives data = [12, 24]
__global__ void test_and_set(int *lock, int *data, int rounds)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
    for (int i = 0; i < rounds; i++) {
        while (l.exchange(1, cuda::memory_order_acquire))
            while (l.load(cuda::memory_order_relaxed))
                ;
        data[0] += 1;
        data[1] += 2;
        l.store(0, cuda::memory_order_release);
    }
}

//! run ticket_lock --races --grid 4 --block 1 --arg lock:u32[2] --arg data:s32[1]
//! gives data = [4]
__global__ void ticket_lock(unsigned *lock, int *data)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(lock[0]), serving(lock[1]);
    unsigned mine = next.fetch_add(1, cuda::memory_order_relaxed);
    while (serving.load(cuda::memory_order_acquire) != mine)
        ;
    *data += 1;
    serving.store(mine + 1, cuda::memory_order_release);
}

struct node {
    int next, locked;
};

//! run mcs_lock --races --grid 3 --block 1 --arg tail:s32[1] --arg nodes:s32[8] --arg data:s32[1]
//! gives data = [3]
__global__ void mcs_lock(int *tail, node *nodes, int *data)
{
    int me = blockIdx.x + 1;
    cuda::atomic_ref<int, cuda::thread_scope_device> t(*tail), locked(nodes[me].locked), next(nodes[me].next);
    locked.store(1, cuda::memory_order_relaxed);
    next.store(0, cuda::memory_order_relaxed);
    int before = t.exchange(me, cuda::memory_order_acq_rel);
    if (before) {
        cuda::atomic_ref<int, cuda::thread_scope_device>(nodes[before].next).store(me, cuda::memory_order_release);
        while (locked.load(cuda::memory_order_acquire))
            ;
    }
    *data += 1;
    int behind = next.load(cuda::memory_order_acquire), mine = me;
    if (!behind) {
        if (t.compare_exchange_strong(mine, 0, cuda::memory_order_acq_rel))
            return;
        while (!(behind = next.load(cuda::memory_order_acquire)))
            ;
    }
    cuda::atomic_ref<int, cuda::thread_scope_device>(nodes[behind].locked).store(0, cuda::memory_order_release);
}

//! run of_semaphore --races --grid 3 --block 1 --arg data:s32[1]
//! gives data = [3]
__device__ cuda::binary_semaphore<cuda::thread_scope_device> gate(1);
__global__ void of_semaphore(int *data)
{
    gate.acquire();
    *data += 1;
    gate.release();
}

//! run readers_and_writers --races --grid 4 --block 1 --arg lock:s32[1] --arg data:s32[2] --arg out:s32[4]
//! gives data = [2, 2]
__global__ void readers_and_writers(int *lock, int *data, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> l(*lock);
    if (blockIdx.x % 2) {
        int none = 0;
        while (!l.compare_exchange_weak(none, -1, cuda::memory_order_acquire))
            none = 0;
        data[0]++;
        data[1]++;
        l.store(0, cuda::memory_order_release);
    } else {
        int n = l.load(cuda::memory_order_relaxed);
        while (n < 0 || !l.compare_exchange_weak(n, n + 1, cuda::memory_order_acquire))
            n = l.load(cuda::memory_order_relaxed);
        out[blockIdx.x] = data[0] - data[1];
        l.fetch_sub(1, cuda::memory_order_release);
    }
}

//! run message --races --grid 2 --block 32 --arg data:u32[32] --arg flag:u32[1] --arg out:u32[32]
//! gives out = [t + 1 for t in range(32)]
__global__ void message(unsigned *data, volatile unsigned *flag, unsigned *out)
{
    unsigned t = threadIdx.x;
    if (blockIdx.x == 0) {
        data[t] = t + 1;
        __threadfence();
        __syncthreads();
        if (t == 0)
            *flag = 1;
    } else {
        if (t == 0)
            while (!*flag)
                ;
        __syncthreads();
        __threadfence();
        out[t] = data[t];
    }
}

//! run ring --races --grid 2 --block 1 --arg slots:u32[4] --arg head:u32[1] --arg tail:u32[1] --arg sum:u32[1] --arg n=10
//! gives sum = [55]
__global__ void ring(unsigned *slots, unsigned *head, unsigned *tail, unsigned *sum, unsigned n)
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> h(*head), t(*tail);
    unsigned total = 0;
    for (unsigned i = 0; i < n; i++) {
        if (blockIdx.x == 0) {
            while (i - h.load(cuda::memory_order_acquire) == 4)
                ;
            slots[i % 4] = i + 1;
            t.store(i + 1, cuda::memory_order_release);
        } else {
            while (t.load(cuda::memory_order_acquire) == i)
                ;
            total += slots[i % 4];
            h.store(i + 1, cuda::memory_order_release);
        }
    }
    if (blockIdx.x)
        *sum = total;
}

//! run stack --races --grid 4 --block 1 --arg top:s32[1] --arg next:s32[5] --arg value:s32[5] --arg sum:s32[1]
//! gives sum = [10]
__global__ void stack(int *top, int *next, int *value, int *sum)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> t(*top);
    int me = blockIdx.x + 1;
    value[me] = me;
    int was = t.load(cuda::memory_order_relaxed);
    do
        next[me] = was;
    while (!t.compare_exchange_weak(was, me, cuda::memory_order_release, cuda::memory_order_relaxed));
    int all = t.exchange(0, cuda::memory_order_acquire);
    for (; all; all = next[all])
        atomicAdd(sum, value[all]);
}

//! run hash_table --races --grid 2 --block 32 --arg keys:u32[128] --arg values:u32[128] --arg found:u32[1]
//! gives found = [64]
__global__ void hash_table(unsigned *keys, unsigned *values, unsigned *found)
{
    unsigned key = blockIdx.x * 32 + threadIdx.x + 1, at = key * 37 % 128;
    for (;; at = (at + 1) % 128) {
        unsigned was = atomicCAS(&keys[at], 0, key);
        if (was == 0 || was == key)
            break;
    }
    values[at] = key * 2;
    if (values[at] == key * 2)
        atomicAdd(found, 1);
}

//! run hash_of_pairs --races --grid 2 --block 32 --arg table:u64[128] --arg found:u32[1]
//! gives found = [64]
__global__ void hash_of_pairs(unsigned long long *table, unsigned *found)
{
    unsigned key = blockIdx.x * 32 + threadIdx.x + 1, at = key * 37 % 128;
    while (atomicCAS(&table[at], 0ull, (unsigned long long)key << 32 | key * 2) != 0)
        at = (at + 1) % 128;
    atomicAdd(found, 1);
}

//! run breadth_first --races --grid 2 --block 8 --arg begin:u32[9]=0,2,4,5,6,7,8,8,8 --arg edges:u32[8]=1,2,3,4,4,5,6,7 --arg depth:s32[8]=0,-1,-1,-1,-1,-1,-1,-1 --arg level=0 --arg changed:u32[1]
//! gives depth = [0, 1, 1, -1, -1, -1, -1, -1]
__global__ void breadth_first(const unsigned *begin, const unsigned *edges, int *depth, int level, unsigned *changed)
{
    unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < 8 && atomicAdd(&depth[v], 0) == level)
        for (unsigned e = begin[v]; e < begin[v + 1]; e++)
            if (atomicCAS(&depth[edges[e]], -1, level + 1) == -1)
                atomicExch(changed, 1);
}

//! run frontier --races --block 32 --arg begin:u32[9]=0,2,4,5,6,7,8,8,8 --arg edges:u32[8]=1,2,3,4,4,5,6,7 --arg depth:s32[8]=0,-1,-1,-1,-1,-1,-1,-1
//! gives depth = [0, 1, 1, 2, 2, 3, 3, 4]
__global__ void frontier(const unsigned *begin, const unsigned *edges, int *depth)
{
    __shared__ unsigned queue[2][16], count[2];
    if (threadIdx.x == 0) {
        queue[0][0] = 0;
        count[0] = 1;
        count[1] = 0;
    }
    __syncthreads();
    for (int level = 0; count[level & 1]; level++) {
        int now = level & 1, then = now ^ 1;
        for (unsigned i = threadIdx.x; i < count[now]; i += blockDim.x)
            for (unsigned e = begin[queue[now][i]]; e < begin[queue[now][i] + 1]; e++)
                if (atomicCAS(&depth[edges[e]], -1, level + 1) == -1)
                    queue[then][atomicAdd(&count[then], 1)] = edges[e];
        __syncthreads();
        if (threadIdx.x == 0)
            count[now] = 0;
        __syncthreads();
    }
}

//! run shortest --races --grid 2 --block 4 --arg from:u32[8]=0,0,1,2,3,4,5,6 --arg to:u32[8]=1,2,3,3,4,5,6,7 --arg cost:u32[8]=1,4,2,1,3,1,1,1 --arg distance:u32[8]=0,99,99,99,99,99,99,99
//! gives distance = [0, 1]
__global__ void shortest(const unsigned *from, const unsigned *to, const unsigned *cost, unsigned *distance)
{
    unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < 8; round++) {
        unsigned d = ((volatile unsigned *)distance)[from[e]];
        if (d != 99)
            atomicMin(&distance[to[e]], d + cost[e]);
    }
}

//! run components --races --grid 2 --block 4 --arg edges:u32[16]=0,1,1,2,3,4,4,5,5,3,6,7,6,6,2,0 --arg parent:u32[8]=iota
//! gives parent = [0]
__global__ void components(const unsigned *edges, unsigned *parent)
{
    unsigned e = blockIdx.x * blockDim.x + threadIdx.x, a = edges[2 * e], b = edges[2 * e + 1];
    for (;;) {
        while (atomicAdd(&parent[a], 0) != a)
            a = atomicAdd(&parent[a], 0);
        while (atomicAdd(&parent[b], 0) != b)
            b = atomicAdd(&parent[b], 0);
        if (a == b)
            break;
        unsigned hi = max(a, b), lo = min(a, b);
        if (atomicCAS(&parent[hi], hi, lo) == hi)
            break;
    }
}

//! run bitonic --races --block 64 --arg data:u32[64]=63,5,9,1,0,2 --arg n=64
//! gives data = sorted([63, 5, 9, 1, 0, 2] + [0] * 58)
__global__ void bitonic(unsigned *data, int n)
{
    __shared__ unsigned s[64];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (unsigned k = 2; k <= n; k *= 2)
        for (unsigned j = k / 2; j > 0; j /= 2) {
            unsigned other = t ^ j;
            if (other > t && (s[t] > s[other]) == !(t & k)) {
                unsigned was = s[t];
                s[t] = s[other];
                s[other] = was;
            }
            __syncthreads();
        }
    data[t] = s[t];
}

//! run odd_even --races --block 32 --arg data:u32[64]=9,8,7,6,5,4,3,2,1
//! gives data = sorted([9, 8, 7, 6, 5, 4, 3, 2, 1] + [0] * 55)
__global__ void odd_even(unsigned *data)
{
    unsigned t = threadIdx.x;
    for (int round = 0; round < 64; round++) {
        unsigned i = 2 * t + round % 2;
        if (i + 1 < 64 && data[i] > data[i + 1]) {
            unsigned was = data[i];
            data[i] = data[i + 1];
            data[i + 1] = was;
        }
        __syncthreads();
    }
}

//! run radix --races --block 64 --arg data:u32[64]=63,5,9,1,0,2
//! gives data = sorted([63, 5, 9, 1, 0, 2] + [0] * 58)
__global__ void radix(unsigned *data)
{
    __shared__ unsigned s[64], zeros[64];
    unsigned t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int bit = 0; bit < 6; bit++) {
        unsigned v = s[t], zero = !(v >> bit & 1);
        zeros[t] = zero;
        __syncthreads();
        unsigned before = 0, all = 0;
        for (int i = 0; i < 64; i++) {
            before += i < t ? zeros[i] : 0;
            all += zeros[i];
        }
        __syncthreads();
        s[zero ? before : all + t - before] = v;
        __syncthreads();
    }
    data[t] = s[t];
}

//! run steal --races --grid 2 --block 32 --arg next:u32[1] --arg out:u32[200] --arg n=200
//! gives out = [2 * i for i in range(200)]
__global__ void steal(unsigned *next, unsigned *out, unsigned n)
{
    __shared__ unsigned at;
    for (;;) {
        if (threadIdx.x == 0)
            at = atomicAdd(next, 32);
        __syncthreads();
        unsigned i = at + threadIdx.x;
        __syncthreads();
        if (i - threadIdx.x >= n)
            return;
        if (i < n)
            out[i] = 2 * i;
    }
}

//! run once --races --grid 3 --block 1 --arg state:s32[1] --arg table:s32[4] --arg out:s32[3]
//! gives out = [6, 6, 6]
__global__ void once(int *state, int *table, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> s(*state);
    int zero = 0;
    if (s.compare_exchange_strong(zero, 1, cuda::memory_order_acq_rel)) {
        for (int i = 0; i < 4; i++)
            table[i] = i;
        s.store(2, cuda::memory_order_release);
    } else
        while (s.load(cuda::memory_order_acquire) != 2)
            ;
    out[blockIdx.x] = table[0] + table[1] + table[2] + table[3];
}

//! run sense_barrier --races --grid 3 --block 32 --arg count:u32[1] --arg sense:u32[1] --arg data:u32[6] --arg out:u32[3]
//! gives out = [6, 6, 6]
__global__ void sense_barrier(unsigned *count, volatile unsigned *sense, unsigned *data, unsigned *out)
{
    if (threadIdx.x == 0)
        data[blockIdx.x] = blockIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicAdd(count, 1) == gridDim.x - 1) {
            __threadfence();
            *sense = 1;
        } else
            while (!*sense)
                ;
        __threadfence();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        out[blockIdx.x] = data[0] + data[1] + data[2];
}

//! run dekker --races --grid 2 --block 1 --arg wants:s32[2] --arg data:s32[1]
__global__ void dekker(int *wants, int *data)
{
    int me = blockIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(wants[me]), other(wants[1 - me]);
    mine.store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    if (other.load(cuda::memory_order_acquire) == 0)
        *data += 1;
    mine.store(0, cuda::memory_order_release);
}

//! run peterson --races --grid 2 --block 1 --arg wants:s32[2] --arg turn:s32[1] --arg data:s32[1]
//! gives data = [2]
__global__ void peterson(int *wants, int *turn, int *data)
{
    int me = blockIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(wants[me]), other(wants[1 - me]), t(*turn);
    mine.store(1, cuda::memory_order_seq_cst);
    t.store(1 - me, cuda::memory_order_seq_cst);
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
    while (other.load(cuda::memory_order_acquire) && t.load(cuda::memory_order_acquire) == 1 - me)
        ;
    *data += 1;
    mine.store(0, cuda::memory_order_release);
}
