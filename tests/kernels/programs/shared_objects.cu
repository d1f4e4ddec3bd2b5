// SPDX-License-Identifier: MIT
//
// Data that blocks share: queues, tables, locks and scans, in the atomics of CUDA and of libcu++.
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>

using counter = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
using counter64 = cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>;
using cuda::memory_order_acq_rel;
using cuda::memory_order_acquire;
using cuda::memory_order_relaxed;
using cuda::memory_order_release;

// A scan in one pass: each block leaves its sum, then its prefix, with a flag in the same word or beside it.

//! run look_back --races --grid 6 --block 32 --arg in:u32[192]=1 --arg state:u64[6] --arg ticket:u32[1] --arg out:u32[192]
//! gives out = list(range(1, 193))
__global__ void look_back(const unsigned *in, unsigned long long *state, unsigned *ticket, unsigned *out)
{
    enum : unsigned long long { SUM = 1ull << 32, PREFIX = 2ull << 32 };
    unsigned block = 0, lane = threadIdx.x;
    if (lane == 0)
        block = atomicAdd(ticket, 1);
    block = __shfl_sync(~0u, block, 0);
    unsigned value = in[block * 32 + lane];
    for (int d = 1; d < 32; d *= 2) {
        unsigned before = __shfl_up_sync(~0u, value, d);
        value += lane >= d ? before : 0;
    }
    unsigned sum = __shfl_sync(~0u, value, 31), prefix = 0;
    if (lane == 0) {
        counter64(state[block]).store((block ? SUM : PREFIX) | sum, memory_order_relaxed);
        for (int k = (int)block - 1; k >= 0; k--) {
            unsigned long long seen;
            do
                seen = counter64(state[k]).load(memory_order_relaxed);
            while (!(seen >> 32));
            prefix += (unsigned)seen;
            if (seen >> 32 == 2)
                break;
        }
        counter64(state[block]).store(PREFIX | (prefix + sum), memory_order_relaxed);
    }
    out[block * 32 + lane] = __shfl_sync(~0u, prefix, 0) + value;
}

template <cuda::memory_order LEAVE, cuda::memory_order LOOK>
__device__ void chained_scan(const unsigned *in, unsigned *flag, unsigned *prefix, unsigned *out)
{
    __shared__ unsigned before;
    unsigned value = in[blockIdx.x * 32 + threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(~0u, value, d);
        value += threadIdx.x >= d ? other : 0;
    }
    if (threadIdx.x == 31) {
        before = 0;
        if (blockIdx.x) {
            while (!counter(flag[blockIdx.x - 1]).load(LOOK))
                ;
            before = prefix[blockIdx.x - 1];
        }
        prefix[blockIdx.x] = before + value;
        counter(flag[blockIdx.x]).store(1, LEAVE);
    }
    __syncwarp();
    out[blockIdx.x * 32 + threadIdx.x] = before + value;
}

//! run chained_right --races --grid 5 --block 32 --arg in:u32[160]=2 --arg flag:u32[5] --arg prefix:u32[5] --arg out:u32[160]
//! gives out = list(range(2, 322, 2))
__global__ void chained_right(const unsigned *in, unsigned *flag, unsigned *prefix, unsigned *out)
{
    chained_scan<memory_order_release, memory_order_acquire>(in, flag, prefix, out);
}

//! run chained_leave_relaxed --races --grid 5 --block 32 --arg in:u32[160]=2 --arg flag:u32[5] --arg prefix:u32[5] --arg out:u32[160]
//! finds data-race "'prefix'+" "__threadfence() before 'st'"
__global__ void chained_leave_relaxed(const unsigned *in, unsigned *flag, unsigned *prefix, unsigned *out)
{
    chained_scan<memory_order_relaxed, memory_order_acquire>(in, flag, prefix, out);
}

//! run chained_look_relaxed --races --grid 5 --block 32 --arg in:u32[160]=2 --arg flag:u32[5] --arg prefix:u32[5] --arg out:u32[160]
//! finds data-race "'prefix'+" "__threadfence() behind 'ld'"
__global__ void chained_look_relaxed(const unsigned *in, unsigned *flag, unsigned *prefix, unsigned *out)
{
    chained_scan<memory_order_release, memory_order_relaxed>(in, flag, prefix, out);
}

