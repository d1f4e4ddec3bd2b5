/* SPDX-License-Identifier: MIT */
#include "model/graph/conflict.h"

/* More pairs of addresses than these are not looked through. */
enum { MOST_PAIRS = 1 << 12 };

static bool may_conflict(const struct event *x, const struct event *y)
{
    bool accesses = event_is_memory(x) && event_is_memory(y);
    bool initial = x->kind == EVENT_INIT || y->kind == EVENT_INIT;
    bool reads = x->kind == EVENT_READ && y->kind == EVENT_READ;
    bool one_path = x->thread == y->thread && x->tags & y->tags & TAG(GEN);
    return accesses && !initial && !reads && !one_path;
}

static bool ranges_meet(const struct graph *graph, const struct event *x, uint64_t x_address,
                        const struct event *y, uint64_t y_address)
{
    uint64_t a = 0, b = 0;
    if (!graph_physical(graph, x_address, &a) || !graph_physical(graph, y_address, &b))
        return false;
    return a <= b ? b - a < x->bytes : a - b < y->bytes;
}

/* Do they meet at some of their addresses? 'alike': also where the two are one. */
static bool meet(const struct graph *graph, const struct event *x, const struct event *y,
                 bool alike)
{
    if ((uint64_t)x->address_count * y->address_count > MOST_PAIRS)
        return true;
    for (uint32_t i = 0; i < x->address_count; i++)
        for (uint32_t k = 0; k < y->address_count; k++)
            if ((alike || x->addresses[i] != y->addresses[k]) &&
                ranges_meet(graph, x, x->addresses[i], y, y->addresses[k]))
                return true;
    return false;
}

bool conflict_overlap(const struct graph *graph, event_id a, event_id b)
{
    return meet(graph, &graph->events[a], &graph->events[b], true);
}

bool conflict_possible(const struct graph *graph, event_id a, event_id b)
{
    const struct event *x = &graph->events[a], *y = &graph->events[b];
    if (!may_conflict(x, y))
        return false;
    bool atomic = x->bytes == y->bytes && graph_mutual(graph, a, b);
    return meet(graph, x, y, !atomic);
}
