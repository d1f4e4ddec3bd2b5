/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_SEMANTIC_H
#define MODEL_GRAPH_SEMANTIC_H

#include "model/graph/graph.h"

/* Semantic dependencies (8.10.4): those of the syntactic ones, from a read to an access, that have
 * an effect. The access depends on the read when some values of all reads let it happen, and with
 * another value of the one read, of the whole type, neither it happens with the same address (and, of
 * a write, the same value) nor, in its stead, an access of another branch that is alike in kind,
 * strength and size. Reads of branches that exclude each other, alike and of one address, return the
 * same value. Decided bit by bit, for all values at once; where that takes too much work an edge is
 * there and counts as undecided. */

/* Fills FIXED_semantic_dep unless it is there. */
void semantic_find(struct graph *graph);
/* Is it between the events of one of the first edges of FIXED_semantic_dep? */
bool semantic_is_among(const struct graph *graph, const struct fixed_edge *edge, uint32_t count);
/* Some syntactic dependency that may lie on a cycle with reads-from is no semantic one. */
bool semantic_matters(struct graph *graph);
/* Some access on such a cycle is computed from a read that has no effect on it, or none that was
 * found, and could not be made without it (ground.h). No execution is tried in which the read returns
 * what the access wrote: the value would have to be known before it is computed. */
bool semantic_cut_short(struct graph *graph);
/* The second can happen where the first does not, and is alike in all but address and value. */
bool semantic_may_stand_for(const struct graph *graph, event_id first, event_id other);

#endif
