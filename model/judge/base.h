/* SPDX-License-Identifier: MIT */
#ifndef MODEL_JUDGE_BASE_H
#define MODEL_JUDGE_BASE_H

#include "model/execution/execution.h"

/* The judge's own reading of model/graph/base.def, each name straight from its sentence there. 'base' is the
 * row's number; 'to' is all zero, a byte an event for a set, a byte a pair for a relation. */
void judge_base_fill(const struct execution *execution, uint32_t base, unsigned char *to);

#endif
