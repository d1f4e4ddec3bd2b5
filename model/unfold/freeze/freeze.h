/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_FREEZE_H
#define MODEL_UNFOLD_FREEZE_FREEZE_H

#include "model/unfold/freeze/addresses.h"
#include "model/unfold/freeze/cuts.h"

/* The graph, when every thread is unfolded; NULL after a report. */
struct graph *freeze(struct builder *b);

/* Which lanes each activemask may have; before freeze_barriers. */
void freeze_activemasks(struct builder *b);
/* Barriers are matched and counted: completions.c, then quorum.c, then restrict.c. */
void freeze_barriers(struct builder *b);
/* Width 1: the thread has no use of the barrier with the number that operation 'index' is of its own thread. */
expr_id barrier_absent(struct builder *b, uint32_t index, uint32_t thread);
/* Which reads come before a barrier that waits for their thread to exit. */
void freeze_departs(struct builder *b);
/* What warp collectives hand out; after freeze_barriers. */
void freeze_exchanges(struct builder *b);
void freeze_quorums(struct builder *b);
void freeze_restricted(struct builder *b);
/* tear.c: adds the cuts that are needed where accesses mix byte by byte; graph->open tells whether the
 * reading 'tearing' could matter. Uses up graph->granules. */
void freeze_tear(struct builder *b, struct graph *graph, const struct addresses *addresses,
                 struct cuts *cuts);
/* outlived.c: adds to b->undefined what may touch shared memory of a CTA that has exited. */
void freeze_outlived(struct builder *b, const struct graph *graph,
                     const struct addresses *addresses);
/* The mapping that owns the bytes: the unaliased location's. */
const struct mapping *freeze_root_mapping(const struct graph *g, uint64_t physical);

#endif
