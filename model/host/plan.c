/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include <stdlib.h>

/* Calls in one order: what each of them does to the state of the runtime, by its class and subject. */

/* ---- effects -------------------------------------------------------------------------------- */

/* The event of a launch attribute is recorded when CTAs have started or triggered, as far as that goes: what waits for
 * it may start before them and sees nothing of the kernel (cudaLaunchAttributeLaunchCompletionEvent,
 * cudaLaunchAttributeProgrammaticEvent). So the record stands in no stream. */
static void record_early(struct planning *p, uint32_t kernel)
{
    if (p->call->launch == NONE || p->call->event == NONE)
        return;
    struct task record = {HOST_SUBJECT_RECORD, p->instance, p->call};
    record.device = plan_task(p, kernel)->device;
    record.peers = plan_task(p, kernel)->peers;
    record.stream = plan_task(p, kernel)->stream;
    plan_record(p, &p->events[p->call->event], plan_add_task(p, record));
}

static void enqueue(struct planning *p)
{
    const struct host_call *call = p->call;
    enum host_subject subject = call->row->subject;
    struct plan_stream *s = plan_stream(p, call->stream);
    if (!s->queue) {
        plan_error(p, HOST_MISUSE_NO_STREAM);
        return;
    }
    if (s->queue->creator != NONE)
        plan_error_if(p, HOST_MISUSE_NO_STREAM,
                      host_before(p->plan, p->instance, s->queue->creator));
    if (s->capture != NONE && call->launch != NONE && call->event != NONE)
        plan_refuse(p, call, "a launch with an event is not modelled in a capture");
    if (plan_capture(p, s))
        return;
    uint32_t task = plan_new_task(p, call);
    plan_task(p, task)->programmatic =
        call->launch != NONE && p->b->test->launches[call->launch].programmatic;
    plan_enqueue(p, s, task);
    record_early(p, task);
    if (subject == HOST_SUBJECT_COPY || subject == HOST_SUBJECT_SET)
        plan_return(p, s, task);
    else if (subject == HOST_SUBJECT_GRAPH)
        plan_launch_graph(p, task);
    else if (subject == HOST_SUBJECT_UPLOAD)
        plan_upload(p, task);
    else
        plan_work(p, call, task, NULL);
}

static bool is_device(struct planning *p)
{
    if (p->call->value >= PLAN_DEVICES)
        plan_refuse(p, p->call, "there are at most 16 devices");
    return p->call->value < PLAN_DEVICES;
}

static void set_device(struct planning *p)
{
    if (is_device(p))
        p->device[p->at->host] = (uint32_t)p->call->value;
}

static void change_peers(struct planning *p)
{
    uint32_t *peers = &p->peers[p->device[p->at->host]];
    uint32_t bit = is_device(p) ? 1u << p->call->value : 0;
    *peers = p->call->row->subject == HOST_SUBJECT_PEER_ACCESS ? *peers | bit : *peers & ~bit;
}

static void change_mode(struct planning *p)
{
    p->mode[p->at->host] = p->call->constant;
}

static void create_event(struct planning *p)
{
    p->events[p->call->event] =
        (struct plan_event){.device = p->device[p->at->host],
                            .untimed = p->call->constant == HOST_EVENT_DISABLE_TIMING,
                            .capture = NONE,
                            .history = ARENA_NEW(p->b->arena, struct plan_history)};
}

static void destroy_event(struct planning *p)
{
    p->events[p->call->event] = (struct plan_event){
        .device = NONE, .capture = NONE, .history = ARENA_NEW(p->b->arena, struct plan_history)};
}

/* A clone has the nodes of the other graph. */
static void create_graph(struct planning *p)
{
    uint32_t child = p->call->child;
    if (child != NONE && !p->graphs[child])
        plan_error(p, HOST_MISUSE_NO_GRAPH);
    p->graphs[p->call->graph] = child == NONE ? plan_new_graph(p) : plan_clone(p, child);
}

