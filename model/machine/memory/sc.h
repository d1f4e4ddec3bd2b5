/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_MEMORY_SC_H
#define MODEL_MACHINE_MEMORY_SC_H

#include <glib.h>

#include "model/machine/core/run.h"

/* The sequentially consistent memory: one value a byte. */
struct memory *memory_sc_new(struct arena *arena, const struct machine *machine);
/* Of another machine of the same launch, which has shared memory of its own and all else in common with 'first'. It
 * is for running only: it cannot be reset, copied or asked for its final contents. */
struct memory_sc;
struct memory *memory_sc_new_beside(struct arena *arena, const struct machine *machine,
                                    const struct memory_sc *first);
/* From now on the race detector (race.h) sees every access. */
struct race_detector;
void memory_sc_watch(struct memory *memory, struct race_detector *race);

/* Its inside, for the grid, which reads and writes 32 lanes at a time. */
struct memory_sc {
    struct memory memory;
    const struct machine *machine;
    uint8_t *bytes; /* machine.memory_bytes; where 'globals' lie elsewhere, machine.shared_bytes */
    uint8_t *globals; /* where regions of no CTA lie: 'bytes', or an array that machines share */
    struct race_detector *race; /* or NULL */
    GMutex own_lock, *lock;     /* for 128-bit atomics; machines that share 'globals' share it */
    uint8_t *written;           /* a byte each, of shared memory: does it have contents? */
};

static inline uint8_t *memory_sc_at(const struct memory_sc *m, const struct region *region,
                                    uint32_t offset)
{
    return (region->cta == NONE ? m->globals : m->bytes) + offset;
}

/* One atomic on 2, 4 or 8 aligned bytes, indivisible also between threads of this process; gives
 * the old value. */
uint64_t memory_sc_atomic(struct run *run, const struct inst *inst, uint8_t *at, uint32_t bytes,
                          uint64_t b, uint64_t c);
/* A new CTA: its shared memory has no contents. */
void memory_sc_forget_shared(struct memory_sc *m);

#endif
