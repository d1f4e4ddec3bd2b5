/* SPDX-License-Identifier: MIT
 * Stacks, queues and a deque of nodes 1, 2, …, where 0 is none, and a ring between two blocks of a cluster. The orders of
 * each form are its arguments: the first ones make it right, the others do not. */
#include <cooperative_groups.h>
#include <cuda/atomic>

using word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
#define relaxed cuda::std::memory_order_relaxed
#define acquire cuda::std::memory_order_acquire
#define release cuda::std::memory_order_release
#define acq_rel cuda::std::memory_order_acq_rel
#define seq_cst cuda::std::memory_order_seq_cst
#define fence(order) cuda::atomic_thread_fence(order, cuda::thread_scope_device)

/* Treiber's stack: block 0 pushes a node, the other pops. */
#define TREIBER(name, push, pop)                                                                   \
    __global__ void name(unsigned *top, unsigned *next, unsigned *value, unsigned *popped)         \
    {                                                                                              \
        unsigned head = word(*top).load(relaxed);                                                  \
        if (blockIdx.x == 0) {                                                                     \
            value[1] = 7;                                                                          \
            do                                                                                     \
                next[1] = head;                                                                    \
            while (!word(*top).compare_exchange_strong(head, 1, push, relaxed));                   \
        } else {                                                                                   \
            head = word(*top).load(pop);                                                           \
            if (head && word(*top).compare_exchange_strong(head, next[head], relaxed, relaxed))    \
                *popped = value[head];                                                             \
        }                                                                                          \
    }
TREIBER(treiber, release, acquire)
TREIBER(treiber_push_relaxed, relaxed, acquire)
TREIBER(treiber_pop_relaxed, release, relaxed)

/* The same with nodes that come back: block 0 pops while block 1 pops both nodes and pushes the first one again. What is
 * on top says in its upper bits how often it was changed: 'once' is added with every change. 'seen' is what block 0
 * compares with. */
#define ABA(name, once, seen, push)                                                                \
    __global__ void name(unsigned *top, unsigned *next, unsigned *left, unsigned *back)            \
    {                                                                                              \
        unsigned head = word(*top).load(acquire), node = head & 255;                               \
        unsigned after = node ? word(next[node]).load(relaxed) : 0;                                \
        if (blockIdx.x == 0) {                                                                     \
            head = seen;                                                                           \
            if (node && word(*top).compare_exchange_strong(                                        \
                            head, (head & ~255u) + once + after, acquire, relaxed))                \
                *left = after;                                                                     \
            return;                                                                                \
        }                                                                                          \
        unsigned first = (head & ~255u) + once + after, second = (first & ~255u) + once;           \
        if (node != 1 || !word(*top).compare_exchange_strong(head, first, acquire, relaxed))       \
            return;                                                                                \
        if (after != 2 || !word(*top).compare_exchange_strong(first, second, acquire, relaxed))    \
            return;                                                                                \
        word(next[1]).store(0, relaxed);                                                           \
        if (word(*top).compare_exchange_strong(second, second + once + 1, push, relaxed))          \
            *back = 1;                                                                             \
    }
ABA(aba, 256, head, release)
ABA(aba_no_count, 0, head, release)
ABA(aba_count_late, 256, (word(*top).load(relaxed) & ~255u) + node, release)
ABA(aba_push_relaxed, 256, head, relaxed)

/* Michael, Scott: the last block takes a node from the queue, the others bring one each. */
#define MSQUEUE(name, link, look)                                                                  \
    __global__ void name(unsigned *head, unsigned *tail, unsigned *next, unsigned *value,          \
                         unsigned *taken)                                                          \
    {                                                                                              \
        unsigned node = blockIdx.x + 2, after;                                                     \
        if (blockIdx.x < gridDim.x - 1) {                                                          \
            value[node] = 7;                                                                       \
            for (;;) {                                                                             \
                unsigned last = word(*tail).load(acquire);                                         \
                after = 0;                                                                         \
                bool linked = word(next[last]).compare_exchange_strong(after, node, link, look);   \
                word(*tail).compare_exchange_strong(last, linked ? node : after, release,          \
                                                    relaxed);                                      \
                if (linked)                                                                        \
                    return;                                                                        \
            }                                                                                      \
        }                                                                                          \
        unsigned first = word(*head).load(acquire), last = word(*tail).load(acquire);              \
        after = word(next[first]).load(look);                                                      \
        if (first == last && after)                                                                \
            word(*tail).compare_exchange_strong(last, after, release, relaxed);                    \
        if (after && word(*head).compare_exchange_strong(first, after, release, relaxed))          \
            *taken = value[after];                                                                 \
    }
