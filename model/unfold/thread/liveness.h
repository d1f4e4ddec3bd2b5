/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_LIVENESS_H
#define MODEL_UNFOLD_THREAD_LIVENESS_H

#include "litmus/test/test.h"

/* Is register 'reg' read later, starting before instruction 'pc'? 'needed' says which count at the
 * end. */
struct liveness;
struct liveness *liveness_new(struct arena *arena, const struct body *body, const bool *needed);
/* Where an instruction can go besides the next one, or NONE. */
uint32_t liveness_target(const struct body *body, const struct inst *inst);
bool liveness_at(const struct liveness *liveness, uint32_t pc, uint32_t reg);

#endif
