/* SPDX-License-Identifier: MIT
 * Locks for several readers, sequence locks, semaphores, latches and barriers across blocks. The orders of each form are
 * its arguments: the first ones make it right, the others do not. */
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
#define relaxed cuda::std::memory_order_relaxed
#define acquire cuda::std::memory_order_acquire
#define release cuda::std::memory_order_release
#define acq_rel cuda::std::memory_order_acq_rel
#define fence(order) cuda::atomic_thread_fence(order, cuda::thread_scope_device)

/* Block 0 writes both words under the lock, the others read them: 100 is a writer, less are readers. */
#define RWLOCK(name, take, give, leave)                                                            \
    __global__ void name(unsigned *lock, unsigned *pair, unsigned *torn)                           \
    {                                                                                              \
        unsigned seen = 0;                                                                         \
        if (blockIdx.x == 0) {                                                                     \
            while (!word(*lock).compare_exchange_strong(seen, 100, take, relaxed))                 \
                seen = 0;                                                                          \
            pair[0] = 1;                                                                           \
            pair[1] = 1;                                                                           \
            word(*lock).store(0, give);                                                            \
        } else {                                                                                   \
            do                                                                                     \
                while ((seen = word(*lock).load(relaxed)) == 100)                                  \
                    ;                                                                              \
            while (!word(*lock).compare_exchange_strong(seen, seen + 1, take, relaxed));           \
            if (pair[0] != pair[1])                                                                \
                *torn = 1;                                                                         \
            word(*lock).fetch_sub(1, leave);                                                       \
        }                                                                                          \
    }
RWLOCK(rwlock, acquire, release, release)
RWLOCK(rwlock_take_relaxed, relaxed, release, release)
RWLOCK(rwlock_give_relaxed, acquire, relaxed, release)
RWLOCK(rwlock_leave_relaxed, acquire, release, relaxed)

/* Block 0 writes both words between an odd and an even number; the other reads them between two equal even ones. */
#define SEQLOCK(name, open, close, first, again)                                                   \
    __global__ void name(unsigned *number, unsigned *pair, unsigned *torn)                         \
    {                                                                                              \
        if (blockIdx.x == 0) {                                                                     \
            word(*number).store(1, relaxed);                                                       \
            open;                                                                                  \
            word(pair[0]).store(1, relaxed);                                                       \
            word(pair[1]).store(1, relaxed);                                                       \
            word(*number).store(2, close);                                                         \
        } else {                                                                                   \
            unsigned before = word(*number).load(first);                                           \
            unsigned x = word(pair[0]).load(relaxed), y = word(pair[1]).load(relaxed);             \
            again;                                                                                 \
            unsigned after = word(*number).load(relaxed);                                          \
            if (before == after && before != 1 && x != y)                                          \
                *torn = 1;                                                                         \
        }                                                                                          \
    }
SEQLOCK(seqlock, fence(release), release, acquire, fence(acquire))
SEQLOCK(seqlock_no_release_fence, , release, acquire, fence(acquire))
SEQLOCK(seqlock_no_acquire_fence, fence(release), release, acquire, )
SEQLOCK(seqlock_close_relaxed, fence(release), relaxed, acquire, fence(acquire))
SEQLOCK(seqlock_first_relaxed, fence(release), release, relaxed, fence(acquire))

/* A semaphore that starts at one, around an increment. */
#define SEMAPHORE(name, take, give)                                                                \
    __global__ void name(unsigned *count, unsigned *sum)                                           \
    {                                                                                              \
        unsigned seen;                                                                             \
        do                                                                                         \
            while (!(seen = word(*count).load(relaxed)))                                           \
                ;                                                                                  \
        while (!word(*count).compare_exchange_strong(seen, seen - 1, take, relaxed));              \
        ++*sum;                                                                                    \
        word(*count).fetch_add(1, give);                                                           \
    }
SEMAPHORE(semaphore, acquire, release)
SEMAPHORE(semaphore_take_relaxed, relaxed, release)
SEMAPHORE(semaphore_give_relaxed, acquire, relaxed)