static void allocate_or_free(struct planning *p)
{
    plan_lifetime(p, p->call, NONE);
}

/* ---- by class and subject ------------------------------------------------------------------- */

enum { ANY = -1 };

static const struct plan_effect {
    enum host_class class;
    int subject;                     /* or ANY */
    void (*act)(struct planning *p); /* or NULL */
} effects[] = {
    {HOST_ENQUEUES, ANY, enqueue},
    {HOST_ADDS, ANY, plan_node_by_hand},
    {HOST_SETS, ANY, plan_set_node},
    {HOST_WAITS, HOST_SUBJECT_STREAM, plan_synchronize_stream},
    {HOST_WAITS, HOST_SUBJECT_EVENT, plan_synchronize_event},
    {HOST_WAITS, HOST_SUBJECT_DEVICE, plan_synchronize_device},
    {HOST_ASKS, HOST_SUBJECT_STREAM, plan_synchronize_stream},
    {HOST_ASKS, HOST_SUBJECT_EVENT, plan_synchronize_event},
    {HOST_ASKS, HOST_SUBJECT_ELAPSED, plan_ask_time},
    {HOST_CREATES, HOST_SUBJECT_STREAM, plan_create_stream},
    {HOST_CREATES, HOST_SUBJECT_EVENT, create_event},
    {HOST_CREATES, HOST_SUBJECT_GRAPH, create_graph},
    {HOST_CREATES, HOST_SUBJECT_EXECUTABLE, plan_instantiate},
    {HOST_DESTROYS, HOST_SUBJECT_STREAM, plan_destroy_stream},
    {HOST_DESTROYS, HOST_SUBJECT_EVENT, destroy_event},
    {HOST_DESTROYS, HOST_SUBJECT_GRAPH, NULL}, /* what it was launched as stays */
    {HOST_DESTROYS, HOST_SUBJECT_EXECUTABLE, NULL},
    {HOST_CHANGES, HOST_SUBJECT_DEVICE, set_device},
    {HOST_CHANGES, HOST_SUBJECT_RESET, plan_reset},
    {HOST_CHANGES, HOST_SUBJECT_ALLOCATION, allocate_or_free},
    {HOST_CHANGES, HOST_SUBJECT_RELEASE, allocate_or_free},
    {HOST_CHANGES, HOST_SUBJECT_BEGIN_CAPTURE, plan_begin_capture},
    {HOST_CHANGES, HOST_SUBJECT_END_CAPTURE, plan_end_capture},
    {HOST_CHANGES, HOST_SUBJECT_DEPENDENCY, plan_dependency_by_hand},
    {HOST_CHANGES, HOST_SUBJECT_NO_DEPENDENCY, plan_no_dependency},
    {HOST_CHANGES, HOST_SUBJECT_ENABLED, plan_enable_node},
    {HOST_CHANGES, HOST_SUBJECT_UPDATE, plan_update},
    {HOST_CHANGES, HOST_SUBJECT_CAPTURE_STATUS, plan_ask_capture},
    {HOST_CHANGES, HOST_SUBJECT_CAPTURE_MODE, change_mode},
    {HOST_CHANGES, HOST_SUBJECT_PEER_ACCESS, change_peers},
    {HOST_CHANGES, HOST_SUBJECT_PEER_NO_ACCESS, change_peers},
    {HOST_CHANGES, HOST_SUBJECT_HANDLE, plan_handle},
    {HOST_CHANGES, HOST_SUBJECT_NO_NODE, plan_destroy_node},
    {HOST_CHANGES, HOST_SUBJECT_CAPTURE_DEPENDENCIES, plan_change_frontier},
    {HOST_CHANGES, HOST_SUBJECT_REGISTRATION, NULL},
    {HOST_CHANGES, HOST_SUBJECT_LOADING, NULL},
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
    if (p->call->row == &host_gap_row) {
        if (host_reading(p->plan, HOST_READING_GAP))
            plan_synchronize_everything(p);
        return;
    }
    const struct plan_effect *effect = effect_of(p->call->row);
    bool asks = effect->class == HOST_ASKS;
    if (plan_call_fails(p))
        return;
    plan_note_destroyed(p);
    if ((asks || effect->class == HOST_WAITS) && plan_capture_forbids(p))
        return;
    if (plan_capture_prohibits(p))
        return;
    if (host_call_is_unconditional(&p->host->platform, p->call->row) && !plan_outside_branches(p))
        return;
    if (effect->act)
        effect->act(p);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void set_up_stream(struct planning *p, uint32_t index, struct plan_queue queue)
{
    struct plan_queue *q = ARENA_NEW(p->b->arena, struct plan_queue);
    *q = queue;
    q->creator = q->destroyer = NONE;
    p->streams[index].queue = q;
    vec_push(p->b->arena, &p->queues, q);
}

/* Legacy streams are there from the start, and the per-thread ones that some call uses. */
static void set_up_streams(struct planning *p)
{
    const struct host_program *host = p->host;
    uint32_t own = host->object_count, legacy = own + host->thread_count;
    p->stream_count = legacy + PLAN_DEVICES;
    p->streams = ARENA_ARRAY(p->b->arena, struct plan_stream, p->stream_count);
    for (uint32_t i = 0; i < p->stream_count; i++)
        p->streams[i].capture = NONE;
    for (uint32_t i = 0; i < PLAN_DEVICES; i++)
        set_up_stream(p, legacy + i,
                      (struct plan_queue){.legacy = true, .name = "legacy", .device = i});
    for (uint32_t i = 0; i < p->b->instances.len; i++) {
        const struct host_call *call = &host->calls[p->b->instances.at[i].call];
        if (call->stream == HOST_STREAM_PER_THREAD && !p->streams[own + call->host].queue)
            set_up_stream(
                p, own + call->host,
                (struct plan_queue){.blocking = true,
                                    .name = arena_printf(p->b->arena, "per-thread of %s",
                                                         host->threads[call->host].name)});
    }
}

static void set_up_objects(struct planning *p)
{
    struct arena *arena = p->b->arena;
    uint32_t objects = p->host->object_count;
    p->events = ARENA_ARRAY(arena, struct plan_event, objects);
    p->node_at = ARENA_ARRAY(arena, uint32_t, objects);
    p->graphs = ARENA_ARRAY(arena, struct plan_graph *, objects);
    p->gone = ARENA_ARRAY(arena, expr_id, objects);
    p->gone_at = ARENA_ARRAY(arena, struct span, objects);
    p->reset = ARENA_ARRAY(arena, bool, objects);
    p->device = ARENA_ARRAY(arena, uint32_t, p->host->thread_count);
    p->mode = ARENA_ARRAY(arena, enum host_constant, p->host->thread_count);
    for (uint32_t i = 0; i < PLAN_DEVICES; i++)
        p->peers[i] = 1u << i;
    for (uint32_t i = 0; i < objects; i++) {
        p->events[i].capture = p->events[i].device = NONE;
        p->events[i].history = ARENA_NEW(arena, struct plan_history);
        p->gone[i] = expr_false(p->b->exprs);
    }
}

void host_plan_calls(struct host_plan *plan, const uint32_t *order)
{
    struct builder *b = plan->b;
    const struct host_program *host = plan->host = b->test->host;
    struct planning p = {.plan = plan, .b = b, .host = host, .always = expr_true(b->exprs)};
    host_order_set(plan, order);
    set_up_objects(&p);
    set_up_streams(&p);
    for (uint32_t i = 0; i < b->instances.len && !b->failed; i++) {
        plan_turn_to(&p, order[i]);
        plan_call(&p);
    }
    if (b->failed)
        return;
    plan_order_queues(&p);
    plan_settle_waits(&p);
}
