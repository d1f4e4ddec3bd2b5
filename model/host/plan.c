/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include <stdlib.h>

/* Calls in one order: what each of them does to the state of the runtime, by its class and subject. */

/* ---- by class ------------------------------------------------------------------------------- */

static void enqueue(struct planning *p)
{
    const struct host_call *call = p->call;
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
    switch (call->row->subject) {
    case HOST_SUBJECT_RECORD:
        plan_record(p, &p->events[call->event], task);
        return;
    case HOST_SUBJECT_EVENT_WAIT:
        plan_match(p, &p->events[call->event], task);
        return;
    case HOST_SUBJECT_COPY:
    case HOST_SUBJECT_SET:
        plan_return(p, s, task);
        return;
    case HOST_SUBJECT_GRAPH:
        plan_launch_graph(p, task);
        return;
    case HOST_SUBJECT_ALLOCATION:
    case HOST_SUBJECT_RELEASE:
        plan_lifetime(p, call, task);
        return;
    case HOST_SUBJECT_KERNEL:
    case HOST_SUBJECT_FUNCTION:
        return;
    default: /* a row of host_call.def that enqueues what is no work */
        abort();
    }
}

enum { MAX_DEVICES = 16 };

static void set_device(struct planning *p)
{
    if (p->call->value >= MAX_DEVICES)
        plan_refuse(p, p->call, "there are at most 16 devices");
    else
        p->device[p->at->host] = (uint32_t)p->call->value;
}

static void forget_event(struct planning *p)
{
    p->events[p->call->event] = (struct plan_event){.capture = NONE};
}

static void create(struct planning *p)
{
    if (p->call->row->subject == HOST_SUBJECT_STREAM)
        plan_create_stream(p);
    else if (p->call->row->subject == HOST_SUBJECT_EVENT)
        forget_event(p);
    else if (!plan_outside_branches(p))
        return;
    else if (p->call->row->subject == HOST_SUBJECT_GRAPH)
        p->graphs[p->call->graph] = plan_new_graph(p);
    else
        plan_instantiate(p);
}

/* What a destroyed graph was launched or instantiated as stays. */
static void destroy(struct planning *p)
{
    if (p->call->row->subject == HOST_SUBJECT_STREAM) {
        struct plan_stream *s = &p->streams[p->call->stream];
        vec_push(p->b->arena, &p->destroyed, *s);
        *s = (struct plan_stream){.capture = NONE};
    } else if (p->call->row->subject == HOST_SUBJECT_EVENT) {
        forget_event(p);
    } else {
        plan_outside_branches(p);
    }
}

static void change(struct planning *p)
{
    switch (p->call->row->subject) {
    case HOST_SUBJECT_DEVICE:
        set_device(p);
        return;
    case HOST_SUBJECT_ALLOCATION:
    case HOST_SUBJECT_RELEASE:
        plan_lifetime(p, p->call, NONE);
        return;
    case HOST_SUBJECT_BEGIN_CAPTURE:
        plan_begin_capture(p);
        return;
    case HOST_SUBJECT_END_CAPTURE:
        plan_end_capture(p);
        return;
    case HOST_SUBJECT_DEPENDENCY:
        plan_dependency_by_hand(p);
        return;
    default: /* a row of host_call.def that changes what nobody changes */
        abort();
    }
}

static void plan_call(struct planning *p)
{
    switch (p->call->row->class) {
    case HOST_ENQUEUES:
        enqueue(p);
        return;
    case HOST_ADDS:
        plan_node_by_hand(p);
        return;
    case HOST_WAITS:
    case HOST_ASKS:
        if (!plan_capture_forbids(p))
            plan_synchronize(p);
        return;
    case HOST_CREATES:
        create(p);
        return;
    case HOST_DESTROYS:
        destroy(p);
        return;
    case HOST_CHANGES:
        change(p);
        return;
    case HOST_REFUSED:
        plan_refuse(p, p->call, "%s is not modelled: %s", p->call->row->name,
                    p->call->row->meaning);
        return;
    }
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
    p.device = ARENA_ARRAY(b->arena, uint32_t, host->thread_count);
    for (uint32_t i = 0; i < host->object_count; i++)
        p.events[i].capture = NONE;
    set_up_streams(&p);
    for (uint32_t i = 0; i < b->instances.len && !b->failed; i++) {
        p.instance = order[i];
        p.at = &b->instances.at[order[i]];
        p.call = &host->calls[p.at->call];
        p.waited = 0;
        plan_call(&p);
    }
}
