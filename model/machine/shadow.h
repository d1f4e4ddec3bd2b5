/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SHADOW_H
#define MODEL_MACHINE_SHADOW_H

#include <stdbool.h>
#include <stdint.h>

/* The last accesses of a piece of memory, for the race detector. */

/* Who, when and how. Readers of one warp at one time share a stamp. */
struct stamp {
    uint32_t warp;  /* of the whole grid, plus 1; 0: none */
    uint32_t lanes; /* a bit each */
    uint32_t time;
    uint32_t how; /* stamp_how */
};

/* Program counter (instruction), size and strength of an access. */
static inline uint32_t stamp_how(uint32_t pc, uint32_t bytes, uint32_t scope)
{
    return pc << 8 | (bytes & 31) << 3 | (scope & 7);
}
static inline uint32_t stamp_pc(const struct stamp *s)
{
    return s->how >> 8;
}
static inline uint32_t stamp_bytes(const struct stamp *s)
{
    return s->how >> 3 & 31;
}
static inline uint32_t stamp_scope(const struct stamp *s) /* SCOPE_NONE: weak */
{
    return s->how & 7;
}

/* Further readers than the one in the cell, ordered with nothing since; full: the newest are
 * dropped, which may overlook a race but never invents one. */
enum { READERS = 16 };
struct readers {
    uint32_t count;
    struct stamp at[READERS];
};

struct cell {
    struct stamp write, read;
    struct readers *more; /* or NULL */
};

#endif
