/* SPDX-License-Identifier: MIT */
#include "cli/answer/stall.h"

#include "cli/answer/names.h"
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

/* ---- who waits ------------------------------------------------------------------------------ */

static bool holds(const struct execution *stuck, expr_id condition)
{
    uint64_t value;
    return execution_eval(stuck, condition, &value) && value;
}

static const struct spin *spin_of(const struct execution *stuck, uint32_t thread)
{
    const struct graph *graph = stuck->graph;
    for (uint32_t i = 0; i < graph->spin_count; i++)
        if (graph->spins[i].thread == thread && holds(stuck, graph->spins[i].condition))
            return &graph->spins[i];
    return NULL;
}

static bool waits_at_barrier(const struct execution *stuck, event_id e)
{
    const struct event *event = &stuck->graph->events[e];
    return event->kind == EVENT_BARRIER && event->tags & TAG(SYNC) && stuck->executed[e] &&
           stuck->completion[event->barrier] == NONE;
}

/* Does the thread wait for ever itself? */
static bool waits(const struct execution *stuck, uint32_t thread)
{
    bool wait = spin_of(stuck, thread);
    for (event_id e = 0; e < stuck->graph->event_count && !wait; e++)
        wait = stuck->graph->events[e].thread == thread && waits_at_barrier(stuck, e);
    return wait;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* The last write of what the read keeps missing, or NONE: it is done, and nothing promises that it is seen. */
static event_id missed(const struct execution *stuck, event_id read)
{
    event_id last = stuck->final[stuck->first_granule[read]];
    bool seen = last == NONE || last == stuck->rf[stuck->rf_base[read]];
    return seen || stuck->graph->events[last].kind == EVENT_INIT ? NONE : last;
}

static const char *why_not(const struct execution *stuck, event_id id, bool after)
{
    uint32_t writer = stuck->graph->events[id].thread;
    const struct thread *thread = &stuck->graph->threads[writer];
    if (stuck->executed[id])
        return "and nothing promises that it is seen";
    if (!after && !stuck->graph->test->host && !holds(stuck, stuck->graph->ended[writer]))
        return waits(stuck, writer) ? "but it waits too" : "but need not get that far";
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
    const struct event *write = &graph->events[id];
    const struct thread *thread = &graph->threads[write->thread];
    const char *place = test_line_words(job->arena, job->test, write->span.offset);
    if (write->copied)
        return arena_printf(job->arena, ", which the %s writes, %s", thread->name,
                            why_not(stuck, id, after));
    return arena_printf(job->arena, ", which %s%s%s writes at %s, %s", thread->name,
                        thread->stream ? " in " : "", thread->stream ? thread->stream : "", place,
                        why_not(stuck, id, after));
}

/* May the write end the wait still? Not what the thread itself passed by on its way there. */
static bool may_come(const struct execution *stuck, const struct spin *spin, event_id write,
                     const bool *after)
{
    const struct event *event = &stuck->graph->events[write];
    return event->kind == EVENT_WRITE && !stuck->executed[write] &&
           (after[write] || event->thread != spin->thread);
}

/* "; it waits for q, which H writes at line 12, after it". Empty where it reads nothing. */
static const char *stall_words(const struct job *job, const struct execution *stuck,
                               const struct spin *spin)
{
    const struct graph *graph = stuck->graph;
    event_id read = awaited(stuck, spin), writer = NONE;
    if (read == NONE || !stuck->granules[read])
        return "";
    const bool *after = behind(job, stuck, read);
    for (event_id e = graph->event_count; e-- > 0;)
        if (may_come(stuck, spin, e, after) && may_touch(&graph->events[e], stuck->address[read]) &&
            (writer == NONE || after[writer] || !after[e]))
            writer = e;
    if (writer == NONE)
        writer = missed(stuck, read);
    uint32_t location = graph->granules[stuck->first_granule[read]].location;
    return arena_printf(job->arena, "; it waits for %s%s", graph->test->locations[location].name,
                        writer == NONE ? ", which nothing else writes"
                                       : writer_words(job, stuck, writer, after[writer]));
}

/* ---- who has not ended ---------------------------------------------------------------------- */

static struct stall stall_of_spin(const struct job *job, const struct execution *stuck,
                                  const struct spin *spin)
{
    struct stall stall = {.thread = spin->thread, .kind = STALL_ROUND};
    event_id *events = ARENA_ARRAY(job->arena, event_id, spin->read_count + 1);
    for (uint32_t i = 0; i < spin->read_count; i++)
        if (stuck->executed[spin->reads[i]])
            events[stall.event_count++] = spin->reads[i];
    stall.events = events;
    stall.words = arena_printf(
        job->arena, "%s for ever at %s%s", spin->waits ? "waits" : "goes round",
        test_line_words(job->arena, job->test, spin->span.offset), stall_words(job, stuck, spin));
    return stall;
}

/* The first instruction that the scheduler does not let the thread execute. */
static event_id left_before(const struct execution *stuck, uint32_t thread)
{
    const struct graph *graph = stuck->graph;
    event_id next = NONE;
    for (event_id e = graph->event_count; e-- > 0;)
        if (graph->events[e].thread == thread && stuck->executed[e])
            return next;
        else if (graph->events[e].thread == thread)
            next = e;
    return next;
}

static struct stall stall_of_left(const struct job *job, const struct execution *stuck,
                                  uint32_t thread)
{
    const struct graph *graph = stuck->graph;
    event_id next = left_before(stuck, thread);
    bool started = false;
    for (event_id e = 0; e < graph->event_count; e++)
        started |= graph->events[e].thread == thread && stuck->executed[e];
    if (!started)
        return (struct stall){.thread = thread, .kind = STALL_UNSTARTED, .words = "never starts"};
    const char *at = "";
    if (next != NONE)
        at = arena_printf(job->arena, " before '%s' (%s)", graph->events[next].text,
                          test_line_words(job->arena, job->test, graph->events[next].span.offset));
    return (struct stall){.thread = thread,
                          .kind = STALL_LEFT,
                          .words = arena_printf(job->arena, "is left standing%s", at)};
}

static struct stall stall_of_wait(const struct job *job, const struct execution *stuck, event_id e)
{
    const struct event *event = &stuck->graph->events[e];
    return (struct stall){
        .thread = event->thread,
        .kind = STALL_WAIT,
        .words = arena_printf(job->arena, "waits for ever at '%s' (%s)", event->text,
                              test_line_words(job->arena, job->test, event->span.offset))};
}

struct stall_list stall_find(const struct job *job, const struct execution *stuck)
{
    struct stall_list list = {0};
    const struct graph *graph = stuck->graph;
    for (uint32_t t = 0; t < graph->thread_count; t++) {
        const struct spin *spin = spin_of(stuck, t);
        event_id wait = 0;
        while (wait < graph->event_count &&
               (graph->events[wait].thread != t || !waits_at_barrier(stuck, wait)))
            wait++;
        if (spin)
            vec_push(job->arena, &list.items, stall_of_spin(job, stuck, spin));
        else if (wait < graph->event_count)
            vec_push(job->arena, &list.items, stall_of_wait(job, stuck, wait));
        else if (!holds(stuck, graph->ended[t]))
            vec_push(job->arena, &list.items, stall_of_left(job, stuck, t));
    }
    return list;
}

const char *stall_line(const struct job *job, const struct execution *stuck,
                       const struct stall *stall)
{
    const char *line =
        arena_printf(job->arena, "%s %s", stuck->graph->threads[stall->thread].name, stall->words);
    for (uint32_t i = 0; i < stall->event_count; i++)
        line = arena_printf(job->arena, "%s%s%s", line, i ? ", " : ": again and again ",
                            name_event(job->arena, stuck, stall->events[i]));
    return line;
}