/* A latch: each block leaves a value, counts down, waits for the others and reads the value of the next. */
#define LATCH(name, down, wait)                                                                    \
    __global__ void name(unsigned *left, unsigned *value, unsigned *missed)                        \
    {                                                                                              \
        value[blockIdx.x] = 1;                                                                     \
        word(*left).fetch_sub(1, down);                                                            \
        while (word(*left).load(wait))                                                             \
            ;                                                                                      \
        if (!value[(blockIdx.x + 1) % gridDim.x])                                                  \
            *missed = 1;                                                                           \
    }
LATCH(latch, release, acquire)
LATCH(latch_down_relaxed, relaxed, acquire)
LATCH(latch_wait_relaxed, release, relaxed)

/* A barrier across the grid by a counter and a sense that the last block turns over. */
#define SENSE(name, come, turn, wait)                                                              \
    __global__ void name(unsigned *count, unsigned *sense, unsigned *value, unsigned *missed)      \
    {                                                                                              \
        value[blockIdx.x] = 1;                                                                     \
        if (word(*count).fetch_add(1, come) == gridDim.x - 1) {                                    \
            word(*count).store(0, relaxed);                                                        \
            word(*sense).store(1, turn);                                                           \
        } else {                                                                                   \
            while (word(*sense).load(wait) != 1)                                                   \
                ;                                                                                  \
        }                                                                                          \
        if (!value[(blockIdx.x + 1) % gridDim.x])                                                  \
            *missed = 1;                                                                           \
    }
SENSE(sense, acq_rel, release, acquire)
SENSE(sense_come_relaxed, relaxed, release, acquire)
SENSE(sense_turn_relaxed, acq_rel, relaxed, acquire)
SENSE(sense_wait_relaxed, acq_rel, release, relaxed)

/* Xiao, Feng: thread t of block 0 waits for block t, all of them meet, and then it lets block t go on. */
#define XF(name, come, seen, go, wait)                                                             \
    __global__ void name(unsigned *in, unsigned *out, unsigned *value, unsigned *missed)           \
    {                                                                                              \
        if (blockIdx.x == 0) {                                                                     \
            unsigned other = threadIdx.x + 1;                                                      \
            value[threadIdx.x + gridDim.x] = 1;                                                    \
            if (other < gridDim.x)                                                                 \
                while (!word(in[other]).load(seen))                                                \
                    ;                                                                              \
            __syncthreads();                                                                       \
            if (other < gridDim.x)                                                                 \
                word(out[other]).store(1, go);                                                     \
        } else {                                                                                   \
            value[blockIdx.x] = 1;                                                                 \
            word(in[blockIdx.x]).store(1, come);                                                   \
            while (!word(out[blockIdx.x]).load(wait))                                              \
                ;                                                                                  \
            if (!value[3 - blockIdx.x])                                                            \
                *missed = 1;                                                                       \
        }                                                                                          \
    }
XF(xf, release, acquire, release, acquire)
XF(xf_come_relaxed, relaxed, acquire, release, acquire)
XF(xf_seen_relaxed, release, relaxed, release, acquire)
XF(xf_go_relaxed, release, acquire, relaxed, acquire)
XF(xf_wait_relaxed, release, acquire, release, relaxed)

/* Decoupled look-back: each block leaves its own part, and then the sum of all before it: status 1 and 2. */
#define LOOKBACK(name, leave, look)                                                                \
    __global__ void name(unsigned *status, unsigned *part, unsigned *prefix)                       \
    {                                                                                              \
        unsigned me = blockIdx.x, before = 0, s;                                                   \
        part[me] = 1;                                                                              \
        word(status[me]).store(1, leave);                                                          \
        for (unsigned at = me; at-- > 0;) {                                                        \
            while (!(s = word(status[at]).load(look)))                                             \
                ;                                                                                  \
            before += s == 2 ? prefix[at] : part[at];                                              \
            if (s == 2)                                                                            \
                break;                                                                             \
        }                                                                                          \
        prefix[me] = before + 1;                                                                   \
        word(status[me]).store(2, leave);                                                          \
    }
LOOKBACK(lookback, release, acquire)
LOOKBACK(lookback_leave_relaxed, relaxed, acquire)
LOOKBACK(lookback_look_relaxed, release, relaxed)

