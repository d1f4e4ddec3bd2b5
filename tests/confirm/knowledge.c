/* SPDX-License-Identifier: MIT */
#include "tests/confirm/knowledge.h"

#include <stdlib.h>

#include "model/relation/pair.h"

/* Three truth values: a conjunction is the least of its parts. */
enum truth { NO, PERHAPS, YES };

static enum truth both(enum truth a, enum truth b)
{
    return a < b ? a : b;
}

static bool known_expr(const struct knowledge *k, expr_id expr, uint64_t *value)
{
    if (expr_is_const(k->bases->graph->exprs, expr, value))
        return true;
    for (uint32_t i = 0; i < k->facts->items.len; i++) {
        const struct fact *fact = &k->facts->items.at[i];
        if (fact->kind == FACT_EXPR && !fact->negated && fact->a == expr) {
            *value = fact->value;
            return true;
        }
    }
    return false;
}

static void note_pair(struct rel *yes, struct rel *no, const struct fact *fact)
{
    if (fact->negated) {
        rel_add(no, fact->a, fact->b);
        return;
    }
    rel_add(yes, fact->a, fact->b);
    rel_add(no, fact->b, fact->a);
}

/* Facts that say that events execute, beside those about guards. */
static void note_fact(struct knowledge *k, const struct fact *fact)
{
    if (fact->kind == FACT_CO)
        note_pair(k->before, k->not_before, fact);
    if (fact->kind == FACT_SC)
        note_pair(k->sc_before, k->not_sc_before, fact);
    if (fact->negated || fact->kind == FACT_EXPR)
        return;
    if (fact->kind == FACT_COMPLETION) {
        set_add(k->certain, k->bases->graph->barriers[fact->a].event);
        return;
    }
    set_add(k->certain, fact->a);
    set_add(k->certain, fact->b);
}

static void note_guards(struct knowledge *k)
{
    for (event_id e = 0; e < k->bases->n; e++) {
        uint64_t value;
        if (!known_expr(k, k->bases->graph->events[e].guard, &value))
            continue;
        if (value)
            set_add(k->certain, e);
        else
            k->possible->bits[e / 64] &= ~(UINT64_C(1) << (e % 64));
    }
}

struct knowledge *knowledge_new(struct arena *arena, const struct bases *bases,
                                const struct fact_list *facts)
{
    struct knowledge *k = ARENA_NEW(arena, struct knowledge);
    size_t bytes = bases->words * sizeof(uint64_t);
    *k = (struct knowledge){.bases = bases, .facts = facts};
    k->certain = set_new(arena, bases->n);
    k->possible = set_new(arena, bases->n);
    k->before = rel_new(arena, bases->n);
    k->not_before = rel_new(arena, bases->n);
    k->sc_before = rel_new(arena, bases->n);
    k->not_sc_before = rel_new(arena, bases->n);
    memcpy(k->possible->bits, bases->live->bits, bytes);
    note_guards(k);
    for (uint32_t i = 0; i < facts->items.len; i++)
        note_fact(k, &facts->items.at[i]);
    return k;
}

/* ---- addresses ------------------------------------------------------------------------------ */

struct run {
    uint32_t first, count;
};

static bool known_run(const struct knowledge *k, event_id e, struct run *run)
{
    const struct event *event = &k->bases->graph->events[e];
    uint64_t address;
    return known_expr(k, event->address, &address) &&
           graph_granules(k->bases->graph, address, event->bytes, &run->first, &run->count);
}

static bool same_place(const struct knowledge *k, event_id a, event_id b)
{
    const struct event *x = &k->bases->graph->events[a], *y = &k->bases->graph->events[b];
    return x->address == y->address && x->bytes == y->bytes;
}

static enum truth touches(const struct knowledge *k, event_id e, uint32_t granule)
{
    struct run run;
    if (!known_run(k, e, &run))
        return PERHAPS;
    return pair_of_runs(run.first, run.count, granule, 1) ? YES : NO;
}

static enum truth share_bytes(const struct knowledge *k, event_id a, event_id b)
{
    struct run x, y;
    if (k->bases->graph->events[a].address == k->bases->graph->events[b].address)
        return YES;
    if (!known_run(k, a, &x) || !known_run(k, b, &y))
        return PERHAPS;
    return pair_of_runs(x.first, x.count, y.first, y.count) ? YES : NO;
}

static enum truth relate_ranges(const struct knowledge *k, enum base base, event_id a, event_id b)
{
    const struct event *x = &k->bases->graph->events[a], *y = &k->bases->graph->events[b];
    uint64_t left = 0, right = 0;
    if (x->address != y->address &&
        (!known_expr(k, x->address, &left) || !known_expr(k, y->address, &right)))
        return PERHAPS;
    return pair_of_ranges(base, left, x->bytes, right, y->bytes) ? YES : NO;
}

