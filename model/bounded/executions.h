/* SPDX-License-Identifier: MIT */
#ifndef MODEL_BOUNDED_EXECUTIONS_H
#define MODEL_BOUNDED_EXECUTIONS_H

#include "model/bounded/program.h"

/* Executions of a program, by operations: who reads from whom, and in which order the writes of a location
 * come. */
enum { BOUNDED_INITIAL = UINT8_MAX };
struct bounded_execution {
    uint8_t from[BOUNDED_OPERATIONS];  /* a read: the operation it reads from, or BOUNDED_INITIAL */
    uint8_t place[BOUNDED_OPERATIONS]; /* a write: its place among those of its location, from 0 */
};

/* Gets each execution in turn, whatever a model says of it; stops when it returns false. */
typedef bool execution_visit(void *context, const struct bounded_execution *execution);
bool executions_enumerate(const struct bounded_program *program, execution_visit *visit,
                          void *context);
/* The same, but only those in which every read reads as in 'like'. */
bool executions_like(const struct bounded_program *program, const struct bounded_execution *like,
                     execution_visit *visit, void *context);
/* Do both end with the same values in memory? */
bool executions_end_alike(const struct bounded_program *program, const struct bounded_execution *a,
                          const struct bounded_execution *b);
/* Is the operation the last write of its location? */
bool execution_ends_with(const struct bounded_program *program,
                         const struct bounded_execution *execution, uint32_t operation);

#endif
