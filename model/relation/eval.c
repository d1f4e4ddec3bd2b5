/* SPDX-License-Identifier: MIT */
#include "model/relation/base.h"

#include <stdlib.h>

#include "model/relation/pair.h"

/* The value of each base relation in an execution. */

static uint32_t first_of(const struct bases *bases, event_id e)
{
    return bases->execution->first_granule[e];
}

static uint32_t count_of(const struct bases *bases, event_id e)
{
    return bases->execution->granules[e];
}

static void note_writers(struct bases *bases)
{
    const struct graph *graph = bases->graph;
    for (uint32_t g = 0; g < graph->granule_count; g++)
        memset(bases->writers[g]->bits, 0, bases->words * sizeof(uint64_t));
    for (event_id e = 0; e < bases->n; e++)
        if (event_is_write(&graph->events[e]) && set_has(bases->executed, e))
            for (uint32_t i = 0; i < count_of(bases, e); i++)
                set_add(bases->writers[first_of(bases, e) + i], e);
}

static void or_words(uint64_t *to, const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        to[w] |= a[w] & b[w];
}

static void note_coherence(struct bases *bases)
{
    const struct graph *graph = bases->graph;
    rel_clear(bases->co);
    for (event_id a = 0; a < bases->n; a++) {
        if (!event_is_write(&graph->events[a]) || !set_has(bases->executed, a))
            continue;
        uint64_t *row = rel_row(bases->co, a);
        or_words(row, rel_row(bases->execution->co, a), bases->executed->bits, bases->words);
        if (graph->events[a].kind != EVENT_INIT)
            continue;
        for (uint32_t i = 0; i < count_of(bases, a); i++) {
            const uint64_t *writers = bases->writers[first_of(bases, a) + i]->bits;
            or_words(row, writers, writers, bases->words);
        }
        rel_remove(bases->co, a, a);
    }
}

void base_look(struct bases *bases, const struct execution *execution)
{
    execution_assign(bases->kept, execution);
    bases->execution = bases->kept;
    if (bases->any_guard_open) {
        memset(bases->executed->bits, 0, bases->words * sizeof(uint64_t));
        for (event_id e = 0; e < bases->n; e++)
            if (execution->executed[e])
                set_add(bases->executed, e);
    } else {
        memcpy(bases->executed->bits, bases->live->bits, bases->words * sizeof(uint64_t));
    }
    note_writers(bases);
    note_coherence(bases);
}

void base_set(const struct bases *bases, enum base base, struct set *to)
{
    for (uint32_t w = 0; w < bases->words; w++)
        to->bits[w] = bases->may_set[base]->bits[w] & bases->executed->bits[w];
}

static void reads_from(const struct bases *bases, struct rel *to)
{
    const struct execution *execution = bases->execution;
    for (event_id r = 0; r < bases->n; r++) {
        if (bases->graph->events[r].kind != EVENT_READ || !set_has(bases->executed, r))
            continue;
        for (uint32_t i = 0; i < count_of(bases, r); i++)
            if (execution->rf[execution->rf_base[r] + i] != NONE)
                rel_add(to, execution->rf[execution->rf_base[r] + i], r);
    }
}

static void from_read(const struct bases *bases, struct rel *to)
{
    const struct execution *execution = bases->execution;
    for (event_id r = 0; r < bases->n; r++) {
        if (bases->graph->events[r].kind != EVENT_READ || !set_has(bases->executed, r))
            continue;
        for (uint32_t i = 0; i < count_of(bases, r); i++) {
            event_id source = execution->rf[execution->rf_base[r] + i];
            if (source != NONE)
                or_words(rel_row(to, r), rel_row(bases->co, source),
                         bases->writers[first_of(bases, r) + i]->bits, bases->words);
        }
    }
}

static bool is_torn(const struct bases *bases, event_id a, event_id b, const struct torn_read *torn)
{
    const event_id *source = &bases->execution->rf[bases->execution->rf_base[torn->read]];
    uint32_t first = first_of(bases, torn->read);
    return source[torn->first] == a && source[torn->second] == b &&
           set_has(bases->writers[first + torn->second], a) &&
           set_has(bases->writers[first + torn->first], b);
}

bool base_next_torn(const struct bases *bases, event_id a, event_id b, struct torn_read *torn)
{
    for (; torn->read < bases->n; *torn = (struct torn_read){.read = torn->read + 1}) {
        const struct event *event = &bases->graph->events[torn->read];
        if (event->kind != EVENT_READ || event->copied || !set_has(bases->executed, torn->read))
            continue;
        uint32_t count = count_of(bases, torn->read);
        for (; torn->first < count; torn->first++, torn->second = 0)
            for (; torn->second < count; torn->second++)
                if (is_torn(bases, a, b, torn))
                    return true;
    }
    return false;
}