static enum truth in_space(const struct knowledge *k, event_id a, event_id b)
{
    const struct event *x = &k->bases->graph->events[a], *y = &k->bases->graph->events[b];
    const struct event *fence = event_is_memory(x) ? y : x, *access = event_is_memory(x) ? x : y;
    uint64_t address;
    if (!known_expr(k, access->address, &address))
        return PERHAPS;
    return pair_in_space(k->bases->graph, fence, access, address) ? YES : NO;
}

/* ---- choices -------------------------------------------------------------------------------- */

/* Is said: the read takes the granule from the write. */
static enum truth takes(const struct knowledge *k, event_id w, event_id r, uint32_t granule)
{
    for (uint32_t i = 0; i < k->facts->items.len; i++) {
        const struct fact *fact = &k->facts->items.at[i];
        if (fact->kind != FACT_RF || fact->b != r || fact->value != granule)
            continue;
        if (fact->a == w)
            return fact->negated ? NO : YES;
        if (!fact->negated)
            return NO;
    }
    return PERHAPS;
}

static enum truth reads_from(const struct knowledge *k, event_id w, event_id r)
{
    struct run run;
    for (uint32_t g = 0; g < k->bases->graph->granule_count; g++)
        if (takes(k, w, r, g) == YES)
            return YES;
    if (!known_run(k, r, &run))
        return PERHAPS;
    for (uint32_t i = 0; i < run.count; i++)
        if (touches(k, w, run.first + i) != NO && takes(k, w, r, run.first + i) != NO)
            return PERHAPS;
    return NO;
}

static enum truth coherent(const struct knowledge *k, event_id a, event_id b)
{
    if (k->bases->graph->events[a].kind == EVENT_INIT)
        return share_bytes(k, a, b);
    return rel_has(k->before, a, b) ? YES : rel_has(k->not_before, a, b) ? NO : PERHAPS;
}

/* Is what the read takes of this granule before the write? */
static enum truth overtaken(const struct knowledge *k, event_id r, event_id w, uint32_t granule)
{
    for (event_id source = 0; source < k->bases->n; source++)
        if (event_is_write(&k->bases->graph->events[source]) &&
            takes(k, source, r, granule) == YES) {
            enum truth covered = same_place(k, r, w) ? YES : touches(k, w, granule);
            return source == w ? NO : both(coherent(k, source, w), covered);
        }
    return both(PERHAPS, touches(k, w, granule));
}

static enum truth from_read(const struct knowledge *k, event_id r, event_id w)
{
    struct run run;
    bool known = known_run(k, r, &run);
    enum truth result = known ? NO : PERHAPS;
    for (uint32_t g = 0; g < k->bases->graph->granule_count; g++) {
        enum truth here = overtaken(k, r, w, g);
        bool read = known && pair_of_runs(run.first, run.count, g, 1);
        if ((here == YES || read) && here > result)
            result = here;
    }
    return result;
}

static bool says_read(const struct fact *fact, event_id w)
{
    return fact->kind == FACT_RF && !fact->negated && fact->a == w;
}

static enum truth covers(const struct knowledge *k, event_id w, event_id r, uint32_t granule)
{
    return same_place(k, w, r) ? YES : touches(k, w, granule);
}

/* Two facts may say so; that it is not so is left to the search. */
static enum truth torn(const struct knowledge *k, event_id a, event_id b)
{
    for (uint32_t i = 0; i < k->facts->items.len; i++)
        for (uint32_t j = 0; j < k->facts->items.len; j++) {
            const struct fact *x = &k->facts->items.at[i], *y = &k->facts->items.at[j];
            if (says_read(x, a) && says_read(y, b) && x->b == y->b &&
                !k->bases->graph->events[x->b].copied &&
                covers(k, a, x->b, (uint32_t)y->value) == YES &&
                covers(k, b, x->b, (uint32_t)x->value) == YES)
                return YES;
        }
    return PERHAPS;
}

/* ---- barriers ------------------------------------------------------------------------------- */

static enum truth one_resource(const struct knowledge *k, event_id a, event_id b)
{
    expr_id left = pair_barrier(k->bases->graph, a)->resource;
    expr_id right = pair_barrier(k->bases->graph, b)->resource;
    uint64_t x, y;
    if (left == right)
        return YES;
    if (!known_expr(k, left, &x) || !known_expr(k, right, &y))
        return PERHAPS;
    return x == y ? YES : NO;
}

