/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_LOCKSTEP_H
#define MODEL_MACHINE_SEARCH_LOCKSTEP_H

#include "model/machine/search/spin.h"

/* Warps before sm_70: one pc and a stack of sides to run, which meet again at the immediate
 * post-dominator (lane-semantics section 2.2). */
struct lockstep;
struct lockstep *lockstep_new(struct arena *arena, const struct machine *machine);
void lockstep_start(struct lockstep *lockstep, struct run *run);
/* One instruction of one warp, chosen by run->chooser; false when no warp can move. */
bool lockstep_step(struct lockstep *lockstep, struct spin_loop *spins, struct run *run);

#endif
