/* SPDX-License-Identifier: MIT */
#ifndef MODEL_PROMISES_H
#define MODEL_PROMISES_H

#include "model/execution.h"

/* Asserts what graph.h promises of a frozen graph, and execution.h of a complete execution. Nothing
 * in a release build. */
#ifdef NDEBUG
#define graph_promises(graph)         ((void)(graph))
#define execution_promises(execution) ((void)(execution))
#else
void graph_promises(const struct graph *graph);
void execution_promises(const struct execution *execution);
#endif

#endif
