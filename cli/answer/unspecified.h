/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_UNSPECIFIED_H
#define CLI_ANSWER_UNSPECIFIED_H

#include "cli/answer/job.h"
#include "solver/solver.h"

/* The name of a point where the sources say nothing, which --reading did not fix, and on whose
 * reading it depends whether the condition holds; NULL: there is none, or, when *open is set, that
 * was not decided. */
const char *unspecified_find(struct job *job, const struct solver_result *found, bool *open);

/* The verdict rests on whether a dependency has an effect, which took too much work to decide, or on
 * executions that are not tried (semantic_cut_short). To be
 * asked last: the graphs are left without such dependencies. */
bool unspecified_dependency(struct job *job, const struct solver_result *found);

#endif
