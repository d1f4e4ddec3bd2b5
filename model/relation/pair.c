/* SPDX-License-Identifier: MIT */
#include "model/relation/pair.h"

#include <stdlib.h>

/* The tests of base.def and the words that they use. */

/* Does the fence cover some accesses only? */
static bool is_restricted(const struct event *event)
{
    if (event->kind != EVENT_FENCE || !event->inst)
        return false;
    switch (event->inst->fence_kind) {
    case FENCE_MBARRIER_INIT:
    case FENCE_RESTRICT_RELEASE:
    case FENCE_RESTRICT_ACQUIRE:
        return true;
    case FENCE_PROXY_RELEASE:
    case FENCE_PROXY_ACQUIRE:
        return event->inst->space != SPACE_GENERIC;
    case FENCE_MEMORY:
    case FENCE_PROXY:
        break;
    }
    return false;
}

bool pair_in_set(const struct event *event, enum base base)
{
    switch (base) {
#define BASESET(name, test, meaning)                                                               \
    case BASE_##name:                                                                              \
        return test;
#define BASEEDGES(name, meaning)
#define BASEREL(name, kind, may, meaning)
#include "model/graph/base.def"
    default: /* no set */
        abort();
    }
}

enum fixed_relation pair_edges(enum base base)
{
    switch (base) {
#define BASESET(name, test, meaning)
#define BASEEDGES(name, meaning)                                                                   \
    case BASE_##name:                                                                              \
        return FIXED_##name;
#define BASEREL(name, kind, may, meaning)
#include "model/graph/base.def"
    default: /* of another kind */
        abort();
    }
}

static bool same_thread(const struct event *a, const struct event *b)
{
    return a->thread != NONE && a->thread == b->thread;
}

/* More pairs of addresses than these are not looked through. */
enum { MOST_ADDRESS_PAIRS = 1 << 12 };

/* Are the addresses of one unknown, or too many? Then any two accesses may overlap. */
static bool may_be_anywhere(const struct event *x, const struct event *y)
{
    uint64_t pairs = (uint64_t)x->address_count * y->address_count;
    return !pairs || pairs > MOST_ADDRESS_PAIRS;
}

static bool share_bytes(const struct graph *graph, const struct event *x, uint64_t left,
                        const struct event *y, uint64_t right)
{
    uint32_t first, count, other_first, other_count;
    return graph_granules(graph, left, x->bytes, &first, &count) &&
           graph_granules(graph, right, y->bytes, &other_first, &other_count) &&
           pair_of_runs(first, count, other_first, other_count);
}

/* Does some address of the one go with some address of the other? */
static bool may_share_bytes(const struct bases *bases, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (!bases->address_open[a] && !bases->address_open[b])
        return pair_of_runs(bases->first[a], bases->count[a], bases->first[b], bases->count[b]);
    bool may = may_be_anywhere(x, y);
    for (uint32_t i = 0; i < x->address_count && !may; i++)
        for (uint32_t j = 0; j < y->address_count && !may; j++)
            may = share_bytes(bases->graph, x, x->addresses[i], y, y->addresses[j]);
    return may;
}

/* Two addresses that are one expression overlap whatever it is. */
static bool may_relate_ranges(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    if (!event_is_memory(x) || !event_is_memory(y))
        return false;
    if (x->address == y->address)
        return pair_of_ranges(base, 0, x->bytes, 0, y->bytes);
    uint64_t left = 0, right = 0;
    if (expr_is_const(bases->graph->exprs, x->address, &left) &&
        expr_is_const(bases->graph->exprs, y->address, &right))
        return pair_of_ranges(base, left, x->bytes, right, y->bytes);
    if (may_be_anywhere(x, y))
        return base != BASE_vloc || x->bytes == y->bytes;
    bool may = false;
    for (uint32_t i = 0; i < x->address_count && !may; i++)
        for (uint32_t j = 0; j < y->address_count && !may; j++)
            may = pair_of_ranges(base, x->addresses[i], x->bytes, y->addresses[j], y->bytes);
    return may;
}

/* Not two constants: equal ones are one expression. */
static bool may_be_equal(const struct bases *bases, expr_id a, expr_id b)
{
    return a == b || !expr_is_const(bases->graph->exprs, a, NULL) ||
           !expr_is_const(bases->graph->exprs, b, NULL);
}

