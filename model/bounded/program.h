/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_PROGRAM_H
#define MODEL_BOUNDED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/isa/isa.h"

/* A program of atomic operations and fences in C++, as a value: straight-line threads in blocks of one
 * device. Every write writes a value of its own. */

enum { BOUNDED_THREADS = 4, BOUNDED_OPERATIONS = 12, BOUNDED_LOCATIONS = 6 };

enum bounded_kind {
    BOUNDED_LOAD,
    BOUNDED_STORE,
    BOUNDED_EXCHANGE,
    BOUNDED_FAILING, /* a compare and exchange that expects what nobody writes */
    BOUNDED_FENCE,
    BOUNDED_KINDS
};
struct bounded_operation {
    uint8_t kind, thread, location; /* of a fence: no location */
    uint8_t order;                  /* enum sem */
    uint8_t scope;                  /* SCOPE_CTA or SCOPE_GPU */
};
/* The operations thread by thread, in program order. */
struct bounded_program {
    uint32_t threads, count, locations;
    struct bounded_operation at[BOUNDED_OPERATIONS];
    uint8_t block[BOUNDED_THREADS];
};

static inline bool bounded_reads(const struct bounded_operation *one)
{
    return one->kind == BOUNDED_LOAD || one->kind == BOUNDED_EXCHANGE ||
           one->kind == BOUNDED_FAILING;
}
static inline bool bounded_writes(const struct bounded_operation *one)
{
    return one->kind == BOUNDED_STORE || one->kind == BOUNDED_EXCHANGE;
}
static inline bool bounded_accesses(const struct bounded_operation *one)
{
    return one->kind != BOUNDED_FENCE;
}
/* Events: a read-modify-write is two. */
static inline uint32_t bounded_size(const struct bounded_operation *one)
{
    return one->kind == BOUNDED_EXCHANGE ? 2 : 1;
}
/* Are the operations of different threads on one location, and one of them a write? */
static inline bool bounded_conflict(const struct bounded_operation *a,
                                    const struct bounded_operation *b)
{
    return bounded_accesses(a) && bounded_accesses(b) && a->thread != b->thread &&
           a->location == b->location && (bounded_writes(a) || bounded_writes(b));
}

#endif