// Open addressing: a key is claimed by a compare-and-swap, its value is added to or stored.

template <bool ATOMIC>
__device__ void count_words(const unsigned *keys, unsigned *table, unsigned *counts)
{
    unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x], slot = key * 7 % 32;
    for (;;) {
        unsigned found = atomicCAS(&table[slot], 0, key);
        if (found == 0 || found == key)
            break;
        slot = (slot + 1) % 32;
    }
    if (ATOMIC)
        atomicAdd(&counts[slot], 1);
    else
        counts[slot]++;
}

//! run hash_right --races --grid 2 --block 32 --arg keys:u32[64]=9,2,9,4,5,2,7,8,9,1,1,9,3,4,5,6,9,2,9,4,5,2,7,8,9,1,1,9,3,4,5,6,9,2,9,4,5,2,7,8,9,1,1,9,3,4,5,6,9,2,9,4,5,2,7,8,9,1,1,9,3,4,5,6 --arg table:u32[32] --arg counts:u32[32]
//! gives counts = [{0: 0, 7: 8, 14: 8, 21: 4, 28: 8, 3: 8, 10: 4, 17: 4, 24: 4, 31: 16}.get(i, 0) for i in range(32)]
__global__ void hash_right(const unsigned *keys, unsigned *table, unsigned *counts)
{
    count_words<true>(keys, table, counts);
}

//! run hash_plain_counts --races --grid 2 --block 32 --arg keys:u32[64]=5 --arg table:u32[32] --arg counts:u32[32]
//! finds data-race "'counts'+12" "shared_objects.cu:107"
__global__ void hash_plain_counts(const unsigned *keys, unsigned *table, unsigned *counts)
{
    count_words<false>(keys, table, counts);
}

template <bool ONCE>
__device__ void claim_and_check(unsigned *owner, unsigned *payload, unsigned *out)
{
    unsigned me = blockIdx.x + 1;
    if (ONCE ? atomicCAS(owner, 0, me) == 0 : *owner == 0) {
        if (!ONCE)
            *owner = me;
        *payload = 100 + me;
        out[0] = 1;
    }
}

//! run claim_once --races --grid 4 --block 1 --arg owner:u32[1] --arg payload:u32[1] --arg out:u32[1]
//! gives out = [1]
__global__ void claim_once(unsigned *owner, unsigned *payload, unsigned *out)
{
    claim_and_check<true>(owner, payload, out);
}

//! run check_then_act --races --grid 4 --block 1 --arg owner:u32[1] --arg payload:u32[1] --arg out:u32[1]
//! finds data-race "'owner'+0"
__global__ void check_then_act(unsigned *owner, unsigned *payload, unsigned *out)
{
    claim_and_check<false>(owner, payload, out);
}

// A stack of nodes, pushed by everybody.

template <cuda::memory_order PUSH>
__device__ void push_then_sum(int *next, int *value, int *head, unsigned *done, int *out)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> top(*head);
    int me = blockIdx.x + 1, old = top.load(memory_order_relaxed);
    value[me] = me * 10;
    do
        next[me] = old;
    while (!top.compare_exchange_weak(old, me, PUSH, memory_order_relaxed));
    if (counter(*done).fetch_add(1, memory_order_relaxed) == gridDim.x - 1) {
        int sum = 0;
        for (int at = top.load(memory_order_acquire); at; at = next[at])
            sum += value[at];
        *out = sum;
    }
}

//! run stack_right --races --grid 4 --block 1 --arg next:s32[5] --arg value:s32[5] --arg head:s32[1] --arg done:u32[1] --arg out:s32[1]
//! gives out = [100]
__global__ void stack_right(int *next, int *value, int *head, unsigned *done, int *out)
{
    push_then_sum<memory_order_release>(next, value, head, done, out);
}

//! run stack_relaxed --races --grid 4 --block 1 --arg next:s32[5] --arg value:s32[5] --arg head:s32[1] --arg done:u32[1] --arg out:s32[1]
//! finds data-race "'value'+"
__global__ void stack_relaxed(int *next, int *value, int *head, unsigned *done, int *out)
{
    push_then_sum<memory_order_relaxed>(next, value, head, done, out);
}

