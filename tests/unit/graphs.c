/* SPDX-License-Identifier: MIT */
#include "tests/unit/graphs.h"

#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/execution/outcome.h"

struct unfolded unfold_bytes(const char *name, const char *text, size_t length, bool liveness)
{
    struct unfold_options options = {.unroll = 3, .max_events = 5000, .liveness = liveness};
    struct unfolded u = {.arena = arena_new()};
    uint32_t count;
    u.diags.arena = u.arena;
    struct source *source = source_new(u.arena, name, text, length);
    u.test = litmus_parse(u.arena, source, &u.diags);
    if (!u.test)
        return u;
    struct graph **graphs = unfold(u.arena, u.test, &options, &u.diags, &count);
    u.graph = graphs ? graphs[0] : NULL;
    return u;
}

static struct unfolded unfold_good(const char *text, bool liveness)
{
    struct unfolded u = unfold_bytes("test", text, strlen(text), liveness);
    if (!u.test)
        g_test_message("%s", diag_render(u.arena, &u.diags.items.at[0]));
    g_assert_nonnull(u.test);
    return u;
}

struct unfolded unfold_text(const char *text)
{
    return unfold_good(text, false);
}

struct unfolded unfold_live(const char *text)
{
    return unfold_good(text, true);
}

static bool is_in(const struct graph *graph, event_id e, const char *thread, enum event_kind kind)
{
    const struct event *event = &graph->events[e];
    return event->kind == kind && event->thread != NONE &&
           !strcmp(graph->threads[event->thread].name, thread);
}

uint32_t count_events(const struct graph *graph, const char *thread, enum event_kind kind)
{
    uint32_t count = 0;
    for (event_id e = 0; e < graph->event_count; e++)
        count += is_in(graph, e, thread, kind);
    return count;
}

event_id find_event(const struct graph *graph, const char *thread, enum event_kind kind, uint32_t n)
{
    for (event_id e = 0; e < graph->event_count; e++)
        if (is_in(graph, e, thread, kind) && n-- == 0)
            return e;
    g_assert_not_reached();
}

bool has_edge(const struct graph *graph, enum fixed_relation relation, event_id from, event_id to)
{
    for (uint32_t i = 0; i < graph->fixed_count[relation]; i++)
        if (graph->fixed[relation][i].from == from && graph->fixed[relation][i].to == to)
            return true;
    return false;
}

struct execution *execute(struct unfolded *u, const event_id *sources, bool succeeds)
{
    struct execution *x = execution_new(u->arena, u->graph);
    for (event_id e = 0; e < u->graph->event_count; e++)
        if (u->graph->events[e].kind == EVENT_READ)
            x->rf[x->rf_base[e]] = *sources++;
    g_assert_cmpint(execution_complete(x), ==, succeeds);
    return x;
}

const char *state_text(struct unfolded *u, const struct execution *execution)
{
    return outcome_print(u->arena, u->test, execution->observed);
}
