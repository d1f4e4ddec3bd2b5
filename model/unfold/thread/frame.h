/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_FRAME_H
#define MODEL_UNFOLD_THREAD_FRAME_H

#include "model/unfold/builder/step.h"

/* The body, with a register for each byte of the .local memory that it names and that does not escape (step/private.h), the
 * last ones; 'first' is, by location, the one of its first byte, or NONE, and NULL where there is none. */
const struct body *frame_registers(struct builder *b, const struct body *body, uint32_t **first);
/* Their values at the start of a thread. */
void frame_begin(struct builder *b, const uint32_t *first, expr_id *regs);

#endif
