/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_STATE_H
#define MODEL_UNFOLD_THREAD_STATE_H

#include "model/unfold/builder/step.h"

/* Registers on the ways through a program ('regs' of them). */
struct state state_copy(struct builder *b, uint32_t regs, const struct state *from);
/* One state for all those in the list (at least one; their guards exclude each other): a register
 * is a choice between its values, by the conditions that led there. Uses up the list. */
struct state state_merge(struct builder *b, uint32_t regs, struct state *states, uint32_t count);

#endif
