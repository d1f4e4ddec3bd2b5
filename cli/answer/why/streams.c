/* SPDX-License-Identifier: MIT */
#include "cli/answer/why/streams.h"

#include <string.h>

#include "cli/answer/why/lack_words.h"

struct streams {
    struct arena *arena;
    const struct execution *execution;
    const struct graph *graph;
    struct missing_order *order;
};

static const char *stream_of(const struct streams *s, event_id event)
{
    uint32_t thread = s->graph->events[event].thread;
    return thread == NONE ? NULL : s->graph->threads[thread].stream;
}

static const char *name_of(const struct streams *s, event_id event)
{
    return lack_event(s->arena, s->execution, event);
}

static const char *words_for(const struct streams *s, const char *stream)
{
    return strcmp(stream, "legacy") == 0 ? "the legacy stream"
                                         : arena_printf(s->arena, "stream %s", stream);
}

static void tell(struct streams *s, event_id a, event_id b, const char *text)
{
    struct shortcoming shortcoming = {"stream", a, b, text};
    vec_push(s->arena, &s->order->lacks, shortcoming);
}

/* The edge of the rule that leads into the thread 'to', or from the event; NULL: there is none. */
static const struct fixed_edge *edge_into(const struct streams *s, enum api_edge rule, uint32_t to)
{
    for (uint32_t i = 0; i < s->graph->fixed_count[FIXED_api_sync]; i++) {
        const struct fixed_edge *edge = &s->graph->fixed[FIXED_api_sync][i];
        if (edge->rule == rule && s->graph->events[edge->to].thread == to)
            return edge;
    }
    return NULL;
}

/* The call that enqueued the task whose thread is given; NONE: a node of a graph. */
static event_id call_of_task(const struct streams *s, uint32_t task)
{
    const struct fixed_edge *edge = edge_into(s, API_EDGE_E1, task);
    return edge ? edge->from : NONE;
}

/* The launch of the kernel whose thread the event is of. */
static event_id launch_of(const struct streams *s, event_id event)
{
    const struct fixed_edge *edge = edge_into(s, API_EDGE_E5, s->graph->events[event].thread);
    return edge ? call_of_task(s, s->graph->events[edge->from].thread) : NONE;
}

/* The task whose accesses the event is one of: of a kernel, or its own. */
static uint32_t task_of(const struct streams *s, event_id event)
{
    uint32_t thread = s->graph->events[event].thread;
    const struct fixed_edge *edge = edge_into(s, API_EDGE_E5, thread);
    return edge ? s->graph->events[edge->from].thread : thread;
}

/* The line of the call that made the task. */
static uint32_t line_of(const struct streams *s, uint32_t task)
{
    event_id start = 0;
    while (s->graph->events[start].thread != task)
        start++;
    return source_place(s->graph->test->source, s->graph->events[start].span.offset).line;
}

/* Nodes of one launch of a graph are ordered by its edges alone, whatever stream it is launched in. */
static void tell_nodes(struct streams *s)
{
    uint32_t from = task_of(s, s->order->from), to = task_of(s, s->order->to);
    event_id launch = call_of_task(s, from);
    if (from == to || launch == NONE || launch != call_of_task(s, to))
        return;
    tell(s, launch, NONE,
         arena_printf(s->arena,
                      "in the graph that %s launches, no edge leads from the node of line %u to "
                      "that of line %u",
                      name_of(s, launch), line_of(s, from), line_of(s, to)));
}

/* Does the host make the one call before the other? */
static bool is_before(const struct streams *s, event_id a, event_id b)
{
    if (a == NONE || b == NONE)
        return false;
    const struct event *x = &s->graph->events[a], *y = &s->graph->events[b];
    return x->thread == y->thread && x->position < y->position;
}

/* 'record' and 'wait': the calls. */
static void tell_event(struct streams *s, const char *recorded_in, event_id record, event_id wait)
{
    event_id from = s->order->from, to = s->order->to;
    event_id launch = launch_of(s, from), later = launch_of(s, to);
    if (strcmp(recorded_in, stream_of(s, from)) != 0)
        tell(s, wait, record,
             arena_printf(s->arena,
                          "the wait %s is for what %s had to do before %s, but %s "
                          "runs in %s",
                          name_of(s, wait), words_for(s, recorded_in), name_of(s, record),
                          name_of(s, from), words_for(s, stream_of(s, from))));
    else if (is_before(s, record, launch))
        tell(s, record, launch,
             arena_printf(s->arena,
                          "the record %s is before the launch %s, and would have to be after it",
                          name_of(s, record), name_of(s, launch)));
    else if (is_before(s, later, wait))
        tell(s, wait, later,
             arena_printf(s->arena,
                          "the wait %s is after the launch %s, and would have to be before it",
                          name_of(s, wait), name_of(s, later)));
}

/* The events that the stream of the later access waits for. */
static void tell_events(struct streams *s)
{
    for (uint32_t i = 0; i < s->graph->fixed_count[FIXED_api_sync]; i++) {
        const struct fixed_edge *edge = &s->graph->fixed[FIXED_api_sync][i];
        const char *from = stream_of(s, edge->from), *to = stream_of(s, edge->to);
        if (edge->rule != API_EDGE_E3 || !from || !to ||
            strcmp(to, stream_of(s, s->order->to)) != 0)
            continue;
        event_id record = call_of_task(s, s->graph->events[edge->from].thread);
        event_id wait = call_of_task(s, s->graph->events[edge->to].thread);
        if (record != NONE && wait != NONE)
            tell_event(s, from, record, wait);
    }
}

/* The calls in which the host waits for work of other streams, before it reads or launches what reads. */
static void tell_calls(struct streams *s)
{
    event_id to = s->order->to, last = stream_of(s, to) ? launch_of(s, to) : to;
    for (uint32_t i = 0; last != NONE && i < s->graph->fixed_count[FIXED_api_sync]; i++) {
        const struct fixed_edge *edge = &s->graph->fixed[FIXED_api_sync][i];
        const char *stream = stream_of(s, edge->from);
        bool waits = edge->rule == API_EDGE_E13 || edge->rule == API_EDGE_E14;
        if (waits && stream && strcmp(stream, stream_of(s, s->order->from)) != 0 &&
            is_before(s, edge->to, last))
            tell(s, edge->to, s->order->from,
                 arena_printf(s->arena, "%s waits for %s, but %s runs in %s", name_of(s, edge->to),
                              words_for(s, stream), name_of(s, s->order->from),
                              words_for(s, stream_of(s, s->order->from))));
    }
}

static void tell_nothing(struct streams *s)
{
    event_id from = s->order->from, to = s->order->to;
    const char *stream = stream_of(s, to);
    tell(s, to, from,
         arena_printf(s->arena, "nothing makes %s, which %s%s, wait for %s, which runs in %s",
                      name_of(s, to), stream ? "runs in " : "the host does",
                      stream ? words_for(s, stream) : "", name_of(s, from),
                      words_for(s, stream_of(s, from))));
}

void streams_lack(struct arena *arena, const struct execution *execution,
                  struct missing_order *order)
{
    struct streams s = {arena, execution, execution->graph, order};
    const char *from = stream_of(&s, order->from), *to = stream_of(&s, order->to);
    uint32_t thread = execution->graph->events[order->to].thread;
    bool host = execution->graph->threads[thread].host != NONE;
    if (from && to)
        tell_nodes(&s);
    if (order->lacks.len || !from || !(host || to) || (to && strcmp(from, to) == 0))
        return;
    if (to)
        tell_events(&s);
    tell_calls(&s);
    if (!order->lacks.len)
        tell_nothing(&s);
}
