/* SPDX-License-Identifier: MIT */
#include "model/relation/base.h"

#include <stdlib.h>

#include "model/relation/pair.h"

static void note_event(struct bases *bases, event_id e)
{
    const struct graph *graph = bases->graph;
    const struct event *event = &graph->events[e];
    uint64_t value = 1;
    bool fixed_guard = expr_is_const(graph->exprs, event->guard, &value);
    bases->guard_open[e] = !fixed_guard;
    bases->any_guard_open |= !fixed_guard;
    if (!fixed_guard || value)
        set_add(bases->live, e);
    if (fixed_guard && value)
        set_add(bases->certain, e);
    if (!event_is_memory(event))
        return;
    bases->address_open[e] = !expr_is_const(graph->exprs, event->address, &value);
    bases->any_address_open |= bases->address_open[e] && set_has(bases->live, e);
    if (bases->address_open[e] ||
        !graph_granules(graph, value, event->bytes, &bases->first[e], &bases->count[e]))
        bases->first[e] = bases->count[e] = 0;
}

struct bases *base_new(struct arena *arena, const struct graph *graph)
{
    struct bases *bases = ARENA_NEW(arena, struct bases);
    uint32_t n = graph->event_count;
    *bases = (struct bases){.arena = arena, .graph = graph, .n = n, .words = (n + 63) / 64};
    bases->guard_open = ARENA_ARRAY(arena, bool, n);
    bases->address_open = ARENA_ARRAY(arena, bool, n);
    bases->live = set_new(arena, n);
    bases->certain = set_new(arena, n);
    bases->executed = set_new(arena, n);
    bases->first = ARENA_ARRAY(arena, uint32_t, n);
    bases->count = ARENA_ARRAY(arena, uint32_t, n);
    for (event_id e = 0; e < n; e++)
        note_event(bases, e);
    bases->kept = execution_new(arena, graph);
    bases->co = rel_new(arena, n);
    bases->writers = ARENA_ARRAY(arena, struct set *, graph->granule_count);
    for (uint32_t g = 0; g < graph->granule_count; g++)
        bases->writers[g] = set_new(arena, n);
    return bases;
}

static bool is_const(const struct bases *bases, expr_id expr)
{
    uint64_t value;
    return expr_is_const(bases->graph->exprs, expr, &value);
}

/* Do barrier pairs hinge on a register operand or on a counted grouping? */
static bool barriers_open(const struct bases *bases, enum base base)
{
    for (uint32_t i = 0; i < bases->graph->barrier_count; i++) {
        const struct barrier_op *op = &bases->graph->barriers[i];
        if (!is_const(bases, op->resource) || op->counted ||
            (base != BASE_syncbar && !is_const(bases, op->number)))
            return true;
    }
    return false;
}

static bool edges_open(const struct bases *bases, enum fixed_relation fixed)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++)
        if (!is_const(bases, bases->graph->fixed[fixed][i].guard))
            return true;
    return false;
}

static bool is_settled(const struct bases *bases, enum base base)
{
    if (base_is_set(base) || rel_is_empty(bases->may[base]))
        return true;
    switch (base_kind(base)) {
    case BASE_SET:
    case BASE_PLACED:
        return true;
    case BASE_EDGES:
        return !edges_open(bases, pair_edges(base));
    case BASE_LOCATED:
        return !bases->any_address_open;
    case BASE_COMPLETED:
        return !barriers_open(bases, base);
    case BASE_CHOSEN:
        return false;
    }
    abort();
}

void base_use(struct bases *bases, enum base base)
{
    if (bases->may[base] || bases->may_set[base])
        return;
    if (base_is_set(base)) {
        bases->may_set[base] = set_new(bases->arena, bases->n);
        for (event_id a = 0; a < bases->n; a++)
            if (set_has(bases->live, a) && pair_in_set(&bases->graph->events[a], base))
                set_add(bases->may_set[base], a);
    } else {
        bases->may[base] = rel_new(bases->arena, bases->n);
        pair_fill_may(bases, base, bases->may[base]);
    }
    bases->settled[base] = is_settled(bases, base);
    bases->constant[base] = bases->settled[base] && !bases->any_guard_open;
}
