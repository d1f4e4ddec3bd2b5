/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_VALUES_H
#define MODEL_GRAPH_VALUES_H

#include "model/graph/graph.h"

/* Which values an expression may have: an over-approximation from the program alone (no axiom), by
 * following what every read could read from every write that may overlap it, as far as a value can
 * rest on reads, each once. Sets grow to VALUES_LIMIT, then anything is possible. */

enum { VALUES_LIMIT = 64 };

struct values;

/* Needs threads, events, mappings and exprs of the graph, nothing else. */
struct values *values_new(struct arena *arena, const struct graph *graph);
/* The possible values, ascending, or NULL when they are not known; none at all: never evaluated. */
const uint64_t *values_of(const struct values *values, expr_id expr, uint32_t *count);
/* May the write be the source of (some byte of) the read? Never of one that surely does not
 * execute, that lies elsewhere, or of the read half of the same atomic operation. */
bool values_may_read(const struct values *values, event_id read, event_id write);

#endif
