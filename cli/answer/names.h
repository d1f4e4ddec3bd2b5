/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_NAMES_H
#define CLI_ANSWER_NAMES_H

#include "model/execution/execution.h"

/* What the events of an execution, the memory that they touch and the values that they move are called. All in
 * 'arena'. */

/* "a", "b" … "z", "a1" …; initial writes are called after what they initialize: "init [x]", "init [bin[1]]". */
const char *name_event(struct arena *arena, const struct execution *execution, event_id event);
/* The initial write as 'other' has to do with it, which may touch several of one location: "init [dst+8..15]". */
const char *name_initial(struct arena *arena, const struct execution *execution, event_id event,
                         event_id other);
/* A range of the granules that an access touches, 'count' of them from its 'first' on: "x", "bin[1]", "v.y",
 * "dst+8..11" (bytes). */
const char *name_granules(struct arena *arena, const struct execution *execution, event_id event,
                          uint32_t first, uint32_t count);
/* The memory that an access touches, when its text does not say so: the register that points there, or the part of a
 * vector or copy that it is; else NULL. */
const char *name_place(struct arena *arena, const struct execution *execution, event_id event);
/* "42", "&x+4", "phase 1, pending 1, expected 1, tx 0" */
const char *name_value(struct arena *arena, const struct execution *execution, event_id event);
/* "&x+4"; "&x+8, behind its 8 bytes"; a number, where no location is near. */
const char *name_address(struct arena *arena, const struct graph *graph, uint64_t address);

#endif
