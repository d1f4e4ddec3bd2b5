/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_TEAR_H
#define MODEL_UNFOLD_FREEZE_TEAR_H

#include "model/unfold/freeze/addresses.h"
#include "model/unfold/freeze/cuts.h"

/* Where accesses mix byte by byte. */

/* Adds the cuts that this needs; graph->open tells whether the reading 'tearing' could matter. Uses up
 * graph->granules. */
void tear_memory(struct builder *b, struct graph *graph, const struct addresses *addresses,
                 struct cuts *cuts);

#endif
