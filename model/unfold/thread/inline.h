/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_INLINE_H
#define MODEL_UNFOLD_THREAD_INLINE_H

#include "model/unfold/builder/builder.h"

/* The body with the functions that it calls in place of the calls: their registers come behind its own, and so does a
 * register for each byte of a .param variable, of which those that a call passes are the function's. Variables in operands
 * have the first of these registers as 'reg'. Instructions of extended precision have the condition code, a register behind
 * all others, as one more operand. The body itself where there is neither. Recursion is reported. */
const struct body *inline_body(struct builder *b, const struct body *body);

#endif
