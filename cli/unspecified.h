/* SPDX-License-Identifier: MIT */
#ifndef CLI_UNSPECIFIED_H
#define CLI_UNSPECIFIED_H

#include "cli/job.h"
#include "solver/solver.h"

/* The name of a point where the sources say nothing, which --reading did not fix, and on whose
 * reading it depends whether the condition holds; NULL: there is none, or, when *open is set, that
 * was not decided. */
const char *unspecified_find(struct job *job, const struct solver_result *found, bool *open);

#endif