MSQUEUE(msqueue, release, acquire)
MSQUEUE(msqueue_link_relaxed, relaxed, acquire)
MSQUEUE(msqueue_look_relaxed, release, relaxed)

/* Chase, Lev, as Lê, Pop, Cohen and Zappa Nardelli have it: the owner adds an element to one that is there and takes one
 * back, the other block steals twice. */
#define DEQUE(name, push, take, steal)                                                             \
    __global__ void name(unsigned *top, unsigned *bottom, unsigned *value, unsigned *taken)        \
    {                                                                                              \
        if (blockIdx.x == 0) {                                                                     \
            word(value[1]).store(1, relaxed);                                                      \
            push;                                                                                  \
            word(*bottom).store(2, relaxed);                                                       \
            word(*bottom).store(1, relaxed);                                                       \
            take;                                                                                  \
            unsigned t = word(*top).load(relaxed);                                                 \
            if (t < 1)                                                                             \
                taken[0] = word(value[1]).load(relaxed);                                           \
            else if (t == 1 && word(*top).compare_exchange_strong(t, 2, seq_cst, relaxed))         \
                taken[0] = word(value[1]).load(relaxed);                                           \
            return;                                                                                \
        }                                                                                          \
        for (unsigned i = 1; i < 3; i++) {                                                         \
            unsigned t = word(*top).load(acquire);                                                 \
            steal;                                                                                 \
            unsigned b = word(*bottom).load(acquire);                                              \
            if (t >= b)                                                                            \
                return;                                                                            \
            unsigned v = word(value[t]).load(relaxed);                                             \
            if (!word(*top).compare_exchange_strong(t, t + 1, seq_cst, relaxed))                   \
                return;                                                                            \
            taken[t + 1] = v;                                                                      \
        }                                                                                          \
    }
DEQUE(deque, fence(release), fence(seq_cst), fence(seq_cst))
DEQUE(deque_push_relaxed, , fence(seq_cst), fence(seq_cst))
DEQUE(deque_take_acq_rel, fence(release), fence(acq_rel), fence(seq_cst))
DEQUE(deque_steal_acq_rel, fence(release), fence(seq_cst), fence(acq_rel))

/* A ring of two places in the shared memory of block 1, which takes the three numbers that block 0 puts there. */
#define RING(name, room, put, wait, take)                                                          \
    __global__ void __cluster_dims__(2, 1, 1) name(unsigned *got)                                  \
    {                                                                                              \
        __shared__ unsigned own[4];                                                                \
        unsigned sum = 0;                                                                          \
        auto cluster = cooperative_groups::this_cluster();                                         \
        unsigned *place = cluster.map_shared_rank(own, 1), *in = place + 2, *out = place + 3;      \
        own[2] = own[3] = 0;                                                                       \
        cluster.sync();                                                                            \
        for (unsigned i = 0; i < 3; i++)                                                           \
            if (blockIdx.x == 0) {                                                                 \
                while (word(*out).load(room) + 2 <= i)                                             \
                    ;                                                                              \
                place[i & 1] = i + 1;                                                              \
                word(*in).store(i + 1, put);                                                       \
            } else {                                                                               \
                while (word(*in).load(wait) <= i)                                                  \
                    ;                                                                              \
                sum += place[i & 1];                                                               \
                word(*out).store(i + 1, take);                                                     \
            }                                                                                      \
        if (blockIdx.x == 1)                                                                       \
            *got = sum;                                                                            \
        cluster.sync();                                                                            \
    }
RING(ring, acquire, release, acquire, release)
RING(ring_put_relaxed, acquire, relaxed, acquire, release)
RING(ring_wait_relaxed, acquire, release, relaxed, release)
RING(ring_take_relaxed, acquire, release, acquire, relaxed)