static void torn_pairs(const struct bases *bases, struct rel *to)
{
    for (event_id a = 0; a < bases->n; a++)
        for (event_id b = 0; b < bases->n; b++)
            if (rel_has(bases->may[BASE_torn], a, b) &&
                base_next_torn(bases, a, b, &(struct torn_read){0}))
                rel_add(to, a, b);
}

static bool have_one_resource(const struct bases *bases, event_id a, event_id b)
{
    expr_id left = pair_barrier(bases->graph, a)->resource;
    expr_id right = pair_barrier(bases->graph, b)->resource;
    uint64_t x, y;
    return left == right || (execution_eval(bases->execution, left, &x) &&
                             execution_eval(bases->execution, right, &y) && x == y);
}

bool pair_completed_together(const struct bases *bases, event_id a, event_id b)
{
    const struct execution *execution = bases->execution;
    uint32_t completion = execution->completion[bases->graph->events[a].barrier];
    return completion != NONE &&
           completion == execution->completion[bases->graph->events[b].barrier] &&
           have_one_resource(bases, a, b);
}

/* The operation was late at a quorum that 'a' had met (quorum.c). */
static bool arrived_late(const struct bases *bases, event_id a, event_id b)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[FIXED_sync_quorum]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[FIXED_sync_quorum][i];
        uint64_t value;
        if (edge->from == a && edge->to == b &&
            execution_eval(bases->execution, edge->guard, &value) && value)
            return true;
    }
    return false;
}

/* Who met 'a', or came late and so after it. */
static bool met(const struct bases *bases, event_id a, event_id b)
{
    return pair_completed_together(bases, a, b) || arrived_late(bases, a, b);
}

static bool holds(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct execution *execution = bases->execution;
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    switch (base) {
    case BASE_loc:
        return pair_of_runs(first_of(bases, a), count_of(bases, a), first_of(bases, b),
                            count_of(bases, b));
    case BASE_vloc:
    case BASE_overlap:
    case BASE_partial_overlap:
        return pair_of_ranges(base, execution->address[a], x->bytes, execution->address[b],
                              y->bytes);
    case BASE_proxy_space:
        return y->kind == EVENT_FENCE ? pair_in_space(bases->graph, y, x, execution->address[a])
                                      : pair_in_space(bases->graph, x, y, execution->address[b]);
    case BASE_syncbar:
        return pair_is_grouped(bases->graph, a, b) ? met(bases, a, b)
                                                   : have_one_resource(bases, a, b);
    case BASE_sync_barrier:
        return met(bases, a, b);
    case BASE_sync_cluster:
    case BASE_sync_warp:
        return pair_completed_together(bases, a, b);
    case BASE_sync_fence:
        return rel_has(execution->sc, a, b);
    default: /* base_rel has a way of its own for it */
        abort();
    }
}

static void keep_executed(const struct bases *bases, struct rel *to)
{
    for (event_id a = 0; a < bases->n; a++) {
        bool executed = set_has(bases->executed, a);
        for (uint32_t w = 0; w < bases->words; w++)
            rel_row(to, a)[w] &= executed ? bases->executed->bits[w] : 0;
    }
}

/* The pairs of 'may' that the execution has. */
static void filter(const struct bases *bases, enum base base, struct rel *to)
{
    rel_copy(to, bases->may[base]);
    keep_executed(bases, to);
    if (bases->settled[base])
        return;
    for (event_id a = 0; a < bases->n; a++)
        for (uint32_t w = 0; w < bases->words; w++)
            for (uint64_t left = rel_row(to, a)[w]; left; left &= left - 1) {
                event_id b = w * 64 + (uint32_t)__builtin_ctzll(left);
                if (!holds(bases, base, a, b))
                    rel_remove(to, a, b);
            }
}

static void fixed_edges(const struct bases *bases, enum fixed_relation fixed, struct rel *to)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        uint64_t value;
        if (set_has(bases->executed, edge->from) && set_has(bases->executed, edge->to) &&
            execution_eval(bases->execution, edge->guard, &value) && value)
            rel_add(to, edge->from, edge->to);
    }
}

void base_rel(const struct bases *bases, enum base base, struct rel *to)
{
    rel_clear(to);
    if (base == BASE_rf)
        reads_from(bases, to);
    else if (base == BASE_co)
        rel_copy(to, bases->co);
    else if (base == BASE_fr)
        from_read(bases, to);
    else if (base == BASE_torn)
        torn_pairs(bases, to);
    else if (base_kind(base) == BASE_EDGES)
        fixed_edges(bases, pair_edges(base), to);
    else
        filter(bases, base, to);
}
