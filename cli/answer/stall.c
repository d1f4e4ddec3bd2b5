/* SPDX-License-Identifier: MIT */
#include "cli/answer/stall.h"

#include "litmus/test/code_line.h"

/* A thread goes round for ever: which location it reads, and why nobody writes there any more. */

/* The last read of the loop that was executed, or NONE. */
static event_id awaited(const struct execution *stuck, const struct spin *spin)
{
    for (uint32_t i = spin->read_count; i-- > 0;)
        if (stuck->executed[spin->reads[i]])
            return spin->reads[i];
    return NONE;
}

static bool may_touch(const struct event *event, uint64_t address)
{
    for (uint32_t i = 0; i < event->address_count; i++)
        if (address >= event->addresses[i] && address < event->addresses[i] + event->bytes)
            return true;
    return false;
}

/* ---- what comes after ----------------------------------------------------------------------- */

/* An edge that the execution has not is left out; of one that hangs on what did not happen nobody knows. */
static bool follow(const struct execution *stuck, enum fixed_relation relation, bool *after)
{
    const struct graph *graph = stuck->graph;
    bool grew = false;
    for (uint32_t i = 0; i < graph->fixed_count[relation]; i++) {
        const struct fixed_edge *e = &graph->fixed[relation][i];
        uint64_t is = 1;
        if (after[e->from] && !after[e->to] && (!execution_eval(stuck, e->guard, &is) || is))
            after[e->to] = grew = true;
    }
    return grew;
}

/* Adds the events that program order or the API puts after those of the set. */
static bool grow(const struct execution *stuck, bool *after)
{
    const struct graph *graph = stuck->graph;
    bool grew = false;
    for (event_id a = 0; a < graph->event_count; a++)
        for (event_id b = 0; after[a] && b < graph->event_count; b++)
            if (!after[b] && graph->events[a].thread == graph->events[b].thread &&
                graph->events[a].position < graph->events[b].position)
                after[b] = grew = true;
    grew |= follow(stuck, FIXED_api_sync, after);
    grew |= follow(stuck, FIXED_enqueue, after);
    return grew;
}

/* The events that cannot be before the loop is left. */
static const bool *behind(const struct job *job, const struct execution *stuck, event_id read)
{
    bool *after = ARENA_ARRAY(job->arena, bool, stuck->graph->event_count + 1);
    after[read] = true;
    while (grow(stuck, after))
        ;
    return after;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The last write of what the read keeps missing, or NONE: it is done, and nothing promises that it is seen. */
static event_id missed(const struct execution *stuck, event_id read)
{
    event_id last = stuck->final[stuck->first_granule[read]];
    bool seen = last == NONE || last == stuck->rf[stuck->rf_base[read]];
    return seen || stuck->graph->events[last].kind == EVENT_INIT ? NONE : last;
}

static const char *why_not(const struct thread *thread, bool after, bool done)
{
    if (done)
        return "and nothing promises that it is seen";
    if (after)
        return "but only after it";
    return thread->stream ? "but need not start beside it"
                          : "but only after a call that need not return";
}

/* A copy's or a set's name says where its call is. */
static const char *writer_words(const struct job *job, const struct execution *stuck, event_id id,
                                bool after)
{
    const struct graph *graph = stuck->graph;
    bool done = stuck->executed[id];
    const struct event *write = &graph->events[id];
    const struct thread *thread = &graph->threads[write->thread];
    const char *place = test_line_words(job->arena, job->test, write->span.offset);
    if (write->copied)
        return arena_printf(job->arena, ", which the %s writes, %s", thread->name,
                            why_not(thread, after, done));
    return arena_printf(job->arena, ", which %s%s%s writes at %s, %s", thread->name,
                        thread->stream ? " in " : "", thread->stream ? thread->stream : "", place,
                        why_not(thread, after, done));
}

const char *stall_words(const struct job *job, const struct execution *stuck,
                        const struct spin *spin)
{
    const struct graph *graph = stuck->graph;
    event_id read = awaited(stuck, spin), writer = NONE;
    if (read == NONE || !stuck->granules[read])
        return "";
    const bool *after = behind(job, stuck, read);
    for (event_id e = graph->event_count; e-- > 0;)
        if (graph->events[e].kind == EVENT_WRITE && !stuck->executed[e] &&
            may_touch(&graph->events[e], stuck->address[read]) &&
            (writer == NONE || after[writer] || !after[e]))
            writer = e;
    if (writer == NONE)
        writer = missed(stuck, read);
    uint32_t location = graph->granules[stuck->first_granule[read]].location;
    return arena_printf(job->arena, "; it waits for %s%s", job->test->locations[location].name,
                        writer == NONE ? ", which nothing else writes"
                                       : writer_words(job, stuck, writer, after[writer]));
}
