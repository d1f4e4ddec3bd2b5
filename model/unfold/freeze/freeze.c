/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/freeze/rewrite.h"

#include "litmus/base/sort.h"
#include "litmus/test/host_rule.h"
#include "model/graph/layout.h"
#include "model/graph/promises.h"
#include "model/unfold/builder/step.h"

/* From the builder to the graph: possible addresses, granules, initial writes, final numbers. */

struct freezing {
    struct builder *b;
    struct graph *g;
    struct addresses *addresses; /* an event of the builder */
    struct cuts *cuts;
    event_id *number; /* an event of the builder: its number in the graph */
    struct rewrite *rewrite;
};

enum { MAX_GRANULES = 65536 };

/* ---- granules ------------------------------------------------------------------------------- */

static uint64_t physical_of(const struct freezing *f, uint64_t address)
{
    uint64_t physical = 0;
    graph_physical(f->g, address, &physical);
    return physical;
}

static uint64_t observed_address(const struct freezing *f, const struct cond_term *term)
{
    const struct test *test = f->b->test;
    uint32_t target = layout_virtual(test, term->location);
    uint64_t offset = (uint64_t)term->element * test->locations[term->location].element_bytes;
    return layout_address(test, target, 0) + offset;
}

static void cut_memory(struct freezing *f)
{
    struct builder *b = f->b;
    f->cuts = cuts_new(b->arena);
    for (event_id e = 0; e < b->events.len; e++)
        for (uint32_t i = 0; i < f->addresses[e].count; i++)
            cuts_add(f->cuts, physical_of(f, f->addresses[e].at[i]), b->events.at[e].bytes);
    for (uint32_t i = 0; i < b->test->observed_count; i++) {
        const struct cond_term *term = &b->test->observed[i];
        if (term->kind != TERM_LOCATION)
            continue;
        uint32_t bytes = b->test->locations[term->location].element_bytes;
        for (uint32_t at = 0; at < bytes; at += 8)
            cuts_add(f->cuts, physical_of(f, observed_address(f, term) + at),
                     bytes < 8 ? bytes : 8);
    }
    freeze_tear(b, f->g, f->addresses, f->cuts);
    /* An access is cut alike wherever it lands. */
    for (bool more = true; more;) {
        more = false;
        for (event_id e = 0; e < b->events.len; e++)
            for (uint32_t i = 1; i < f->addresses[e].count; i++)
                more |= cuts_align(f->cuts, physical_of(f, f->addresses[e].at[0]),
                                   physical_of(f, f->addresses[e].at[i]), b->events.at[e].bytes);
    }
}

const struct mapping *freeze_root_mapping(const struct graph *g, uint64_t physical)
{
    for (uint32_t i = 0; i < g->mapping_count; i++) {
        const struct mapping *m = &g->mappings[i];
        if (g->test->locations[m->location].alias_of == NONE && physical >= m->physical_base &&
            physical - m->physical_base < m->bytes)
            return m;
    }
    return NULL;
}

static struct event initial_write(struct freezing *f, const struct granule *granule)
{
    const struct mapping *m = freeze_root_mapping(f->g, granule->physical);
    struct expr_pool *exprs = f->b->exprs;
    const struct test *test = f->b->test;
    uint64_t offset = granule->physical - m->physical_base;
    uint64_t value = layout_initial(test, m->location, offset, granule->bytes);
    struct event e = event_new(EVENT_INIT, TAG(WEAK) | TAG(GEN), NONE, 0, expr_true(exprs));
    uint64_t *address = ARENA_NEW(f->b->arena, uint64_t);
    uint32_t *start = ARENA_ARRAY(f->b->arena, uint32_t, 2);
    *address = m->virtual_base + offset;
    start[1] = e.bytes = granule->bytes;
    e.pieces = e.address_count = 1;
    e.piece_start = start;
    e.addresses = address;
    e.address = expr_const(exprs, 64, *address);
    e.value = expr_const(exprs, granule->bytes * 8, value);
    e.text = arena_printf(f->b->arena, "%s=%" G_GINT64_FORMAT, test->locations[m->location].name,
                          (gint64)value);
    if (layout_unset(test, m->location) && f->b->options->without != HOST_RULE_CONTENTS) {
        e.value = builder_anything(f->b, "what an allocation holds", granule->bytes * 8);
        e.text = arena_printf(f->b->arena, "%s=?", test->locations[m->location].name);
    }
    return e;
}

