/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_GROUPS_H
#define MODEL_UNFOLD_STEP_GROUPS_H

#include "model/unfold/builder/step.h"

/* What each group of instructions of isa.def does; flow.c maps the groups to these. */

void step_alu(struct unfold_step *s);
void step_carry(struct unfold_step *s);
void step_space(struct unfold_step *s);
void step_access(struct unfold_step *s);
void step_fence(struct unfold_step *s);
void step_cta_barrier(struct unfold_step *s);
void step_warp_barrier(struct unfold_step *s);
void step_collective(struct unfold_step *s); /* that of a warp, too */
void step_cluster_barrier(struct unfold_step *s);
void step_mbarrier(struct unfold_step *s);
void step_async(struct unfold_step *s);
void step_multimem(struct unfold_step *s);
void step_call(struct unfold_step *s);
void step_grid(struct unfold_step *s); /* grid.sync and griddepcontrol */

#endif
