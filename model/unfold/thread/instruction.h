/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_INSTRUCTION_H
#define MODEL_UNFOLD_THREAD_INSTRUCTION_H

#include "model/unfold/builder/step.h"
#include "model/unfold/thread/liveness.h"

/* One instruction of a body, on all ways that lead to it. */

/* Loops are the instruction ranges [head, tail]; heads differ and ranges nest. */
struct loop {
    uint32_t head, tail;
    struct state_list back; /* states that jumped back to the head */
};

struct flow {
    struct loop *loops; /* by head, ascending */
    uint32_t loop_count;
    uint32_t *loop_at; /* an instruction: the loop it heads, or NONE */
    struct liveness *liveness;
};

/* Executes the instruction in the states that wait in front of it; the states behind it wait where it leads. */
void instruction_at(struct unfold_run *run, uint32_t pc);
/* One state for all those in the list, which is empty then. */
struct state instruction_meet(struct unfold_run *run, struct state_list *list);

#endif
