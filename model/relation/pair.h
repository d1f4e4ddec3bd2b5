/* SPDX-License-Identifier: MIT */
#ifndef MODEL_RELATION_PAIR_H
#define MODEL_RELATION_PAIR_H

#include "model/relation/base.h"

/* Which events and pairs of events a base name can be about, from the graph alone. */

bool pair_in_set(const struct event *event, enum base base);
/* Of a base relation of kind EDGES. */
enum fixed_relation pair_edges(enum base base);
/* All pairs of events that can execute and that some execution may relate. */
void pair_fill_may(const struct bases *bases, enum base base, struct rel *to);

/* Do the byte ranges of two accesses of this size at these virtual addresses stand in relation
 * 'base', which is about nothing else: vloc, overlap, partial_overlap? */
static inline bool pair_of_ranges(enum base base, uint64_t a, uint32_t a_bytes, uint64_t b,
                                  uint32_t b_bytes)
{
    bool same = a == b && a_bytes == b_bytes;
    if (base == BASE_vloc)
        return same;
    bool meet = a <= b ? b - a < a_bytes : a - b < b_bytes;
    return base == BASE_overlap ? meet : meet && !same;
}

/* Do two runs of granules share one? */
static inline bool pair_of_runs(uint32_t first, uint32_t count, uint32_t other_first,
                                uint32_t other_count)
{
    return first < other_first + other_count && other_first < first + count;
}

/* Is the access at this address in the state space that the proxy fence names, if it names one? */
bool pair_in_space(const struct graph *graph, const struct event *fence, const struct event *access,
                   uint64_t address);

/* The barrier operation that event e is. */
static inline const struct barrier_op *pair_barrier(const struct graph *graph, event_id e)
{
    return &graph->barriers[graph->events[e].barrier];
}

/* Counted operations of one CTA meet in groups: syncbar relates those of one completion. */
static inline bool pair_is_grouped(const struct graph *graph, event_id a, event_id b)
{
    const struct barrier_op *left = pair_barrier(graph, a), *right = pair_barrier(graph, b);
    return left->counted && right->counted && left->owner == right->owner;
}

#endif