// Locks.

template <cuda::memory_order TAKE, cuda::memory_order GIVE>
__device__ void ticket_lock(unsigned *next, unsigned *serving, int *count)
{
    if (threadIdx.x)
        return;
    unsigned mine = counter(*next).fetch_add(1, memory_order_relaxed);
    while (counter(*serving).load(TAKE) != mine)
        ;
    *count = *count + 1;
    counter(*serving).store(mine + 1, GIVE);
}

//! run ticket_right --races --grid 4 --block 32 --arg next:u32[1] --arg serving:u32[1] --arg count:s32[1]
//! gives count = [4]
__global__ void ticket_right(unsigned *next, unsigned *serving, int *count)
{
    ticket_lock<memory_order_acquire, memory_order_release>(next, serving, count);
}

//! run ticket_give_relaxed --races --grid 4 --block 32 --arg next:u32[1] --arg serving:u32[1] --arg count:s32[1]
//! finds data-race "'count'+0" "__threadfence() before 'st'"
__global__ void ticket_give_relaxed(unsigned *next, unsigned *serving, int *count)
{
    ticket_lock<memory_order_acquire, memory_order_relaxed>(next, serving, count);
}

template <typename FENCE>
__device__ void lock_in_warp(int *lock, int *count, FENCE fence)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            fence();
            *count = *count + 1;
            fence();
            atomicExch(lock, 0);
            done = true;
        }
}

//! run lock_in_warp_right --races --grid 2 --block 8 --arg lock:s32[1] --arg count:s32[1]
//! gives count = [16]
__global__ void lock_in_warp_right(int *lock, int *count)
{
    lock_in_warp(lock, count, [] { __threadfence(); });
}

//! run lock_of_block --races --grid 2 --block 8 --arg lock:s32[1] --arg count:s32[1]
//! finds data-race "'count'+0"
__global__ void lock_of_block(int *lock, int *count)
{
    lock_in_warp(lock, count, [] { __threadfence_block(); });
}

//! run lock_never_given --grid 2 --block 1 --arg lock:s32[1] --arg count:s32[1]
//! finds spin-forever
__global__ void lock_never_given(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1))
        ;
    __threadfence();
    *count = *count + 1;
}

template <cuda::thread_scope SCOPE>
__device__ void with_semaphore(cuda::binary_semaphore<SCOPE> *free, int *count)
{
    free->acquire();
    *count = *count + 1;
    free->release();
}

//! run semaphore_right --races --grid 3 --block 1 --arg room:u32[4]=1 --arg count:s32[1]
//! gives count = [3]
__global__ void semaphore_right(cuda::binary_semaphore<cuda::thread_scope_device> *room, int *count)
{
    with_semaphore(room, count);
}

//! run semaphore_of_block --races --grid 3 --block 1 --arg room:u32[4]=1 --arg count:s32[1]
//! finds data-race "'count'+0"
__global__ void semaphore_of_block(cuda::binary_semaphore<cuda::thread_scope_block> *room, int *count)
{
    with_semaphore(room, count);
}

template <bool WAITS>
__device__ void after_latch(cuda::latch<cuda::thread_scope_device> *latch, int *part, int *out)
{
    part[blockIdx.x] = blockIdx.x + 1;
    if (blockIdx.x || !WAITS) {
        latch->count_down();
    }
    if (!blockIdx.x) {
        if (WAITS)
            latch->arrive_and_wait();
        int sum = 0;
        for (int i = 0; i < gridDim.x; i++)
            sum += part[i];
        *out = sum;
    }
}

//! run latch_right --races --grid 4 --block 1 --arg latch:u64[1]=4 --arg part:s32[4] --arg out:s32[1]
//! gives out = [10]
__global__ void latch_right(cuda::latch<cuda::thread_scope_device> *latch, int *part, int *out)
{
    after_latch<true>(latch, part, out);
}

//! run latch_not_waited --races --grid 4 --block 1 --arg latch:u64[1]=4 --arg part:s32[4] --arg out:s32[1]
//! finds data-race "'part'+"
__global__ void latch_not_waited(cuda::latch<cuda::thread_scope_device> *latch, int *part, int *out)
{
    after_latch<false>(latch, part, out);
}
