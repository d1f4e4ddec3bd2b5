/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_STEP_MULTIMEM_H
#define MODEL_MACHINE_STEP_MULTIMEM_H

#include "model/machine/core/run.h"

/* multimem.ld_reduce, .st and .red: one after the other on the replicas, which is one of the orders that there may be
 * (ptx-model 2). True: the lane has made a step. */
bool multimem_execute(struct run *run, uint32_t lane);

#endif
