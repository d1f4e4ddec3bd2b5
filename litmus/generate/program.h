/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_PROGRAM_H
#define LITMUS_GENERATE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "litmus/isa/isa.h"

/* A generated program as a value: threads of straight-line code, placed. Everything that symmetry
 * renames is a number: threads, CTAs, clusters, devices, locations. The values that are written
 * follow from the order of the writes (generated_value). */

enum { GENERATED_THREADS = 4, GENERATED_STEPS = 12, GENERATED_LOCATIONS = 6 };

enum step_kind {
    STEP_STORE,
    STEP_LOAD,
    STEP_ATOM, /* returns what it read */
    STEP_RED,
    STEP_FENCE,
    STEP_PROXY_FENCE,
    STEP_BARRIER /* barrier 0 of the CTA */
};

/* How a step rests on the last read before it in its thread. */
enum step_dependency {
    STEP_FREE,
    STEP_DATA,    /* the value written, in form: what was read, times 0, is a part of it */
    STEP_ADDRESS, /* the address, in the same way */
    STEP_IF,      /* it executes if something else than 0 was read */
    STEP_IF_ZERO  /* if 0 was */
};

/* All bytes, so that two steps compare as their bytes do. What does not apply is 0. */
struct generated_step {
    uint8_t kind;  /* enum step_kind */
    uint8_t sem;   /* enum sem; of a strong access, SEM_WEAK of a weak one */
    uint8_t scope; /* enum scope; 0 of a weak access */
    uint8_t form;  /* FORM_… */
    uint8_t atom;  /* enum atom_op: exch, add or cas, which expects 0 */
    uint8_t proxy; /* enum proxy: of the access, or that the proxy fence names */
    uint8_t dependency;
    uint8_t constant; /* what it writes, when that is not as generated_value counts */
    uint8_t location;
};
enum { FORM_PLAIN, FORM_VOLATILE, FORM_MMIO };

struct generated_place {
    uint8_t gpu, cluster, cta; /* counted over the whole test; cluster: used if program.clusters */
};

struct generated_program {
    uint32_t threads, locations;
    bool clusters; /* CTAs are placed in clusters */
    uint32_t count[GENERATED_THREADS];
    struct generated_place place[GENERATED_THREADS];
    struct generated_step steps[GENERATED_THREADS][GENERATED_STEPS];
};

static inline bool step_is_access(const struct generated_step *step)
{
    return step->kind == STEP_LOAD || step->kind == STEP_STORE || step->kind == STEP_ATOM ||
           step->kind == STEP_RED;
}
static inline bool step_reads(const struct generated_step *step)
{
    return step_is_access(step) && step->kind != STEP_STORE;
}
static inline bool step_writes(const struct generated_step *step)
{
    return step_is_access(step) && step->kind != STEP_LOAD;
}
/* Has it a register, which an outcome shows? */
static inline bool step_returns(const struct generated_step *step)
{
    return step->kind == STEP_LOAD || step->kind == STEP_ATOM;
}

/* Instructions of all threads. */
uint32_t generated_size(const struct generated_program *program);
/* Writes to the location. */
uint32_t generated_writes(const struct generated_program *program, uint32_t location);
/* Does an add to the location, or a red, occur? */
bool generated_is_added_to(const struct generated_program *program, uint32_t location);
/* The constant that a step stores, exchanges or adds: 1, 2, 3 in the order of the writes to the
 * location, thread by thread; 1, 2, 4 where something is added to it, so that sums tell what is in
 * them. */
uint32_t generated_value(const struct generated_program *program, uint32_t thread, uint32_t step);

#endif
