/* SPDX-License-Identifier: MIT */
#include "model/unfold/lone.h"

#include "model/graph/conflict.h"

static bool has_open_loop(const struct graph *graph, uint32_t thread)
{
    for (uint32_t i = 0; i < graph->spin_count; i++)
        if (graph->spins[i].thread == thread && graph->spins[i].open)
            return true;
    return false;
}

static bool is_lone(const struct graph *graph, event_id write)
{
    const struct event *event = &graph->events[write];
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_WRITE && graph->events[e].thread != event->thread &&
            conflict_overlap(graph, e, write))
            return false;
    return event->address_count == 1;
}

/* All that the instruction writes. */
static bool is_always_lone(const struct graph *graph, const struct event *event)
{
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_WRITE && graph->events[e].thread == event->thread &&
            graph->events[e].span.offset == event->span.offset && !is_lone(graph, e))
            return false;
    return true;
}

/* Threads of a host program are not the same in each graph. */
bool lone_find(struct builder *b, struct graph **graphs, uint32_t count)
{
    const struct graph *graph = graphs[0];
    for (event_id e = 0; e < graph->event_count && count == 1 && !b->test->host; e++) {
        const struct event *event = &graph->events[e];
        if (event->kind == EVENT_WRITE && !builder_is_lone(b, event) &&
            has_open_loop(graph, event->thread) && is_always_lone(graph, event))
            vec_push(b->arena, &b->lone, ((struct lone){event->thread, event->span}));
    }
    return b->lone.len;
}
