/* SPDX-License-Identifier: MIT */
#include "model/execution/promises.h"

#ifndef NDEBUG

#include <assert.h>

#include "model/value/rel.h"

static bool touches(const struct execution *x, event_id e, uint32_t granule)
{
    return granule - x->first_granule[e] < x->granules[e];
}

static void read_promises(const struct execution *x, event_id read)
{
    for (uint32_t i = 0; i < x->granules[read]; i++) {
        event_id write = x->rf[x->rf_base[read] + i];
        assert(write < x->graph->event_count && x->executed[write]);
        assert(event_is_write(&x->graph->events[write]));
        assert(touches(x, write, x->first_granule[read] + i));
    }
}

static void co_promises(const struct execution *x, event_id a, event_id b)
{
    assert(event_is_write(&x->graph->events[a]) && event_is_write(&x->graph->events[b]));
    assert(a != b && !rel_has(x->co, b, a));
}

void execution_promises(const struct execution *x)
{
    const struct graph *graph = x->graph;
    assert(x->co->n == graph->event_count && x->sc->n == graph->event_count);
    for (event_id e = 0; e < graph->event_count; e++) {
        if (!x->executed[e])
            continue;
        if (event_is_memory(&graph->events[e])) {
            assert(x->granules[e] >= 1);
            assert(x->first_granule[e] + x->granules[e] <= graph->granule_count);
        }
        if (graph->events[e].kind == EVENT_READ)
            read_promises(x, e);
        for (event_id b = 0; b < graph->event_count; b++) {
            if (rel_has(x->co, e, b) && x->executed[b])
                co_promises(x, e, b);
            if (rel_has(x->sc, e, b))
                assert(graph->events[e].kind == EVENT_FENCE &&
                       graph->events[b].kind == EVENT_FENCE);
        }
    }
    for (uint32_t g = 0; g < graph->granule_count; g++)
        assert(x->executed[x->final[g]] && touches(x, x->final[g], g));
}

#endif