static bool known_completion(const struct knowledge *k, event_id e, uint64_t *number)
{
    uint32_t op = k->bases->graph->events[e].barrier;
    if (!k->bases->graph->barriers[op].counted)
        return known_expr(k, k->bases->graph->barriers[op].number, number);
    for (uint32_t i = 0; i < k->facts->items.len; i++) {
        const struct fact *fact = &k->facts->items.at[i];
        if (fact->kind == FACT_COMPLETION && !fact->negated && fact->a == op) {
            *number = fact->value;
            return true;
        }
    }
    return false;
}

static bool excluded_completion(const struct knowledge *k, event_id e, uint64_t number)
{
    for (uint32_t i = 0; i < k->facts->items.len; i++) {
        const struct fact *fact = &k->facts->items.at[i];
        if (fact->kind == FACT_COMPLETION && fact->negated &&
            fact->a == k->bases->graph->events[e].barrier && fact->value == number)
            return true;
    }
    return number == NONE;
}

static enum truth one_completion(const struct knowledge *k, event_id a, event_id b)
{
    uint64_t x = NONE, y = NONE;
    bool left = known_completion(k, a, &x), right = known_completion(k, b, &y);
    if (left && right)
        return x == y && x != NONE ? YES : NO;
    if ((left && excluded_completion(k, b, x)) || (right && excluded_completion(k, a, y)))
        return NO;
    return PERHAPS;
}

static enum truth completed_together(const struct knowledge *k, event_id a, event_id b)
{
    return both(one_resource(k, a, b), one_completion(k, a, b));
}

/* ---- all of them ---------------------------------------------------------------------------- */

static enum truth edge(const struct knowledge *k, enum fixed_relation fixed, event_id a, event_id b)
{
    enum truth result = NO;
    for (uint32_t i = 0; i < k->bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *one = &k->bases->graph->fixed[fixed][i];
        uint64_t guard;
        if (one->from != a || one->to != b)
            continue;
        enum truth here = !known_expr(k, one->guard, &guard) ? PERHAPS : guard ? YES : NO;
        if (here > result)
            result = here;
    }
    return result;
}

/* In one completion, or the second late at a quorum that the first had met. */
static enum truth met(const struct knowledge *k, event_id a, event_id b)
{
    enum truth together = completed_together(k, a, b), late = edge(k, FIXED_sync_quorum, a, b);
    return late > together ? late : together;
}

static enum truth chosen(const struct knowledge *k, enum base base, event_id a, event_id b)
{
    switch (base) {
    case BASE_rf:
        return reads_from(k, a, b);
    case BASE_co:
        return coherent(k, a, b);
    case BASE_fr:
        return from_read(k, a, b);
    case BASE_torn:
        return torn(k, a, b);
    case BASE_sync_fence:
        return rel_has(k->sc_before, a, b) ? YES : rel_has(k->not_sc_before, a, b) ? NO : PERHAPS;
    default: /* a row of base.def that nobody bounds */
        abort();
    }
}

static enum truth completed(const struct knowledge *k, enum base base, event_id a, event_id b)
{
    if (base == BASE_syncbar && !pair_is_grouped(k->bases->graph, a, b))
        return one_resource(k, a, b);
    bool late = base == BASE_syncbar || base == BASE_sync_barrier;
    return late ? met(k, a, b) : completed_together(k, a, b);
}

/* Of a pair that 'may' has, both events executing. */
static enum truth relates(const struct knowledge *k, enum base base, event_id a, event_id b)
{
    switch (base_kind(base)) {
    case BASE_EDGES:
        return edge(k, pair_edges(base), a, b);
    case BASE_LOCATED:
        return base == BASE_proxy_space ? in_space(k, a, b)
               : base == BASE_loc       ? share_bytes(k, a, b)
                                        : relate_ranges(k, base, a, b);
    case BASE_COMPLETED:
        return completed(k, base, a, b);
    case BASE_CHOSEN:
        return chosen(k, base, a, b);
    case BASE_SET:
    case BASE_PLACED:
        return YES;
    }
    abort();
}

void knowledge_set(const struct knowledge *k, enum base base, struct rel *lower, struct rel *upper)
{
    for (uint32_t w = 0; w < k->bases->words; w++) {
        upper->bits[w] = k->bases->may[base]->bits[w] & k->possible->bits[w];
        lower->bits[w] = upper->bits[w];
    }
}

void knowledge_rel(const struct knowledge *k, enum base base, struct rel *lower, struct rel *upper)
{
    const struct rel *may = k->bases->may[base];
    rel_clear(lower);
    rel_clear(upper);
    for (event_id a = 0; a < k->bases->n; a++)
        for (event_id b = 0; set_has(k->possible, a) && b < k->bases->n; b++) {
            if (!set_has(k->possible, b) || !rel_has(may, a, b))
                continue;
            enum truth truth = relates(k, base, a, b);
            if (truth != NO)
                rel_add(upper, a, b);
            if (truth == YES)
                rel_add(lower, a, b);
        }
}
