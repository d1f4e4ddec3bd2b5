/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_SPIN_H
#define MODEL_MACHINE_SEARCH_SPIN_H

#include "model/machine/core/run.h"

/* Finds lanes that wait in a loop. A lane that takes a back edge again with the same registers,
 * while no memory has changed, will do so until some memory changes. */
struct spin_loop {
    uint64_t hash, changes;
    uint32_t pc;
    bool stuck;
};

/* The lane, whose loops these are, has just taken a back edge. */
void spin_note_loop(struct spin_loop *loops, const struct run *run, uint32_t lane);
/* Did the atomic at which the lane stands again, with the registers that it had before, write what it had
 * read? Then the iteration had no effect, and can be left out of the run. */
bool spin_rewrites(const struct run *run, uint32_t lane);
/* Is it stuck in its loop until memory changes? */
bool spin_is_stuck(const struct spin_loop *loops, const struct run *run, uint32_t lane);

#endif
