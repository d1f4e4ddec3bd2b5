/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_COPY_H
#define MODEL_MACHINE_SYNC_COPY_H

#include "model/machine/core/run.h"

/* Asynchronous copies (lane-semantics section 12). Those on their way are steps of their own. */

/* Of MICRO_COPY… the step of a lane; false: not possible now. */
bool copy_execute(struct run *run, uint32_t lane); /* MICRO_COPY, MICRO_COPY_COMMIT */
/* cp.async.wait_group and its like: what they wait for is performed now, at the latest moment. */
bool copy_wait(struct run *run, uint32_t lane);
bool copy_arrive(struct run *run, uint32_t lane); /* MICRO_COPY_ARRIVE */
/* The first one on its way in the lane's queue from entry 'from' on, or NONE. */
uint32_t copy_next(const struct run *run, uint32_t lane, uint32_t from);
#define EACH_COPY(i, run, lane)                                                                    \
    for (uint32_t i = copy_next(run, lane, 0); i != NONE; i = copy_next(run, lane, i + 1))
bool copy_perform(struct run *run, uint32_t lane, uint32_t which);

#endif