/* Two operations of barriers of one class, of different threads, of which the second waits. */
static bool may_meet(const struct bases *bases, event_tags class, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    return x->kind == EVENT_BARRIER && y->kind == EVENT_BARRIER && !same_thread(x, y) &&
           x->tags & y->tags & class && y->tags & TAG(SYNC) &&
           may_be_equal(bases, pair_barrier(bases->graph, a)->resource,
                        pair_barrier(bases->graph, b)->resource);
}

/* Uncounted operations whose numbers are known complete together only when the numbers are equal. */
static bool may_complete(const struct bases *bases, event_tags class, event_id a, event_id b)
{
    if (!may_meet(bases, class, a, b))
        return false;
    const struct barrier_op *left = pair_barrier(bases->graph, a);
    const struct barrier_op *right = pair_barrier(bases->graph, b);
    return left->owner == right->owner && left->counted == right->counted &&
           (left->counted || may_be_equal(bases, left->number, right->number));
}

static bool is_proxy_fence(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->tags & (TAG(PROXY_FENCE) | TAG(ONE_WAY));
}

bool pair_in_space(const struct graph *graph, const struct event *fence, const struct event *access,
                   uint64_t address)
{
    enum space named = fence->inst ? fence->inst->space : SPACE_GENERIC;
    uint32_t first, count;
    if (named == SPACE_GENERIC)
        return true;
    if (!graph_granules(graph, address, access->bytes, &first, &count))
        return false;
    enum space space = graph->test->locations[graph->granules[first].location].space;
    if (named == SPACE_SHARED_CLUSTER)
        return space == SPACE_SHARED;
    bool far = access->inst && access->inst->space == SPACE_SHARED_CLUSTER;
    return space == named && !(named == SPACE_SHARED && far);
}

static bool may_name_space(const struct bases *bases, event_id a, event_id b)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    const struct event *fence = is_proxy_fence(x) ? x : y, *access = is_proxy_fence(x) ? y : x;
    uint64_t address;
    if (!is_proxy_fence(fence) || !event_is_memory(access))
        return false;
    return !expr_is_const(bases->graph->exprs, access->address, &address) ||
           pair_in_space(bases->graph, fence, access, address);
}

static bool is_fence_sc(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->tags & TAG(SC);
}

/* An initial write wrote one granule. */
static bool is_written_in_pieces(const struct event *event)
{
    return event->kind == EVENT_WRITE && event->pieces > 1;
}

static bool reach_each_other(const struct graph *graph, event_id a, event_id b)
{
    return graph_scope_contains(graph, a, b) && graph_scope_contains(graph, b, a);
}

static bool share_cta(const struct graph *graph, const struct event *x, const struct event *y)
{
    return x->thread != NONE && y->thread != NONE && graph->threads[x->thread].cta != NONE &&
           graph->threads[x->thread].cta == graph->threads[y->thread].cta;
}

static bool share_cluster(const struct graph *graph, const struct event *x, const struct event *y)
{
    return x->thread != NONE && y->thread != NONE && graph->threads[x->thread].cluster != NONE &&
           graph->threads[x->thread].cluster == graph->threads[y->thread].cluster;
}

static bool may_relate(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct graph *graph = bases->graph;
    const struct event *x = &graph->events[a], *y = &graph->events[b];
    switch (base) {
#define BASESET(name, test, meaning)
#define BASEEDGES(name, meaning)
#define BASEREL(name, kind, may, meaning)                                                          \
    case BASE_##name:                                                                              \
        return may;
#include "model/graph/base.def"
    default: /* no relation of this kind */
        abort();
    }
}

/* All edges but those whose guard is plainly false. */
static void fill_edges(const struct bases *bases, enum fixed_relation fixed, struct rel *to)
{
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        uint64_t value;
        bool never = expr_is_const(bases->graph->exprs, edge->guard, &value) && !value;
        if (!never && set_has(bases->live, edge->from) && set_has(bases->live, edge->to))
            rel_add(to, edge->from, edge->to);
    }
}

void pair_fill_may(const struct bases *bases, enum base base, struct rel *to)
{
    if (base_kind(base) == BASE_EDGES) {
        fill_edges(bases, pair_edges(base), to);
        return;
    }
    for (event_id a = 0; a < bases->n; a++)
        for (event_id b = 0; set_has(bases->live, a) && b < bases->n; b++)
            if (set_has(bases->live, b) && may_relate(bases, base, a, b))
                rel_add(to, a, b);
}
