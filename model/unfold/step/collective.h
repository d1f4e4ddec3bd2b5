/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_COLLECTIVE_H
#define MODEL_UNFOLD_STEP_COLLECTIVE_H

#include "model/unfold/builder/step.h"

/* Warp collectives: values that the lanes named by a mask hand to each other. They wait as bar.warp.sync does, and
 * order no memory (lane-semantics 3). collective.c gives instructions their operations; what each lane receives is
 * known when all threads are unfolded (freeze/exchange.c). */
struct exchange {
    uint32_t op; /* in builder.barriers; NONE: activemask, which does not wait */
    uint32_t thread, lane;
    const struct inst *inst;
    struct span span;
    expr_id guard;
    expr_id value;  /* what the lane brings */
    expr_id from;   /* shfl: 32-bit, the lane that it reads */
    expr_id result; /* what it receives: a delayed choice; activemask: of 32 bits, each a choice */
    uint32_t delayed; /* its index */
};

static inline bool exchange_is_shfl(const struct inst *inst)
{
    return inst->op == OP_SHFL_UP || inst->op == OP_SHFL_DOWN || inst->op == OP_SHFL_BFLY ||
           inst->op == OP_SHFL_IDX;
}

#endif
