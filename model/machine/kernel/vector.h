/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_VECTOR_H
#define MODEL_MACHINE_KERNEL_VECTOR_H

#include "model/machine/step/lane.h"
#include "model/machine/memory/sc.h"

/* Groups of lanes of a warp that stand at the same micro, executed side by side. Private to grid.c,
 * vector*.c. Where anything is out of the ordinary (an address outside, a misaligned one, undefined
 * values) the lanes take lane_step one after the other, which reports it. */

/* The region the last execution of a micro found, as host memory. */
struct cached_region {
    uint64_t base, bytes; /* bytes 0: nothing cached */
    uint8_t *host, *written;
    const struct region *region;
};

/* Of the lanes of a warp: 'ran' are those that moved since all had their turn. */
struct turn {
    uint32_t ran, patience; /* patience: back edges until others have theirs */
};

struct race_detector;
struct disturbance;
struct direction;
struct vector_engine {
    struct run run;
    struct memory_sc *memory;
    struct race_detector *race;      /* or NULL */
    bool weak;                       /* loads may return old values (stale.h) */
    struct disturbance *disturbance; /* how turns are given (turns.h); NULL: as ever */
    struct direction *direction;     /* who waits for whom (direction.h), or NULL */
    struct cached_region *cache;     /* by micro */
    struct turn *turns;              /* by warp; zero: all begin */
    uint64_t instructions;
    uint64_t idle; /* back edges since this cluster last changed memory */
    uint64_t seen_changes;
};

/* What the warp executes together. */
struct group {
    uint32_t warp, first; /* machine lane of position 0 */
    uint32_t width;
    uint32_t lanes, count; /* mask and number of lanes */
    uint32_t pc, frontier; /* lowest pc of the warp's other running lanes */
    uint32_t acted;        /* what all of them did since the state was told, as in struct lane */
    uint64_t *regs, *fixed;
    const struct program *program;
};

static inline uint64_t *group_slot(const struct group *g, slot s)
{
    uint32_t regs = g->program->reg_slots;
    return s < regs ? g->regs + (size_t)s * g->width : g->fixed + (size_t)(s - regs) * g->width;
}

/* Runs lanes of the warp until none of them can move or 'budget' micros are done. */
void vector_run_warp(struct vector_engine *v, uint32_t warp, uint64_t budget);

/* A load, store, atomic of the active lanes; false: not done here, use lane_step. */
bool vector_access(struct vector_engine *v, const struct group *g, const struct micro *micro,
                   uint32_t active);

/* to[i] = from[i] for the positions of the mask. */
static inline void vector_merge(uint64_t *to, const uint64_t *from, uint32_t mask, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        to[i] = mask >> i & 1 ? from[i] : to[i];
}

/* Bit i: is word i odd? */
static inline uint32_t vector_mask(const uint64_t *words, uint32_t width)
{
    uint32_t mask = 0;
    for (uint32_t i = 0; i < width; i++)
        mask |= (uint32_t)(words[i] & 1) << i;
    return mask;
}

#endif
