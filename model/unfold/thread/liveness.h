/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_LIVENESS_H
#define MODEL_UNFOLD_THREAD_LIVENESS_H

#include "litmus/test/test.h"

/* Is register 'reg' read later by an instruction that matters (relevance.h), starting before instruction 'pc'? 'needed' says
 * which count at the end. */
struct liveness;
struct liveness *liveness_new(struct arena *arena, const struct body *body, const bool *needed);
/* Adds the registers that the instruction reads, a bit each. */
void liveness_reads(const struct inst *inst, uint64_t *bits);
/* Is a register of the operand among them? */
bool liveness_touches(const struct operand *o, const uint64_t *bits);
/* The i-th place that an instruction can jump to, or NONE behind the last. */
uint32_t liveness_jump(const struct body *body, const struct inst *inst, uint32_t i);
bool liveness_at(const struct liveness *liveness, uint32_t pc, uint32_t reg);

#endif
