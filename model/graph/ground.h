/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_GROUND_H
#define MODEL_GRAPH_GROUND_H

#include "model/graph/graph.h"

/* Accesses made without the reads that have no effect on them (semantic.h). An execution is computed
 * in the order of reads-from, so a read could not return what a store wrote that is computed from it,
 * even if always to the same result. Here such a store gets an address and a value that do not mention
 * the read, and that are the old ones whenever it executes; and where it depends on the read which of
 * several branches makes the store, event_assured says without the read that one of them does. All of it
 * is proved bit by bit; where that fails or takes too much work the access stays as it is, and its
 * dependency in graph->formal. */

/* Finds the semantic dependencies first. Idempotent. */
void ground_accesses(struct graph *graph);

#endif
