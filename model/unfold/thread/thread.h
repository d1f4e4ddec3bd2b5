/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_THREAD_H
#define MODEL_UNFOLD_THREAD_THREAD_H

#include "model/unfold/builder/builder.h"

/* Room for what threads leave behind, for those of b->threads that have none yet; they start unless
 * b->starts is changed. False after a report: memory that is too large. */
bool thread_make_room(struct builder *b);
/* Threads [first, first + count), one after the other; b->starts says when each of them is there. */
void thread_unfold_all(struct builder *b, uint32_t first, uint32_t count);

#endif
