/* SPDX-License-Identifier: MIT */
#include "model/unfold/racing.h"

#include "model/graph/conflict.h"
#include "model/value/refute.h"

/* The iteration that leaves a loop makes the same accesses as those before it that went round, but where a branch leads
 * elsewhere. It races with what they race with, unless the loop has synchronized in between. */

static bool synchronizes_with(const struct graph *graph, event_id read, event_id write)
{
    const struct event *to = &graph->events[read], *from = &graph->events[write];
    return from->kind == EVENT_WRITE && from->thread != to->thread &&
           graph_mutual(graph, read, write) && conflict_overlap(graph, read, write);
}

/* May one of its iterations be told something by another thread? */
static bool may_synchronize(const struct graph *graph, const struct spin *spin)
{
    for (uint32_t i = 0; i < spin->read_count; i++)
        for (event_id e = 0; e < graph->event_count; e++)
            if (synchronizes_with(graph, spin->reads[i], e))
                return true;
    return spin->has_fence_sc;
}

/* Does it race with the same accesses, where nothing orders the two differently? */
static bool is_alike(const struct event *a, const struct event *b)
{
    return a->kind == b->kind && a->tags == b->tags && a->scope == b->scope &&
           a->bytes == b->bytes && a->address_count == 1 && b->address_count == 1 &&
           a->addresses[0] == b->addresses[0];
}

/* Is it made by an iteration that goes round? A CAS that swaps leaves many a loop. */
static bool goes_round(const struct graph *graph, const struct spin *spin, event_id access)
{
    expr_id guard = graph->events[access].guard;
    return !expr_refuted(graph->exprs, expr_and(graph->exprs, spin->round, guard));
}

/* Is one like it sure to be made by an iteration that does not go round in vain? */
static bool comes_again(const struct graph *graph, const struct spin *spin, event_id access)
{
    struct expr_pool *exprs = graph->exprs;
    const struct event *event = &graph->events[access];
    expr_id without = expr_and(exprs, spin->begins, expr_not(exprs, spin->condition));
    for (uint32_t i = 0; i < spin->read_count; i++) {
        event_id other = spin->reads[i];
        other = event->kind == EVENT_WRITE ? graph->events[other].rmw : other;
        if (other != NONE && is_alike(event, &graph->events[other]))
            without = expr_and(exprs, without, expr_not(exprs, graph->events[other].guard));
    }
    return expr_refuted(exprs, without);
}

static bool may_race(const struct graph *graph, event_id access)
{
    for (event_id e = 0; e < graph->event_count; e++)
        if (conflict_possible(graph, access, e))
            return true;
    return false;
}

static bool races_alone(const struct graph *graph, const struct spin *spin, event_id access,
                        bool told)
{
    return access != NONE && goes_round(graph, spin, access) &&
           (told || !comes_again(graph, spin, access)) && may_race(graph, access);
}

/* May a race of the iteration be one of its own? What it writes is what it has read: the reads tell. */
static bool has_races(const struct graph *graph, const struct spin *spin)
{
    bool told = may_synchronize(graph, spin);
    for (uint32_t i = 0; i < spin->read_count; i++) {
        event_id read = spin->reads[i];
        if (races_alone(graph, spin, read, told) ||
            races_alone(graph, spin, graph->events[read].rmw, told))
            return true;
    }
    return false;
}

bool racing_find(struct builder *b, struct graph **graphs, uint32_t count)
{
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t i = 0; i < graphs[g]->spin_count; i++) {
            const struct spin *spin = &graphs[g]->spins[i];
            if (!builder_may_race(b, spin->span) && has_races(graphs[g], spin))
                vec_push(b->arena, &b->racing, spin->span);
        }
    return b->racing.len;
}
