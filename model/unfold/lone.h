/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_LONE_H
#define MODEL_UNFOLD_LONE_H

#include "model/unfold/builder/builder.h"

/* Fills b->lone: the writes of threads with loops that were unrolled as often as they may be, where no other thread
 * writes. A round that only writes there what the one before it wrote repeats itself (thread/again.h). False: there is none. */
bool lone_find(struct builder *b, struct graph **graphs, uint32_t count);

#endif
