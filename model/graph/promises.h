/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_PROMISES_H
#define MODEL_GRAPH_PROMISES_H

#include "model/graph/graph.h"

/* Asserts what graph.h promises of a frozen graph. Nothing in a release build. */
#ifdef NDEBUG
#define graph_promises(graph) ((void)(graph))
#else
void graph_promises(const struct graph *graph);
#endif

#endif
