/* SPDX-License-Identifier: MIT */
#include "model/relation/base.h"

#include <stdlib.h>

#include "model/relation/pair.h"

/* What holds of pairs that some execution relates, whatever is chosen. */

static bool has_known_addresses(const struct bases *bases, event_id a, event_id b)
{
    return bases->graph->events[a].address == bases->graph->events[b].address ||
           (!bases->address_open[a] && !bases->address_open[b]);
}

static bool is_certain_edge(const struct bases *bases, enum fixed_relation fixed, event_id a,
                            event_id b)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        if (edge->from == a && edge->to == b && expr_is_true(bases->graph->exprs, edge->guard))
            return true;
    }
    return false;
}

static bool have_one_resource(const struct bases *bases, event_id a, event_id b)
{
    expr_id left = pair_barrier(bases->graph, a)->resource;
    expr_id right = pair_barrier(bases->graph, b)->resource;
    uint64_t x, y;
    return left == right || (expr_is_const(bases->graph->exprs, left, &x) &&
                             expr_is_const(bases->graph->exprs, right, &y) && x == y);
}

/* Uncounted operations complete by their numbers. */
static bool have_one_completion(const struct bases *bases, event_id a, event_id b)
{
    const struct barrier_op *left = pair_barrier(bases->graph, a);
    const struct barrier_op *right = pair_barrier(bases->graph, b);
    uint64_t x, y;
    return !left->counted && !right->counted &&
           expr_is_const(bases->graph->exprs, left->number, &x) &&
           expr_is_const(bases->graph->exprs, right->number, &y) && x == y;
}

static bool must_complete(const struct bases *bases, enum base base, event_id a, event_id b)
{
    if (base == BASE_syncbar && !pair_is_grouped(bases->graph, a, b))
        return have_one_resource(bases, a, b);
    bool late = base == BASE_syncbar || base == BASE_sync_barrier;
    return (late && is_certain_edge(bases, FIXED_sync_quorum, a, b)) ||
           (have_one_resource(bases, a, b) && have_one_completion(bases, a, b));
}

/* Of a pair that some execution may relate. */
static bool must_relate(const struct bases *bases, enum base base, event_id a, event_id b)
{
    switch (base_kind(base)) {
    case BASE_EDGES:
        return is_certain_edge(bases, pair_edges(base), a, b);
    case BASE_LOCATED:
        return has_known_addresses(bases, a, b);
    case BASE_COMPLETED:
        return must_complete(bases, base, a, b);
    case BASE_CHOSEN: /* the rest is a choice */
        return base == BASE_co && bases->graph->events[a].kind == EVENT_INIT &&
               has_known_addresses(bases, a, b);
    case BASE_SET:
    case BASE_PLACED:
        return true;
    }
    abort();
}

void base_must(const struct bases *bases, enum base base, struct rel *to)
{
    rel_copy(to, bases->may[base]);
    for (event_id a = 0; !bases->settled[base] && a < bases->n; a++)
        for (event_id b = 0; b < bases->n; b++)
            if (rel_has(to, a, b) && !must_relate(bases, base, a, b))
                rel_remove(to, a, b);
}
