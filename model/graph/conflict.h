/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_CONFLICT_H
#define MODEL_GRAPH_CONFLICT_H

#include "model/graph/graph.h"

/* Pairs of accesses that race unless something orders them (8.7.1). */

/* May the two overlap, is one of them a write, of another thread or by another proxy, and are they not atomic towards each
 * other where they meet? */
bool conflict_possible(const struct graph *graph, event_id a, event_id b);

/* May the two share a byte? */
bool conflict_overlap(const struct graph *graph, event_id a, event_id b);

#endif
