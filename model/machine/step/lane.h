/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_LANE_H
#define MODEL_MACHINE_STEP_LANE_H

#include "model/machine/core/run.h"

/* One step of one lane: local micros run eagerly up to the next scheduling point, whose operation
 * is then handed to the memory or to the synchronization rules. Both searches (random, exhaustive)
 * are made of these two calls. */

enum lane_point {
    POINT_READY,   /* the lane stands at a scheduling point: call lane_step */
    POINT_BLOCKED, /* waits or has exited */
    POINT_STOPPED, /* run->stop is set: trap, error, bound */
};

/* Is the micro a choice in this run, and so a scheduling point, although it is local? */
static inline bool lane_chooses(const struct run *run, const struct micro *micro)
{
    return run->any_clock && micro->kind == MICRO_CLOCK;
}

/* Runs local micros of a RUN lane (and passes guarded-off ones) until its micro is a scheduling
 * point. A taken back edge counts as one: it returns with the branch done, so that a spinning lane
 * does not run for ever. Never touches memory nor other lanes. */
enum lane_point lane_run_local(struct run *run, uint32_t lane);

/* Executes the scheduling point the lane stands at, with all its effects: memory through
 * run->memory, collectives and barriers as in sync/ (which may release other lanes). False when
 * the memory refused for now (nothing changed). */
bool lane_step(struct run *run, uint32_t lane);

/* Lockstep: one micro, local or not, for lanes that stand at it with their guards true. */
void lane_step_together(struct run *run, uint32_t warp, uint32_t lanes);

/* For memories that finish an access later: the two halves of lane_step for MICRO_LOAD, STORE,
 * ATOM, RED. lane_access resolves and checks the address (false: reported, the run stops);
 * lane_finish writes the destinations with the values read and moves past the micro. */
bool lane_access(struct run *run, uint32_t lane, struct memory_access *access);
/* The same at another address than the instruction's. */
bool lane_access_at(struct run *run, uint32_t lane, uint64_t address, struct memory_access *access);
void lane_finish(struct run *run, uint32_t lane, const struct memory_access *access);

#endif
