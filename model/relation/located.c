/* SPDX-License-Identifier: MIT */
#include "model/relation/kind.h"

#include <stdlib.h>

#include "model/relation/pair.h"

/* The relations that hang on the addresses of accesses. */

void relation_say_address(const struct bases *bases, event_id e, struct fact_sink *sink)
{
    if (bases->address_open[e])
        fact_expr(sink, bases->graph->events[e].address, bases->execution->address[e]);
}

static bool is_open(const struct bases *bases, enum base base)
{
    (void)base;
    return bases->any_address_open;
}

static bool must(const struct bases *bases, enum base base, event_id a, event_id b)
{
    (void)base;
    return bases->graph->events[a].address == bases->graph->events[b].address ||
           (!bases->address_open[a] && !bases->address_open[b]);
}

static bool holds(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct execution *execution = bases->execution;
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    switch (base) {
    case BASE_loc:
        return pair_of_runs(execution->first_granule[a], execution->granules[a],
                            execution->first_granule[b], execution->granules[b]);
    case BASE_proxy_space:
        return y->kind == EVENT_FENCE ? pair_in_space(bases->graph, y, x, execution->address[a])
                                      : pair_in_space(bases->graph, x, y, execution->address[b]);
    case BASE_vloc:
    case BASE_overlap:
    case BASE_partial_overlap:
        return pair_of_ranges(base, execution->address[a], x->bytes, execution->address[b],
                              y->bytes);
    default: /* a LOCATED row of base.def that nobody looks for */
        abort();
    }
}

/* Both addresses decide, unless they are one expression. */
static void why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
                struct fact_sink *sink)
{
    const struct event *x = &bases->graph->events[a], *y = &bases->graph->events[b];
    (void)base;
    (void)present;
    base_why_executed(bases, a, sink);
    base_why_executed(bases, b, sink);
    if (event_is_memory(x) && event_is_memory(y) && x->address == y->address)
        return; /* the same whatever it is */
    relation_say_address(bases, a, sink);
    relation_say_address(bases, b, sink);
}

static void why_all(const struct bases *bases, struct fact_sink *sink)
{
    for (event_id e = 0; e < bases->n; e++)
        if (event_is_memory(&bases->graph->events[e]) && set_has(bases->executed, e))
            relation_say_address(bases, e, sink);
}

const struct relation_kind relation_located = {is_open, must, holds, NULL, why, why_all};
