/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include <stdlib.h>

/* Calls in one order: what each of them does to the state of the runtime, by its class and subject. */

/* ---- effects -------------------------------------------------------------------------------- */

static void enqueue(struct planning *p)
{
    const struct host_call *call = p->call;
    enum host_subject subject = call->row->subject;
    struct plan_stream *s = plan_stream(p, call->stream);
    if (!s->exists) {
        plan_error(p, HOST_MISUSE_NO_STREAM);
        return;
    }
    if (plan_capture(p, s))
        return;
    uint32_t task = plan_new_task(p, call);
    plan_task(p, task)->programmatic =
        call->launch != NONE && p->b->test->launches[call->launch].programmatic;
    plan_enqueue(p, s, task);
    if (subject == HOST_SUBJECT_COPY || subject == HOST_SUBJECT_SET)
        plan_return(p, s, task);
    else if (subject == HOST_SUBJECT_GRAPH)
        plan_launch_graph(p, task);
    else
        plan_work(p, call, task, NULL);
}

enum { MAX_DEVICES = 16 };

static void set_device(struct planning *p)
{
    if (p->call->value >= MAX_DEVICES)
        plan_refuse(p, p->call, "there are at most 16 devices");
    else
        p->device[p->at->host] = (uint32_t)p->call->value;
}

static void create_event(struct planning *p)
{
    p->events[p->call->event] =
        (struct plan_event){.device = p->device[p->at->host], .capture = NONE};
}

static void destroy_event(struct planning *p)
{
    p->events[p->call->event] = (struct plan_event){.device = NONE, .capture = NONE};
}

static void create_graph(struct planning *p)
{
    p->graphs[p->call->graph] = plan_new_graph(p);
}

static void destroy_stream(struct planning *p)
{
    struct plan_stream *s = &p->streams[p->call->stream];
    vec_push(p->b->arena, &p->destroyed, *s);
    *s = (struct plan_stream){.capture = NONE};
}

static void allocate_or_free(struct planning *p)
{
    plan_lifetime(p, p->call, NONE);
}

static void refuse(struct planning *p)
{
    plan_refuse(p, p->call, "%s is not modelled: %s", p->call->row->name, p->call->row->meaning);
}

/* ---- by class and subject ------------------------------------------------------------------- */

enum { ANY = -1 };

static const struct plan_effect {
    enum host_class class;
    int subject;                     /* or ANY */
    void (*act)(struct planning *p); /* or NULL */
    bool always;                     /* not modelled in a branch */
} effects[] = {
    {HOST_ENQUEUES, ANY, enqueue},
    {HOST_ADDS, ANY, plan_node_by_hand, true},
    {HOST_WAITS, HOST_SUBJECT_STREAM, plan_synchronize_stream},
    {HOST_WAITS, HOST_SUBJECT_EVENT, plan_synchronize_event},
    {HOST_WAITS, HOST_SUBJECT_DEVICE, plan_synchronize_device},
    {HOST_ASKS, HOST_SUBJECT_STREAM, plan_synchronize_stream},
    {HOST_ASKS, HOST_SUBJECT_EVENT, plan_synchronize_event},
    {HOST_CREATES, HOST_SUBJECT_STREAM, plan_create_stream},
    {HOST_CREATES, HOST_SUBJECT_EVENT, create_event},
    {HOST_CREATES, HOST_SUBJECT_GRAPH, create_graph, true},
    {HOST_CREATES, HOST_SUBJECT_EXECUTABLE, plan_instantiate, true},
    {HOST_DESTROYS, HOST_SUBJECT_STREAM, destroy_stream},
    {HOST_DESTROYS, HOST_SUBJECT_EVENT, destroy_event},
    {HOST_DESTROYS, HOST_SUBJECT_GRAPH, NULL, true}, /* what it was launched as stays */
    {HOST_DESTROYS, HOST_SUBJECT_EXECUTABLE, NULL, true},
    {HOST_CHANGES, HOST_SUBJECT_DEVICE, set_device},
    {HOST_CHANGES, HOST_SUBJECT_ALLOCATION, allocate_or_free},
    {HOST_CHANGES, HOST_SUBJECT_RELEASE, allocate_or_free},
    {HOST_CHANGES, HOST_SUBJECT_BEGIN_CAPTURE, plan_begin_capture, true},
    {HOST_CHANGES, HOST_SUBJECT_END_CAPTURE, plan_end_capture, true},
    {HOST_CHANGES, HOST_SUBJECT_DEPENDENCY, plan_dependency_by_hand, true},
    {HOST_REFUSED, ANY, refuse},
};

