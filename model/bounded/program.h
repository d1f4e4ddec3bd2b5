/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_PROGRAM_H
#define MODEL_BOUNDED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/isa/isa.h"

/* A program of accesses, fences and barriers in C++, as a value: threads in blocks, clusters and devices.
 * Every write writes a value of its own. */

enum { BOUNDED_THREADS = 4, BOUNDED_OPERATIONS = 12, BOUNDED_LOCATIONS = 6 };

enum bounded_kind {
    BOUNDED_LOAD,
    BOUNDED_STORE,
    BOUNDED_EXCHANGE,
    BOUNDED_FAILING, /* a compare and exchange that expects what nobody writes */
    BOUNDED_FENCE,
    BOUNDED_BARRIER, /* of the block */
    BOUNDED_KINDS
};
struct bounded_operation {
    uint8_t kind, thread, location; /* of an access only */
    uint8_t order;                  /* enum sem; SEM_WEAK: a plain access */
    uint8_t scope;                  /* enum scope; SCOPE_NONE: a plain access */
};
/* The operations thread by thread, in program order. */
struct bounded_program {
    uint32_t threads, count, locations;
    struct bounded_operation at[BOUNDED_OPERATIONS];
    /* Of each thread; blocks of one cluster, and clusters of one device, have numbers of their own. */
    uint8_t block[BOUNDED_THREADS], cluster[BOUNDED_THREADS], device[BOUNDED_THREADS];
    uint32_t
        guarded; /* operations that read: the thread ends there unless it reads what is expected */
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
    return one->kind < BOUNDED_FENCE;
}
static inline bool bounded_is_plain(const struct bounded_operation *one)
{
    return bounded_accesses(one) && one->scope == SCOPE_NONE;
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

/* Is a thread in the scope of another one? */
static inline bool bounded_reaches(const struct bounded_program *program, uint32_t scope,
                                   uint32_t from, uint32_t to)
{
    return from == to || scope == SCOPE_SYS ||
           (scope == SCOPE_CTA && program->block[from] == program->block[to]) ||
           (scope == SCOPE_CLUSTER && program->cluster[from] == program->cluster[to]) ||
           (scope == SCOPE_GPU && program->device[from] == program->device[to]);
}
/* Is each in the other's scope? */
static inline bool bounded_include(const struct bounded_program *program,
                                   const struct bounded_operation *a,
                                   const struct bounded_operation *b)
{
    return bounded_reaches(program, a->scope, a->thread, b->thread) &&
           bounded_reaches(program, b->scope, b->thread, a->thread);
}

#endif
