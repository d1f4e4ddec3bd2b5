/* SPDX-License-Identifier: MIT */
#include "model/graph/promises.h"

#ifndef NDEBUG

#include <assert.h>

static bool is_truth(const struct graph *graph, expr_id id)
{
    return id < expr_count(graph->exprs) && expr_get(graph->exprs, id)->width == 1;
}

static void memory_promises(const struct graph *graph, const struct event *event)
{
    assert(event->bytes >= 1 && event->bytes <= 8);
    assert(expr_get(graph->exprs, event->address)->width == 64);
    assert(event->kind == EVENT_READ ||
           expr_get(graph->exprs, event->value)->width == 8 * event->bytes);
    assert(event->pieces <= event->bytes);
    for (uint32_t i = 1; i < event->address_count; i++)
        assert(event->addresses[i - 1] < event->addresses[i]);
    for (uint32_t i = 0; i < event->pieces; i++)
        assert(event->piece_start[i] < event->piece_start[i + 1]);
}

static void event_promises(const struct graph *graph, event_id e)
{
    const struct event *event = &graph->events[e];
    event_tags strength = event->tags & (TAG(RLX) | TAG(ACQ) | TAG(REL));
    assert(is_truth(graph, event->guard));
    assert((event->kind == EVENT_INIT) == (event->thread == NONE));
    assert(event->thread == NONE || event->thread < graph->thread_count);
    if (event_is_memory(event))
        memory_promises(graph, event);
    if (event->kind == EVENT_READ || event->kind == EVENT_WRITE)
        assert(!(event->tags & TAG(WEAK)) || !strength); /* weak ones carry none of the others */
    if (event->rmw != NONE) {
        assert(event->rmw < graph->event_count && graph->events[event->rmw].rmw == e);
        assert(graph->events[event->rmw].kind != event->kind); /* a read and a write */
        assert(graph->events[event->rmw].thread == event->thread);
    }
    assert((event->kind == EVENT_BARRIER) == (event->barrier != NONE));
    if (event->barrier != NONE)
        assert(event->barrier < graph->barrier_count && graph->barriers[event->barrier].event == e);
}

static void order_promises(const struct graph *graph)
{
    for (event_id e = 1; e < graph->event_count; e++) {
        const struct event *before = &graph->events[e - 1], *event = &graph->events[e];
        assert(event->kind != EVENT_INIT || before->kind == EVENT_INIT); /* initial writes first */
        if (before->thread != NONE && event->thread == before->thread &&
            graph->threads[event->thread].issuer == NONE)
            assert(before->position <= event->position);
    }
}

static void barrier_promises(const struct graph *graph, const struct barrier_op *op)
{
    assert(op->event < graph->event_count);
    assert(expr_get(graph->exprs, op->resource)->width == 32);
    assert(expr_get(graph->exprs, op->number)->width == 32);
    assert(is_truth(graph, op->passed) && is_truth(graph, op->gathered));
    assert(!op->counted || expr_get(graph->exprs, op->need)->width == 32);
}

static void memory_map_promises(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->granule_count; i++) {
        const struct granule *granule = &graph->granules[i];
        assert(granule->bytes >= 1 && granule->init < graph->event_count);
        assert(graph->events[granule->init].kind == EVENT_INIT);
        assert(granule->location < graph->test->location_count);
        assert(graph->test->locations[granule->location].alias_of == NONE);
        assert(!i ||
               graph->granules[i - 1].physical + graph->granules[i - 1].bytes <= granule->physical);
    }
    for (uint32_t i = 1; i < graph->mapping_count; i++)
        assert(graph->mappings[i - 1].virtual_base <= graph->mappings[i].virtual_base);
}

static void edge_promises(const struct graph *graph)
{
    for (int kind = 0; kind < FIXED_COUNT; kind++)
        for (uint32_t i = 0; i < graph->fixed_count[kind]; i++) {
            const struct fixed_edge *edge = &graph->fixed[kind][i];
            assert(edge->from < graph->event_count && edge->to < graph->event_count);
            assert(is_truth(graph, edge->guard));
        }
}

static void ending_promises(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->assumption_count; i++)
        assert(is_truth(graph, graph->assumptions[i].condition));
    for (uint32_t i = 0; i < graph->undefined_count; i++)
        assert(graph->undefined[i].name && is_truth(graph, graph->undefined[i].condition));
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        assert(graph->spins[i].thread < graph->thread_count);
        for (uint32_t k = 0; k < graph->spins[i].read_count; k++)
            assert(graph->events[graph->spins[i].reads[k]].kind == EVENT_READ &&
                   (!graph->spins[i].before ||
                    graph->events[graph->spins[i].before[k]].kind == EVENT_READ));
        for (uint32_t k = 0; k < graph->spins[i].fence_count; k++)
            assert(graph->events[graph->spins[i].fences[k]].kind == EVENT_FENCE);
    }
    for (uint32_t i = 0; i < graph->thread_count; i++)
        assert(graph->threads[i].name && is_truth(graph, graph->ended[i]));
    for (uint32_t i = 0; i < graph->test->observed_count; i++)
        if (graph->test->observed[i].kind == TERM_REG)
            assert(graph->observed[i] < expr_count(graph->exprs));
        else
            assert(graph->observed_granules[i] < graph->granule_count);
}

void graph_promises(const struct graph *graph)
{
    assert(graph->test && graph->arena && graph->exprs);
    for (event_id e = 0; e < graph->event_count; e++)
        event_promises(graph, e);
    order_promises(graph);
    memory_map_promises(graph);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        barrier_promises(graph, &graph->barriers[i]);
    edge_promises(graph);
    ending_promises(graph);
}

#endif
