/* SPDX-License-Identifier: MIT
 * Locks: each block adds one to a sum under the lock, as often as it has rounds. The orders of each form are its
 * arguments: the first ones make it right, the others do not. */
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
#define relaxed cuda::std::memory_order_relaxed
#define acquire cuda::std::memory_order_acquire
#define release cuda::std::memory_order_release
#define acq_rel cuda::std::memory_order_acq_rel
#define ROUNDS _Pragma("unroll 1") for (unsigned round = 0; round < rounds; round++)

/* Test and set. */
#define TAS(name, take, give)                                                                      \
    __global__ void name(unsigned *lock, unsigned *sum, unsigned rounds)                           \
    {                                                                                              \
        ROUNDS                                                                                     \
        {                                                                                          \
            while (word(*lock).exchange(1, take))                                                  \
                ;                                                                                  \
            ++*sum;                                                                                \
            word(*lock).store(0, give);                                                            \
        }                                                                                          \
    }
TAS(tas, acquire, release)
TAS(tas_take_relaxed, relaxed, release)
TAS(tas_give_relaxed, acquire, relaxed)

/* Test, then test and set. */
#define TTAS(name, take, give)                                                                     \
    __global__ void name(unsigned *lock, unsigned *sum, unsigned rounds)                           \
    {                                                                                              \
        ROUNDS                                                                                     \
        {                                                                                          \
            do                                                                                     \
                while (word(*lock).load(relaxed))                                                  \
                    ;                                                                              \
            while (word(*lock).exchange(1, take));                                                 \
            ++*sum;                                                                                \
            word(*lock).store(0, give);                                                            \
        }                                                                                          \
    }
TTAS(ttas, acquire, release)
TTAS(ttas_take_relaxed, relaxed, release)
TTAS(ttas_give_relaxed, acquire, relaxed)

/* Not one atomic operation, but two. */
__global__ void test_then_set(unsigned *lock, unsigned *sum)
{
    while (word(*lock).load(acquire))
        ;
    word(*lock).store(1, relaxed);
    ++*sum;
    word(*lock).store(0, release);
}

/* A ticket is drawn; the number served goes up. */
#define TICKET(name, wait, give)                                                                   \
    __global__ void name(unsigned *in, unsigned *out, unsigned *sum, unsigned rounds)              \
    {                                                                                              \
        ROUNDS                                                                                     \
        {                                                                                          \
            unsigned mine = word(*in).fetch_add(1, relaxed);                                       \
            while (word(*out).load(wait) != mine)                                                  \
                ;                                                                                  \
            ++*sum;                                                                                \
            word(*out).store(mine + 1, give);                                                      \
        }                                                                                          \
    }
TICKET(ticket, acquire, release)
TICKET(ticket_wait_relaxed, relaxed, release)
TICKET(ticket_give_relaxed, acquire, relaxed)

/* Craig, Landin, Hagersten: everyone waits at the node of the one before, and takes it
 * for the next round; node 0 is free. */
#define CLH(name, enter, wait, give)                                                               \
    __global__ void name(unsigned *tail, unsigned *busy, unsigned *sum, unsigned rounds)           \
    {                                                                                              \
        unsigned me = blockIdx.x + 1;                                                              \
        ROUNDS                                                                                     \
        {                                                                                          \
            word(busy[me]).store(1, relaxed);                                                      \
            unsigned before = word(*tail).exchange(me, enter);                                     \
            while (word(busy[before]).load(wait))                                                  \
                ;                                                                                  \
            ++*sum;                                                                                \
            word(busy[me]).store(0, give);                                                         \
            me = before;                                                                           \
        }                                                                                          \
    }
CLH(clh, acq_rel, acquire, release)
CLH(clh_enter_relaxed, relaxed, acquire, release)
CLH(clh_wait_relaxed, acq_rel, relaxed, release)
CLH(clh_give_relaxed, acq_rel, acquire, relaxed)

/* Mellor-Crummey, Scott: everyone waits at a node of its own, and is told by the one before. */
#define MCS(name, enter, wait, give, leave)                                                        \
    __global__ void name(unsigned *tail, unsigned *next, unsigned *busy, unsigned *sum,            \
                         unsigned rounds)                                                          \
    {                                                                                              \
        unsigned me = blockIdx.x + 1;                                                              \
        ROUNDS                                                                                     \
        {                                                                                          \
            word(next[me]).store(0, relaxed);                                                      \
            unsigned before = word(*tail).exchange(me, enter);                                     \
            if (before) {                                                                          \
                word(busy[me]).store(1, relaxed);                                                  \
                word(next[before]).store(me, release);                                             \
                while (word(busy[me]).load(wait))                                                  \
                    ;                                                                              \
            }                                                                                      \
            ++*sum;                                                                                \
            unsigned after = word(next[me]).load(acquire), last = me;                              \
            if (!after) {                                                                          \
                if (word(*tail).compare_exchange_strong(last, 0, leave, relaxed))                  \
                    continue;                                                                      \
                while (!(after = word(next[me]).load(acquire)))                                    \
                    ;                                                                              \
            }                                                                                      \
            word(busy[after]).store(0, give);                                                      \
        }                                                                                          \
    }
MCS(mcs, acq_rel, acquire, release, release)
MCS(mcs_wait_relaxed, acq_rel, relaxed, release, release)
MCS(mcs_give_relaxed, acq_rel, acquire, relaxed, release)
MCS(mcs_leave_relaxed, acq_rel, acquire, release, relaxed)
