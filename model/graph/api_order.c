/* SPDX-License-Identifier: MIT */
#include "model/graph/api_order.h"

#include "litmus/base/arena.h"

struct api_walk {
    const struct graph *g;
    struct arena *arena;
    bool *after;
    /* these are there in every execution, so that what comes after them does after the first */
    VEC(event_id) todo;
};

static void meet(struct api_walk *w, event_id e)
{
    if (w->after[e])
        return;
    w->after[e] = true;
    if (expr_is_true(w->g->exprs, w->g->events[e].guard))
        vec_push(w->arena, &w->todo, e);
}

static void go_on_from(struct api_walk *w, event_id e)
{
    const struct graph *g = w->g;
    const struct event *event = &g->events[e];
    for (uint32_t i = 0; i < g->fixed_count[FIXED_api_sync]; i++) {
        const struct fixed_edge *edge = &g->fixed[FIXED_api_sync][i];
        if (edge->from == e && expr_is_true(g->exprs, edge->guard))
            meet(w, edge->to);
    }
    for (event_id later = 0; later < g->event_count && event->thread != NONE; later++)
        if (g->events[later].thread == event->thread && g->events[later].position > event->position)
            meet(w, later);
}

const bool *api_order_after(struct arena *arena, const struct graph *graph, event_id first)
{
    struct api_walk w = {.g = graph, .arena = arena};
    w.after = ARENA_ARRAY(arena, bool, graph->event_count + 1);
    go_on_from(&w, first);
    while (w.todo.len)
        go_on_from(&w, w.todo.at[--w.todo.len]);
    return w.after;
}
