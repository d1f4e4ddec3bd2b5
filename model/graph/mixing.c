/* SPDX-License-Identifier: MIT */
#include "model/graph/mixing.h"

static bool ordered_in_thread(const struct event *x, const struct event *y)
{
    return x->thread == y->thread && x->position != y->position;
}

static uint32_t proxy_of(const struct event *e)
{
    return e->tags & (TAG(GEN) | TAG(TEX) | TAG(SUR) | TAG(CON) | TAG(ASYNC) | TAG(TENSORMAP));
}

bool mixing_possible(const struct graph *graph, event_id a, event_id b, bool same_mapping)
{
    const struct event *x = &graph->events[a], *y = &graph->events[b];
    if (x->kind == EVENT_READ && y->kind == EVENT_READ)
        return false;
    if (x->copied || y->copied)
        return x->thread != y->thread;
    if (graph->tearing != TEARING_BYTES || (x->tags & y->tags & TAG(MBARRIER)))
        return false;
    if (!same_mapping || proxy_of(x) != proxy_of(y))
        return true;
    if (ordered_in_thread(x, y))
        return false;
    return ((x->tags | y->tags) & TAG(WEAK)) || x->bytes != y->bytes ||
           !graph_scope_contains(graph, a, b) || !graph_scope_contains(graph, b, a);
}