/* ---- numbering ------------------------------------------------------------------------------ */

static void place_events(struct freezing *f)
{
    struct builder *b = f->b;
    struct graph *g = f->g;
    uint32_t *next = ARENA_ARRAY(b->arena, uint32_t, b->threads.len + 1);
    for (event_id e = 0; e < b->events.len; e++)
        next[b->events.at[e].thread + 1]++;
    next[0] = g->granule_count;
    for (uint32_t t = 0; t < b->threads.len; t++)
        next[t + 1] += next[t];
    f->number = ARENA_ARRAY(b->arena, event_id, b->events.len);
    for (event_id e = 0; e < b->events.len; e++)
        f->number[e] = next[b->events.at[e].thread]++;
    g->event_count = g->granule_count + b->events.len;
    g->events = ARENA_ARRAY(b->arena, struct event, g->event_count);
    for (uint32_t i = 0; i < g->granule_count; i++) {
        g->granules[i].init = i;
        g->granules[i].location = freeze_root_mapping(g, g->granules[i].physical)->location;
        g->events[i] = initial_write(f, &g->granules[i]);
    }
    for (event_id e = 0; e < b->events.len; e++)
        g->events[f->number[e]] = b->events.at[e];
}

static void set_pieces(struct freezing *f, event_id e)
{
    struct graph *g = f->g;
    struct event *event = &g->events[f->number[e]];
    const struct addresses *a = &f->addresses[e];
    uint32_t first = 0, count = 1;
    if (a->count)
        graph_granules(g, a->at[0], event->bytes, &first, &count);
    uint32_t *start = ARENA_ARRAY(f->b->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count && a->count; i++)
        start[i + 1] = start[i] + g->granules[first + i].bytes;
    if (!a->count)
        start[1] = event->bytes;
    event->addresses = a->at;
    event->address_count = a->count;
    event->pieces = count;
    event->piece_start = start;
}

/* ---- everything else ------------------------------------------------------------------------ */

/* Hands a list of the builder to the graph. */
#define TAKE(list, count) (f->g->list = f->b->list.at, f->g->count = f->b->list.len)

static expr_id again(struct freezing *f, expr_id id)
{
    return rewrite_expr(f->rewrite, id);
}

static void rewrite_events(struct freezing *f)
{
    struct graph *g = f->g;
    for (event_id e = 0; e < g->event_count; e++) {
        struct event *event = &g->events[e];
        event->guard = again(f, event->guard);
        event->address = again(f, event->address);
        event->value = again(f, event->value);
        if (event->rmw != NONE)
            event->rmw = f->number[event->rmw];
    }
}

/* Whether the iteration goes round may depend on a read of the write itself, whose value is known before. */
static void assure_unwritten(struct freezing *f)
{
    const struct builder *b = f->b;
    struct graph *g = f->g;
    for (event_id e = 0; e < g->event_count; e++)
        g->assured[e] = g->events[e].guard;
    for (uint32_t i = b->unwritten.len; i-- > 0;) {
        event_id e = b->unwritten.at[i].event;
        expr_id made = expr_and(b->exprs, b->unwritten.at[i].guard, f->addresses[e].inside);
        g->assured[f->number[e]] = again(f, made);
    }
}

static void assure(struct freezing *f)
{
    struct graph *g = f->g;
    bool guesses = graph_guesses_branches(g);
    if (!guesses && !f->b->unwritten.len)
        return;
    g->assured = ARENA_ARRAY(g->arena, expr_id, g->event_count);
    if (!guesses)
        assure_unwritten(f);
    for (event_id e = 0; guesses && e < g->event_count; e++)
        g->assured[e] = expr_true(g->exprs);
}

static void rewrite_edges(struct freezing *f)
{
    for (unsigned r = 0; r < FIXED_COUNT; r++) {
        f->g->fixed[r] = f->b->fixed[r].at;
        f->g->fixed_count[r] = f->b->fixed[r].len;
        for (uint32_t i = 0; i < f->g->fixed_count[r]; i++) {
            struct fixed_edge *edge = &f->g->fixed[r][i];
            edge->from = f->number[edge->from];
            edge->to = f->number[edge->to];
            edge->guard = again(f, edge->guard);
        }
    }
}