static const struct plan_effect *effect_of(const struct host_call_row *row)
{
    for (size_t i = 0; i < G_N_ELEMENTS(effects); i++)
        if (effects[i].class == row->class &&
            (effects[i].subject == ANY || effects[i].subject == (int)row->subject))
            return &effects[i];
    abort(); /* a row of host_call.def that nobody gave an effect */
}

static void plan_call(struct planning *p)
{
    const struct plan_effect *effect = effect_of(p->call->row);
    bool asks = effect->class == HOST_ASKS;
    if (plan_call_fails(p))
        return;
    plan_note_destroyed(p);
    if ((asks || effect->class == HOST_WAITS) && plan_capture_forbids(p))
        return;
    if (plan_capture_prohibits(p))
        return;
    if (effect->always && !plan_outside_branches(p))
        return;
    if (effect->act)
        effect->act(p);
    if (asks)
        plan_settle_query(p);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Legacy streams are there from the start, and the per-thread ones that some call uses. */
static void set_up_streams(struct planning *p)
{
    const struct host_program *host = p->host;
    uint32_t own = host->object_count, legacy = own + host->thread_count;
    p->stream_count = legacy + MAX_DEVICES;
    p->streams = ARENA_ARRAY(p->b->arena, struct plan_stream, p->stream_count);
    for (uint32_t i = 0; i < legacy; i++)
        p->streams[i].capture = NONE;
    for (uint32_t i = 0; i < MAX_DEVICES; i++)
        p->streams[legacy + i] = (struct plan_stream){
            .exists = true, .legacy = true, .name = "legacy", .device = i, .capture = NONE};
    for (uint32_t i = 0; i < p->b->instances.len; i++) {
        const struct host_call *call = &host->calls[p->b->instances.at[i].call];
        if (call->stream == HOST_STREAM_PER_THREAD)
            p->streams[own + call->host] =
                (struct plan_stream){.exists = true,
                                     .blocking = true,
                                     .name = arena_printf(p->b->arena, "per-thread of %s",
                                                          host->threads[call->host].name),
                                     .capture = NONE};
    }
}

void host_plan_calls(struct host_plan *plan, const uint32_t *order)
{
    struct builder *b = plan->b;
    const struct host_program *host = plan->host = b->test->host;
    struct planning p = {.plan = plan, .b = b, .host = host, .always = expr_true(b->exprs)};
    p.events = ARENA_ARRAY(b->arena, struct plan_event, host->object_count);
    p.node_at = ARENA_ARRAY(b->arena, uint32_t, host->object_count);
    p.graphs = ARENA_ARRAY(b->arena, struct plan_graph *, host->object_count);
    p.gone = ARENA_ARRAY(b->arena, expr_id, host->object_count);
    p.device = ARENA_ARRAY(b->arena, uint32_t, host->thread_count);
    for (uint32_t i = 0; i < host->object_count; i++)
        p.events[i].capture = p.events[i].device = NONE;
    for (uint32_t i = 0; i < host->object_count; i++)
        p.gone[i] = expr_false(b->exprs);
    set_up_streams(&p);
    for (uint32_t i = 0; i < b->instances.len && !b->failed; i++) {
        p.instance = order[i];
        p.at = &b->instances.at[order[i]];
        p.call = &host->calls[p.at->call];
        p.waited = 0;
        plan_call(&p);
    }
}
