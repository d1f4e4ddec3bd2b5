/* SPDX-License-Identifier: MIT */
#include "model/relation/base.h"

#include <stdlib.h>

#include "model/relation/pair.h"

/* The facts behind a base pair. Facts about reads-from, coherence, Fence-SC and completions imply
 * that their events execute (fact.h); the rest has to say so. */

void base_why_executed(const struct bases *bases, event_id e, struct fact_sink *sink)
{
    if (bases->guard_open[e])
        fact_expr(sink, bases->graph->events[e].guard, set_has(bases->executed, e));
}

static void say_address(const struct bases *bases, event_id e, struct fact_sink *sink)
{
    if (bases->address_open[e])
        fact_expr(sink, bases->graph->events[e].address, bases->execution->address[e]);
}

static void say_expr(const struct bases *bases, expr_id expr, struct fact_sink *sink)
{
    uint64_t value;
    if (!expr_is_const(bases->graph->exprs, expr, &value) &&
        execution_eval(bases->execution, expr, &value))
        fact_expr(sink, expr, value);
}

static void say_addresses(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    if (bases->graph->events[a].address == bases->graph->events[b].address)
        return; /* the same whatever it is */
    say_address(bases, a, sink);
    say_address(bases, b, sink);
}

static void say_resources(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    expr_id left = pair_barrier(bases->graph, a)->resource;
    expr_id right = pair_barrier(bases->graph, b)->resource;
    if (left == right)
        return;
    say_expr(bases, left, sink);
    say_expr(bases, right, sink);
}

static void say_completion(const struct bases *bases, event_id e, uint32_t number, bool is,
                           struct fact_sink *sink)
{
    uint32_t op = bases->graph->events[e].barrier;
    if (bases->graph->barriers[op].counted)
        fact_add(sink,
                 (struct fact){.kind = FACT_COMPLETION, .negated = !is, .a = op, .value = number});
    else
        say_expr(bases, bases->graph->barriers[op].number, sink);
}

static void say_completions(const struct bases *bases, event_id a, event_id b, bool present,
                            struct fact_sink *sink)
{
    uint32_t left = bases->execution->completion[bases->graph->events[a].barrier];
    uint32_t right = bases->execution->completion[bases->graph->events[b].barrier];
    if (left != NONE && left == right)
        say_resources(bases, a, b, sink);
    if (present) {
        say_completion(bases, a, left, true, sink);
        say_completion(bases, b, right, true, sink);
    } else if (left == right && left != NONE) {
        return; /* the resources differ */
    } else if (right == NONE) {
        say_completion(bases, b, NONE, true, sink);
    } else {
        say_completion(bases, a, left, true, sink);
        if (left != NONE)
            say_completion(bases, b, left, false, sink);
    }
}

static void say_reads_from(event_id w, event_id r, uint32_t granule, bool is,
                           struct fact_sink *sink)
{
    fact_add(sink,
             (struct fact){.kind = FACT_RF, .negated = !is, .a = w, .b = r, .value = granule});
}

static void say_before(enum fact_kind kind, event_id a, event_id b, bool is, struct fact_sink *sink)
{
    fact_add(sink, (struct fact){.kind = kind, .negated = !is, .a = a, .b = b});
}

static bool is_initial(const struct bases *bases, event_id w)
{
    return bases->graph->events[w].kind == EVENT_INIT;
}

static uint32_t granule_of(const struct bases *bases, event_id e, uint32_t i)
{
    return bases->execution->first_granule[e] + i;
}

static event_id source_of(const struct bases *bases, event_id r, uint32_t i)
{
    return bases->execution->rf[bases->execution->rf_base[r] + i];
}

static void why_read(const struct bases *bases, event_id w, event_id r, struct fact_sink *sink)
{
    for (uint32_t i = 0; i < bases->execution->granules[r]; i++)
        if (source_of(bases, r, i) == w) {
            say_reads_from(w, r, granule_of(bases, r, i), true, sink);
            return;
        }
}

/* Each granule of the read that the write might cover comes from elsewhere. */
static void why_not_read(const struct bases *bases, event_id w, event_id r, struct fact_sink *sink)
{
    say_address(bases, r, sink);
    for (uint32_t i = 0; i < bases->execution->granules[r]; i++) {
        uint32_t granule = granule_of(bases, r, i);
        if (bases->address_open[w] || pair_of_runs(granule, 1, bases->first[w], bases->count[w]))
            say_reads_from(w, r, granule, false, sink);
    }
}

