/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_TOUCH_H
#define MODEL_MACHINE_STEP_TOUCH_H

#include "model/machine/core/run.h"

/* Which memory the program of each lane can touch, whatever it reads. An access to what no lane touches
 * that may run before it need not be tried in every order, nor on the memory 'sc' one that only adds where all others only
 * add, too, and nobody asks what was there before. */

/* In the first state of the run, which is run->state, with run->live. 'gather': it does not matter either which threads wait
 * at a barrier already. In 'arena'. */
struct touch_sets *touches_find(struct arena *arena, const struct run *run, bool gather);
/* Of a run with touches. The lane stands at an access: does it not matter when the lane makes it? */
bool touch_is_private(struct run *run, uint32_t lane);
/* It goes where it was not expected: an address that was computed from that of another object. What was left out then was
 * left out wrongly. */
bool touch_strays(struct run *run, uint32_t lane);
/* Nothing tells in which order threads arrive at barriers, or exit: each barrier waits for every thread of its CTA. */
bool touch_gathers(const struct run *run);

#endif
