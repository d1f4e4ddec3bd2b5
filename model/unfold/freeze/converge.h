/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_CONVERGE_H
#define MODEL_UNFOLD_FREEZE_CONVERGE_H

#include "model/unfold/step/barrier.h"
#include "model/unfold/step/collective.h"

/* Do the threads of the group (graph.h) meet at the same instructions in every execution in which every thread ends, whatever
 * they read, also where they compute whom they meet? If so, operations are numbered by the instruction and the time
 * round, which is the same for all that meet; else nothing changes. After the settling of activemask. */
bool barrier_converge(struct builder *b, const uint32_t *groups, uint32_t group);

/* What the lane receives, of all but elect, when the operations that meet are known. 'found': of shfl, that the lane
 * read from takes part; NULL: not asked for. */
expr_id exchange_value(struct builder *b, const struct exchange *e);
/* What bar.red hands out. */
expr_id barrier_reduced(struct builder *b, const struct reduction *r);

#endif
