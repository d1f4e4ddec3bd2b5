/* SPDX-License-Identifier: MIT */
#ifndef MODEL_JUDGE_JUDGE_H
#define MODEL_JUDGE_JUDGE_H

#include "model/cat/cat.h"
#include "model/execution/execution.h"

/* The second, plain evaluation of a model: from an execution alone, with byte matrices and the
 * definitions as they are written. It shares nothing with the theory but the model's text. Every
 * execution that the solver finds is judged here before it is reported. */
struct judgement {
    bool consistent;
    uint32_t axiom; /* the first broken axiom when not consistent */
    event_id a, b;  /* a pair that breaks it */
    bool *flags;    /* an axiom that is a flag: does its condition hold here? */
};
struct judgement judge(struct arena *arena, const struct cat_model *model,
                       const struct execution *execution);

#endif
