/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_UNATTAINABLE_H
#define SOLVER_ANSWER_UNATTAINABLE_H

#include "solver/answer/answer.h"
#include "solver/search/search.h"

/* Conjuncts of the condition that no execution gives, whatever the model says: the bounds of
 * domain.h exclude them. Left out are those that a test has a reason to ask for:
 *   - values that threads hand to each other in a circle (thin air), which could be anything;
 *   - mixtures of the bytes of values that are written (tearing);
 *   - what code would write that never runs: the question is whether it does;
 *   - results of computations that are the same in every execution: the question is what they are.
 */

struct conjuncts {
    const struct cond **at;
    uint32_t *location; /* the one location that the compared value comes from, or NONE */
    bool *excused;      /* some graph asked so far can give it, or there is a reason to ask */
    uint32_t count;
};

/* The conjuncts of the test's condition, none excused yet; in 'arena'. */
struct conjuncts *conjuncts_new(struct arena *arena, const struct test *test);
/* Excuses those that the search's graph excuses. */
void conjuncts_ask(struct conjuncts *conjuncts, struct search *search);

#endif
