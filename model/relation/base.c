/* SPDX-License-Identifier: MIT */
#include "model/relation/base.h"

#include "litmus/base/table.h"
#include "model/relation/kind.h"
#include "model/relation/pair.h"

/* The table of base relations asked as one: which kind says what is in kind.h. */

/* What is known of an event whatever is chosen: whether it executes, and where it accesses. */
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
    bases->writers = ARENA_ARRAY(arena, struct rel *, graph->granule_count);
    for (uint32_t g = 0; g < graph->granule_count; g++)
        bases->writers[g] = set_new(arena, n);
    return bases;
}

/* NULL: whether a pair is there hangs on nothing but which events execute. */
static const struct relation_kind *kind_of(enum base base)
{
    static const struct relation_kind *const kinds[] = {
        [BASE_EDGES] = &relation_edges,
        [BASE_LOCATED] = &relation_located,
        [BASE_COMPLETED] = &relation_completed,
        [BASE_CHOSEN] = &relation_chosen,
    };
    enum base_kind kind = base_kind(base);
    return kind == BASE_SET || kind == BASE_PLACED ? NULL : TABLE_AT(kinds, kind);
}

static bool is_settled(const struct bases *bases, enum base base)
{
    const struct relation_kind *kind = kind_of(base);
    return !kind || rel_is_empty(bases->may[base]) ||
           (kind->is_open && !kind->is_open(bases, base));
}

void base_use(struct bases *bases, enum base base)
{
    if (bases->may[base])
        return;
    if (base_is_set(base)) {
        bases->may[base] = set_new(bases->arena, bases->n);
        for (event_id a = 0; a < bases->n; a++)
            if (set_has(bases->live, a) && pair_in_set(&bases->graph->events[a], base))
                set_add(bases->may[base], a);
    } else {
        bases->may[base] = rel_new(bases->arena, bases->n);
        pair_fill_may(bases, base, bases->may[base]);
    }
    bases->settled[base] = is_settled(bases, base);
    bases->constant[base] = bases->settled[base] && !bases->any_guard_open;
}

void base_must(const struct bases *bases, enum base base, struct rel *to)
{
    rel_copy(to, bases->may[base]);
    if (!bases->settled[base])
        relation_keep(bases, base, kind_of(base)->must, to);
}

/* ---- in an execution ------------------------------------------------------------------------ */

void base_look(struct bases *bases, const struct execution *execution)
{
    execution_assign(bases->kept, execution);
    bases->execution = bases->kept;
    rel_clear(bases->executed);
    for (event_id e = 0; e < bases->n; e++)
        if (execution->executed[e])
            set_add(bases->executed, e);
    relation_note_writes(bases);
}

void base_set(const struct bases *bases, enum base base, struct rel *to)
{
    rel_intersect(to, bases->may[base], bases->executed);
}

void relation_keep(const struct bases *bases, enum base base, relation_test *holds, struct rel *to)
{
    for (event_id a = 0; a < bases->n; a++)
        for (uint32_t w = 0; w < bases->words; w++)
            for (uint64_t left = rel_row(to, a)[w]; left; left &= left - 1) {
                event_id b = w * 64 + (uint32_t)__builtin_ctzll(left);
                if (!holds(bases, base, a, b))
                    rel_remove(to, a, b);
            }
}

void base_rel(const struct bases *bases, enum base base, struct rel *to)
{
    for (event_id a = 0; a < bases->n; a++) {
        bool executed = set_has(bases->executed, a);
        for (uint32_t w = 0; w < bases->words; w++)
            rel_row(to, a)[w] =
                executed ? rel_row(bases->may[base], a)[w] & bases->executed->bits[w] : 0;
    }
    if (!bases->settled[base] && kind_of(base)->holds)
        relation_keep(bases, base, kind_of(base)->holds, to);
    else if (!bases->settled[base])
        kind_of(base)->fill(bases, base, to);
}

/* ---- facts ---------------------------------------------------------------------------------- */

void relation_say_expr(const struct bases *bases, expr_id expr, struct fact_sink *sink)
{
    uint64_t value;
    if (!expr_is_const(bases->graph->exprs, expr, NULL) &&
        execution_eval(bases->execution, expr, &value))
        fact_expr(sink, expr, value);
}

void base_why_executed(const struct bases *bases, event_id e, struct fact_sink *sink)
{
    if (bases->guard_open[e])
        fact_expr(sink, bases->graph->events[e].guard, set_has(bases->executed, e));
}

/* Facts of reads-from, coherence, Fence-SC and completions imply that their events execute (fact.h); the rest has to
 * say so. */
void base_why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
              struct fact_sink *sink)
{
    bool is_set = base_is_set(base);
    if (!rel_has(bases->may[base], is_set ? 0 : a, is_set ? a : b))
        return;
    if (is_set || !set_has(bases->executed, a)) {
        base_why_executed(bases, a, sink);
    } else if (!set_has(bases->executed, b)) {
        base_why_executed(bases, b, sink);
    } else if (kind_of(base)) {
        kind_of(base)->why(bases, base, a, b, present, sink);
    } else {
        base_why_executed(bases, a, sink);
        base_why_executed(bases, b, sink);
    }
}

void base_why_all(const struct bases *bases, struct fact_sink *sink)
{
    for (event_id e = 0; e < bases->n; e++)
        base_why_executed(bases, e, sink);
    relation_edges.why_all(bases, sink);
    relation_located.why_all(bases, sink);
    relation_completed.why_all(bases, sink);
    relation_chosen.why_all(bases, sink);
}
