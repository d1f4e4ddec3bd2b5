/* SPDX-License-Identifier: MIT */
#include "cli/answer/barring.h"

/* While a thread goes round, what stands behind its barriers is not done: not by the other threads of these barriers, and
 * not behind loops that wait for what is not done. 'lost' marks the writes among it. */
struct barring {
    const struct graph *graph;
    uint32_t thread; /* that goes round */
    bool *lost;      /* by event */
};

static bool may_meet(const struct event *a, const struct event *b)
{
    for (uint32_t i = 0; i < a->address_count; i++)
        for (uint32_t k = 0; k < b->address_count; k++)
            if (a->addresses[i] < b->addresses[k] + b->bytes &&
                b->addresses[k] < a->addresses[i] + a->bytes)
                return true;
    return false;
}

/* Different virtual addresses may be one memory. */
static bool has_aliases(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->test->location_count; i++)
        if (graph->test->locations[i].alias_of != NONE)
            return true;
    return false;
}

static uint32_t position_of(const struct graph *graph, const struct spin *spin)
{
    return graph->events[spin->reads[0]].position;
}

static bool waits_for_lost(const struct barring *barring, const struct spin *spin)
{
    const struct graph *graph = barring->graph;
    for (uint32_t i = 0; i < spin->read_count; i++)
        for (event_id e = 0; e < graph->event_count; e++)
            if (barring->lost[e] &&
                (has_aliases(graph) || may_meet(&graph->events[spin->reads[i]], &graph->events[e])))
                return true;
    return false;
}

/* The thread does not get past the position. True: that is news. */
static bool lose(struct barring *barring, uint32_t thread, uint32_t position)
{
    bool news = false;
    for (event_id e = 0; e < barring->graph->event_count; e++) {
        const struct event *event = &barring->graph->events[e];
        if (event->thread != thread || event->position <= position || !event_is_write(event))
            continue;
        news |= !barring->lost[e];
        barring->lost[e] = true;
    }
    return news;
}

static bool is_party(const struct graph *graph, uint32_t thread, const struct barrier_op *op)
{
    const struct event *event = &graph->events[op->event];
    const struct thread *one = &graph->threads[thread], *other = &graph->threads[event->thread];
    if (event_barrier_class(event) == TAG(CTA_BARRIER))
        return one->cta == other->cta;
    return event_barrier_class(event) != TAG(CLUSTER_BARRIER) || one->cluster == other->cluster;
}

/* How many operations the thread has on the same barrier up to the position. */
static uint32_t arrivals(const struct graph *graph, uint32_t thread, uint32_t position,
                         const struct barrier_op *op)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        const struct barrier_op *one = &graph->barriers[i];
        const struct event *event = &graph->events[one->event];
        count += event->thread == thread && event->position <= position &&
                 one->owner == op->owner && one->resource == op->resource &&
                 event_barrier_kind(event) == event_barrier_kind(&graph->events[op->event]);
    }
    return count;
}

/* Does the operation wait for the thread, which does not get past the position? */
static bool is_held_up(const struct graph *graph, const struct barrier_op *op, uint32_t thread,
                       uint32_t position)
{
    const struct event *event = &graph->events[op->event];
    bool of_warp = event_barrier_class(event) & (TAG(WARP_BARRIER) | TAG(COLLECTIVE));
    if (op->counted || event->thread == thread || !is_party(graph, thread, op) ||
        (of_warp && !arrivals(graph, thread, UINT32_MAX, op)))
        return false;
    return arrivals(graph, thread, position, op) <
           arrivals(graph, event->thread, event->position, op);
}

/* Nor do the others get past the barriers where they wait for the thread. */
static bool lose_behind_barriers(struct barring *barring, uint32_t thread, uint32_t position)
{
    const struct graph *graph = barring->graph;
    bool news = false;
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        const struct event *event = &graph->events[graph->barriers[i].event];
        if (event->thread != barring->thread &&
            is_held_up(graph, &graph->barriers[i], thread, position))
            news |= lose(barring, event->thread, event->position);
    }
    return news;
}

static bool spread(struct barring *barring)
{
    const struct graph *graph = barring->graph;
    bool news = false;
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        const struct spin *spin = &graph->spins[i];
        if (!spin->read_count || spin->thread == barring->thread || !waits_for_lost(barring, spin))
            continue;
        news |= lose(barring, spin->thread, position_of(graph, spin));
        news |= lose_behind_barriers(barring, spin->thread, position_of(graph, spin));
    }
    return news;
}

bool barring_loops(struct arena *arena, const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        const struct spin *spin = &graph->spins[i];
        struct barring barring = {graph, spin->thread,
                                  ARENA_ARRAY(arena, bool, graph->event_count + 1)};
        if (!spin->read_count ||
            !lose_behind_barriers(&barring, spin->thread, position_of(graph, spin)))
            continue;
        while (spread(&barring))
            ;
        if (waits_for_lost(&barring, spin))
            return true;
    }
    return false;
}
