/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_INTERLEAVINGS_H
#define CLI_ANSWER_INTERLEAVINGS_H

#include "cli/answer/job.h"

struct run;

/* Tests whose executions are all interleavings, on the executor. */

/* A run of the test on the memory 'sc', with reports, in the job's arena. False: host programs, models that are not on
 * board, and what the executor does not run. */
bool interleavings_run(const struct job *job, struct run *run);

/* On the memory 'sc' fences and orders do nothing, so that any mapping which has each operation as one instruction shows
 * the interleavings of a test in C++, which becomes such a test. Others stay as they are. False: the executor does not
 * run it. */
bool interleavings_compile(struct job *job);

/* How many states may be looked at. */
enum interleavings_spent {
    INTERLEAVINGS_LISTED, /* the verdict does not depend on it */
    INTERLEAVINGS_FEW,    /* the axioms may be asked instead */
    INTERLEAVINGS_MANY
};

/* A loop that writes may go round more often than it was unrolled, so that the axioms see no end of it, or so often that
 * they take long. Where interleavings are all there is, and have finitely many states, they give every final state, without witnesses; accesses
 * that conflict are morally strong, so there is no race. NULL: this is no such test, and nothing is known. In the job's
 * arena. */
struct solver_result *interleavings_find(const struct job *job, enum interleavings_spent spent);
/* Can the executor say more of the test than the axioms with a limit of effort? It is not small, and interleavings are all
 * there is. */
bool interleavings_tell(const struct job *job);

#endif