static int by_event(const void *a, const void *b)
{
    const struct barrier_op *x = a, *y = b;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* So many operations are matched in about a second when each may be on any of many barriers. */
enum { MOST_UNKNOWN = 16 };

static uint32_t group_size(const struct builder *b, uint32_t group)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->barriers.len; i++)
        count += b->barriers.at[i].counted && b->barriers.at[i].group == group;
    return count;
}

/* Lanes that surely meet need no more than to compare their masks; else each mask is one barrier of many. */
static void check_resource(const struct freezing *f, const struct barrier_op *op)
{
    const struct event *event = &f->b->events.at[op->event];
    bool lanes = event_barrier_class(event) & (TAG(WARP_BARRIER) | TAG(COLLECTIVE));
    uint32_t count;
    if ((lanes && !op->counted) || addresses_values(f->b, f->g, op->resource, &count) ||
        (lanes && group_size(f->b, op->group) <= MOST_UNKNOWN))
        return;
    if (lanes)
        builder_fail(f->b, DIAG_address_unknown, event->span,
                     "launches whose lanes execute few collectives are decided, whoever meets whom",
                     "nothing shows that all lanes come here that the member mask names");
    else
        builder_fail(f->b, DIAG_address_unknown, event->span, NULL,
                     "the barrier's number can have too many values");
}

static void rewrite_barriers(struct freezing *f)
{
    struct graph *g = f->g;
    TAKE(barriers, barrier_count);
    for (uint32_t i = 0; i < g->barrier_count; i++) {
        struct barrier_op *op = &g->barriers[i];
        op->event = f->number[op->event];
        op->resource = again(f, op->resource);
        op->number = again(f, op->number);
        op->need = again(f, op->need);
        op->passed = again(f, op->passed);
        op->gathered = again(f, op->gathered);
    }
    sort_array(g->barriers, g->barrier_count, sizeof *g->barriers, by_event);
    for (uint32_t i = 0; i < g->barrier_count; i++)
        g->events[g->barriers[i].event].barrier = i;
    TAKE(companions, companion_count);
    for (uint32_t i = 0; i < g->companion_count; i++) {
        struct companions *c = &g->companions[i];
        *c = (struct companions){f->number[c->a], f->number[c->b], again(f, c->together)};
    }
    TAKE(departures, departure_count);
    for (uint32_t i = 0; i < g->departure_count; i++) {
        struct departure *d = &g->departures[i];
        *d = (struct departure){f->number[d->op], d->thread, again(f, d->absent)};
    }
}

static void renumber(const struct freezing *f, event_id *events, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        events[i] = f->number[events[i]];
}

static void rewrite_conditions(struct freezing *f)
{
    struct builder *b = f->b;
    struct graph *g = f->g;
    TAKE(assumptions, assumption_count);
    for (uint32_t i = 0; i < g->assumption_count; i++)
        g->assumptions[i].condition = again(f, g->assumptions[i].condition);
    TAKE(undefined, undefined_count);
    for (uint32_t i = 0; i < g->undefined_count; i++)
        g->undefined[i].condition = again(f, g->undefined[i].condition);
    TAKE(spins, spin_count);
    for (uint32_t i = 0; i < g->spin_count; i++) {
        g->spins[i].begins = again(f, g->spins[i].begins);
        g->spins[i].round = again(f, g->spins[i].round);
        g->spins[i].condition = again(f, g->spins[i].condition);
        g->spins[i].writes = again(f, g->spins[i].writes);
        renumber(f, g->spins[i].reads, g->spins[i].read_count);
        renumber(f, g->spins[i].fences, g->spins[i].fence_count);
        if (g->spins[i].before)
            renumber(f, g->spins[i].before, g->spins[i].read_count);
    }
    TAKE(repeats, repeat_count);
    for (uint32_t i = 0; i < g->repeat_count; i++) {
        g->repeats[i].condition = again(f, g->repeats[i].condition);
        renumber(f, g->repeats[i].events, g->repeats[i].event_count);
    }
    TAKE(unrolled, unrolled_count);
    g->ended = ARENA_ARRAY(b->arena, expr_id, b->threads.len);
    for (uint32_t t = 0; t < b->threads.len; t++)
        g->ended[t] = t < b->device_threads ? again(f, b->ended[t]) : expr_true(g->exprs);
}