static void why_coherent(const struct bases *bases, event_id a, event_id b, bool present,
                         struct fact_sink *sink)
{
    if (!is_initial(bases, a)) {
        say_before(FACT_CO, a, b, present, sink);
        return;
    }
    base_why_executed(bases, b, sink);
    say_address(bases, b, sink);
}

/* That the write covers all of the read, unless that follows from the two touching at all. */
static void say_covers(const struct bases *bases, event_id w, event_id r, struct fact_sink *sink)
{
    if (bases->graph->events[w].address != bases->graph->events[r].address ||
        bases->graph->events[w].bytes != bases->graph->events[r].bytes)
        say_address(bases, w, sink);
}

static void why_from_read(const struct bases *bases, event_id r, event_id w, struct fact_sink *sink)
{
    uint32_t chosen = NONE;
    for (uint32_t i = 0; i < bases->execution->granules[r]; i++) {
        event_id source = source_of(bases, r, i);
        if (source == NONE || !rel_has(bases->co, source, w) ||
            !set_has(bases->writers[granule_of(bases, r, i)], w))
            continue;
        if (chosen == NONE || is_initial(bases, source))
            chosen = i;
    }
    event_id source = source_of(bases, r, chosen);
    say_reads_from(source, r, granule_of(bases, r, chosen), true, sink);
    if (is_initial(bases, source))
        base_why_executed(bases, w, sink);
    else
        say_before(FACT_CO, source, w, true, sink);
    say_covers(bases, w, r, sink);
}

/* For each granule that both touch: what the read takes is the write itself or not before it. */
static void why_not_from_read(const struct bases *bases, event_id r, event_id w,
                              struct fact_sink *sink)
{
    say_address(bases, r, sink);
    say_address(bases, w, sink);
    for (uint32_t i = 0; i < bases->execution->granules[r]; i++) {
        event_id source = source_of(bases, r, i);
        uint32_t granule = granule_of(bases, r, i);
        if (source == NONE || !set_has(bases->writers[granule], w))
            continue;
        say_reads_from(source, r, granule, true, sink);
        if (source != w)
            say_before(FACT_CO, source, w, false, sink);
    }
}

static void why_torn(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    struct torn_read torn = {0};
    base_next_torn(bases, a, b, &torn);
    say_reads_from(a, torn.read, granule_of(bases, torn.read, torn.first), true, sink);
    say_reads_from(b, torn.read, granule_of(bases, torn.read, torn.second), true, sink);
    say_covers(bases, a, torn.read, sink);
    say_covers(bases, b, torn.read, sink);
}

/* Where all reads take their bytes from. */
static void why_not_torn(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    say_address(bases, a, sink);
    say_address(bases, b, sink);
    for (event_id r = 0; r < bases->n; r++) {
        if (bases->graph->events[r].kind != EVENT_READ || !set_has(bases->live, r))
            continue;
        base_why_executed(bases, r, sink);
        if (!set_has(bases->executed, r))
            continue;
        say_address(bases, r, sink);
        for (uint32_t i = 0; i < bases->execution->granules[r]; i++)
            if (source_of(bases, r, i) != NONE)
                say_reads_from(source_of(bases, r, i), r, granule_of(bases, r, i), true, sink);
    }
}

static void why_edge(const struct bases *bases, enum fixed_relation fixed, event_id a, event_id b,
                     bool present, struct fact_sink *sink)
{
    const struct fixed_edge *chosen = NULL;
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        uint64_t value;
        if (edge->from != a || edge->to != b)
            continue;
        if (!present)
            say_expr(bases, edge->guard, sink);
        else if (execution_eval(bases->execution, edge->guard, &value) && value &&
                 (!chosen || expr_is_true(bases->graph->exprs, edge->guard)))
            chosen = edge;
    }
    if (!present)
        return;
    base_why_executed(bases, a, sink);
    base_why_executed(bases, b, sink);
    say_expr(bases, chosen->guard, sink);
}

/* A pair is there because of one completion, or because one came late; it is missing for want of
 * both. */
static void why_met(const struct bases *bases, event_id a, event_id b, bool present,
                    struct fact_sink *sink)
{
    if (present && !pair_completed_together(bases, a, b)) {
        why_edge(bases, FIXED_sync_quorum, a, b, present, sink);
        return;
    }
    say_completions(bases, a, b, present, sink);
    if (!present)
        why_edge(bases, FIXED_sync_quorum, a, b, present, sink);
}

