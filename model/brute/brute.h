/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BRUTE_BRUTE_H
#define MODEL_BRUTE_BRUTE_H

#include "model/cat/cat.h"
#include "model/execution/execution.h"
#include "model/execution/outcome.h"

/* Every execution of a test, one after the other, judged: slow, obvious, the reference for small
 * tests. Shares nothing with the solver but the graph and the judge. */
struct brute_result {
    struct outcome_set outcomes; /* allowed final states that pass the test's filter */
    bool *flags;        /* an axiom that is a flag: does it hold in some allowed execution? */
    bool bound_reached; /* some execution was left out because a loop did not end in time */
    const struct undefined **undefined; /* undefined behaviour of some consistent execution, once a
                                           name and place */
    uint32_t undefined_count;
    bool hangs;             /* some thread can wait for ever, whatever the model says */
    bool complete;          /* false: the budget ran out, or a choice has too many values */
    uint64_t tried, judged; /* combinations of choices; executions among them */
};

/* 'budget' bounds tried + judged. */
struct brute_result brute(struct arena *arena, struct graph *const *graphs, uint32_t graph_count,
                          const struct cat_model *model, uint64_t budget);

#endif
