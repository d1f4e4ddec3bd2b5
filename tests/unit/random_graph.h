/* SPDX-License-Identifier: MIT */
#ifndef TESTS_RANDOM_GRAPH_H
#define TESTS_RANDOM_GRAPH_H

#include <glib.h>

#include "model/execution/execution.h"
#include "model/value/fact.h"

/* Small random event graphs with all that reasons have to deal with: open guards, addresses, barrier
 * operands and edges, two sizes of access, an alias, atomics, fences, counted and uncounted barriers;
 * and random executions of them, consistent with nothing but the graph. */

struct graph *random_graph(struct arena *arena, GRand *rand);
/* The graph of locations and initial writes alone, with room for events: see random_graph.c. */
struct graph *empty_graph(struct arena *arena);
/* NULL when the choices drawn were no execution. */
struct execution *random_execution(struct arena *arena, const struct graph *graph, GRand *rand);
bool fact_holds(const struct execution *execution, const struct fact *fact);

/* Building by hand. Locations are numbered: 0 is x, 1 is x+4, 2 is y (4 bytes each), 3 is another
 * virtual address of x. */
uint32_t add_thread(struct graph *graph, uint32_t cta);
event_id add_access(struct graph *graph, uint32_t thread, enum event_kind kind, uint32_t location,
                    uint32_t value, event_tags tags, enum scope scope);
event_id add_event(struct graph *graph, uint32_t thread, enum event_kind kind, event_tags tags,
                   enum scope scope);
uint64_t location_address(uint32_t location);

#endif