/* Reads-from, coherence and Fence-SC order. */
static void why_chosen(const struct bases *bases, enum base base, event_id a, event_id b,
                       bool present, struct fact_sink *sink)
{
    switch (base) {
    case BASE_rf:
        (present ? why_read : why_not_read)(bases, a, b, sink);
        break;
    case BASE_co:
        why_coherent(bases, a, b, present, sink);
        break;
    case BASE_fr:
        (present ? why_from_read : why_not_from_read)(bases, a, b, sink);
        break;
    case BASE_torn:
        (present ? why_torn : why_not_torn)(bases, a, b, sink);
        break;
    case BASE_sync_fence:
        say_before(FACT_SC, a, b, present, sink);
        break;
    default: /* a row of base.def that nobody explains */
        abort();
    }
}

static void why_completed(const struct bases *bases, enum base base, event_id a, event_id b,
                          bool present, struct fact_sink *sink)
{
    base_why_executed(bases, a, sink);
    base_why_executed(bases, b, sink);
    if (base == BASE_syncbar && !pair_is_grouped(bases->graph, a, b))
        say_resources(bases, a, b, sink);
    else if (base == BASE_syncbar || base == BASE_sync_barrier)
        why_met(bases, a, b, present, sink);
    else
        say_completions(bases, a, b, present, sink);
}

static void why_pair(const struct bases *bases, enum base base, event_id a, event_id b,
                     bool present, struct fact_sink *sink)
{
    switch (base_kind(base)) {
    case BASE_EDGES:
        why_edge(bases, pair_edges(base), a, b, present, sink);
        break;
    case BASE_CHOSEN:
        why_chosen(bases, base, a, b, present, sink);
        break;
    case BASE_COMPLETED:
        why_completed(bases, base, a, b, present, sink);
        break;
    case BASE_LOCATED:
    case BASE_PLACED:
    case BASE_SET:
        base_why_executed(bases, a, sink);
        base_why_executed(bases, b, sink);
        if (base == BASE_proxy_space)
            say_address(bases, event_is_memory(&bases->graph->events[a]) ? a : b, sink);
        else if (base_kind(base) == BASE_LOCATED)
            say_addresses(bases, a, b, sink);
    }
}

void base_why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
              struct fact_sink *sink)
{
    bool is_set = base_is_set(base);
    bool possible = is_set ? set_has(bases->may_set[base], a) : rel_has(bases->may[base], a, b);
    if (!possible)
        return;
    if (!set_has(bases->executed, a))
        base_why_executed(bases, a, sink);
    else if (is_set)
        base_why_executed(bases, a, sink);
    else if (!set_has(bases->executed, b))
        base_why_executed(bases, b, sink);
    else
        why_pair(bases, base, a, b, present, sink);
}

static void all_of_event(const struct bases *bases, event_id e, struct fact_sink *sink)
{
    const struct event *event = &bases->graph->events[e];
    base_why_executed(bases, e, sink);
    if (!set_has(bases->executed, e))
        return;
    if (event_is_memory(event))
        say_address(bases, e, sink);
    if (event->kind == EVENT_BARRIER) {
        say_expr(bases, pair_barrier(bases->graph, e)->resource, sink);
        say_completion(bases, e, bases->execution->completion[event->barrier], true, sink);
    }
    for (uint32_t i = 0; event->kind == EVENT_READ && i < bases->execution->granules[e]; i++)
        if (source_of(bases, e, i) != NONE)
            say_reads_from(source_of(bases, e, i), e, granule_of(bases, e, i), true, sink);
}

static void all_orders(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (x->kind == EVENT_WRITE && y->kind == EVENT_WRITE)
        say_before(FACT_CO, a, b, rel_has(bases->co, a, b), sink);
    if (x->kind == EVENT_FENCE && y->kind == EVENT_FENCE && x->tags & y->tags & TAG(SC))
        say_before(FACT_SC, a, b, rel_has(bases->execution->sc, a, b), sink);
}

void base_why_all(const struct bases *bases, struct fact_sink *sink)
{
    for (event_id a = 0; a < bases->n; a++) {
        all_of_event(bases, a, sink);
        for (event_id b = 0; b < bases->n; b++)
            if (a != b)
                all_orders(bases, a, b, sink);
    }
    for (uint32_t kind = 0; kind < FIXED_COUNT; kind++)
        for (uint32_t i = 0; i < bases->graph->fixed_count[kind]; i++)
            say_expr(bases, bases->graph->fixed[kind][i].guard, sink);
}
