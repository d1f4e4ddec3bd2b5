/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_TRACE_H
#define CLI_ANSWER_TRACE_H

#include "cli/answer/job.h"

/* --verbose and --dump: the work on a test step by step, for those who want to know how an answer came
 * about. The text goes to job->trace; where that is NULL, as for users of the library, nothing is told. */

enum dump { DUMP_GRAPH = 1, DUMP_CANDIDATES = 2, DUMP_CLAUSES = 4 };

/* Reads --dump into job->dumps, a set of enum dump. False after an error, which job->diags has. */
bool trace_take(struct job *job);
/* The test was read; its graphs were made. */
void trace_read(const struct job *job);
void trace_unfolded(const struct job *job);
/* Whom the solver tells its steps, in the job's arena; or NULL. */
const struct solver_trace *trace_solver(const struct job *job);

#endif