static bool runs_term(const struct thread *t, const struct cond_term *term)
{
    if (term->column != NONE)
        return t->column == term->column;
    if (term->host != NONE)
        return t->host == term->host;
    return term->launch != NONE && t->launch == term->launch && t->linear_cta == term->cta &&
           t->linear_tid == term->tid;
}

static expr_id final_register(struct freezing *f, const struct cond_term *term)
{
    for (uint32_t t = 0; t < f->b->device_threads; t++)
        if (runs_term(&f->b->threads.at[t], term) && f->b->finals[t])
            return again(f, f->b->finals[t]->regs[term->reg]);
    return expr_const(f->g->exprs, 64, 0);
}

static void observe(struct freezing *f)
{
    const struct test *test = f->b->test;
    struct graph *g = f->g;
    uint32_t count;
    g->observed = ARENA_ARRAY(f->b->arena, expr_id, test->observed_count);
    g->observed_granules = ARENA_ARRAY(f->b->arena, uint32_t, test->observed_count);
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        g->observed[i] = expr_const(g->exprs, 64, 0);
        if (term->kind == TERM_LOCATION)
            graph_granules(g, observed_address(f, term), 1, &g->observed_granules[i], &count);
        else if (term->kind == TERM_REG)
            g->observed[i] = final_register(f, term);
    }
}

static struct graph *provisional(struct builder *b)
{
    struct graph *g = ARENA_NEW(b->arena, struct graph);
    g->test = b->test;
    g->arena = b->arena;
    g->exprs = b->exprs;
    g->threads = b->threads.at;
    g->thread_count = b->threads.len;
    g->events = b->events.at;
    g->event_count = b->events.len;
    for (uint32_t i = 0; i < b->delayed.len; i++)
        b->choices.at[b->delayed.at[i].choice].stands_for = b->delayed.at[i].value + 1;
    g->choices = b->choices.at;
    g->choice_count = b->choices.len;
    g->mappings = b->mappings;
    g->mapping_count = b->mapping_count;
    g->tearing = b->options->tearing;
    return g;
}

/* Rewriting one may name others, which are added. */
static void rewrite_choices(struct freezing *f)
{
    for (uint32_t i = 0; i < f->rewrite->choices.len; i++) {
        expr_id rests_on = f->rewrite->choices.at[i].rests_on;
        if (rests_on)
            rests_on = 1 + again(f, rests_on - 1);
        f->rewrite->choices.at[i].rests_on = rests_on;
    }
}

/* The builder's lists become the graph's, in its numbers and its expressions. */
static void rewrite_all(struct freezing *f)
{
    f->rewrite = rewrite_new(f->b, f->g, f->number, f->addresses);
    f->g->exprs = f->rewrite->pool;
    rewrite_events(f);
    assure(f);
    rewrite_edges(f);
    rewrite_barriers(f);
    rewrite_conditions(f);
    observe(f);
    rewrite_choices(f);
    f->g->choices = f->rewrite->choices.at;
    f->g->choice_count = f->rewrite->choices.len;
}

struct graph *freeze(struct builder *b)
{
    freeze_activemasks(b);
    freeze_barriers(b);
    freeze_exchanges(b);
    freeze_quorums(b);
    freeze_restricted(b);
    struct freezing f = {.b = b, .g = provisional(b)};
    f.addresses = addresses_find(b, f.g);
    for (uint32_t i = 0; i < b->barriers.len && !b->failed; i++)
        check_resource(&f, &b->barriers.at[i]);
    if (b->failed)
        return NULL;
    freeze_outlived(b, f.g, f.addresses);
    cut_memory(&f);
    f.g->granules = cuts_granules(f.cuts, &f.g->granule_count);
    if (f.g->granule_count > MAX_GRANULES) {
        builder_fail(b, DIAG_address_unknown, (struct span){0, 0}, NULL,
                     "the test touches too many places of memory");
        return NULL;
    }
    place_events(&f);
    for (event_id e = 0; e < b->events.len; e++)
        if (event_is_memory(&b->events.at[e]))
            set_pieces(&f, e);
    rewrite_all(&f);
    if (b->failed)
        return NULL;
    graph_promises(f.g);
    return f.g;
}
