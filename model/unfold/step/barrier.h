/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_BARRIER_H
#define MODEL_UNFOLD_STEP_BARRIER_H

#include "model/unfold/builder.h"

/* What the files about barriers share: barrier.c gives instructions their operations, completions.c
 * numbers them when all threads are unfolded, rehearsal.c finds those that need no counting. */

enum {
    BARRIER_WARP = 32,
    BARRIER_CLASSES = TAG_CTA_BARRIER | TAG_WARP_BARRIER | TAG_CLUSTER_BARRIER,
};

/* The thread's lane in its warp. */
uint32_t barrier_lane(const struct builder *b, uint32_t thread);
/* Do the operations of the group complete in every execution in which every thread ends? 'groups':
 * the group (graph.h) of each thread. Needs operations without 'passed' in b->whole. */
bool barrier_rehearse(struct builder *b, const uint32_t *groups, uint32_t group);

#endif
