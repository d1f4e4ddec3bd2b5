/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Calls in one order, put into streams: what is enqueued, what follows what, what is waited for. */

unsigned host_line(const struct builder *b, struct span span)
{
    return source_place(b->test->source, span.offset).line;
}

static const char *line_of(const struct planning *p, uint32_t task)
{
    const struct task *t = &p->plan->tasks.at[task];
    return arena_printf(p->b->arena, "line %u", host_line(p->b, t->call->span));
}

bool host_reading(struct host_plan *plan, enum host_reading point)
{
    plan->open |= 1u << point;
    return plan->b->options->readings & 1u << point;
}

void plan_error(struct host_plan *plan, uint32_t instance, const char *name, const char *detail)
{
    struct builder *b = plan->b;
    const struct host_instance *at = &b->instances.at[instance];
    struct undefined u = {name, detail, at->guard, at->inst->span, at->thread};
    if (!expr_is_false(b->exprs, at->guard))
        vec_push(b->arena, &b->undefined, u);
}

void refuse_call(struct planning *p, const struct host_call *call, const char *why)
{
    if (!p->b->failed)
        diag_add(p->b->diags, DIAG_host_unsupported, p->b->test->source, call->span, NULL, "%s",
                 why);
    p->b->failed = true;
}

/* ---- tasks and edges ------------------------------------------------------------------------ */

uint32_t new_task(struct planning *p, enum task_kind kind, uint32_t instance,
                  const struct host_call *call)
{
    struct task task = {.kind = kind, .instance = instance, .call = call};
    vec_push(p->b->arena, &p->plan->tasks, task);
    return p->plan->tasks.len - 1;
}

void order_tasks(struct planning *p, enum api_edge rule, enum task_edge_kind kind, uint32_t from,
                 uint32_t to, expr_id guard, const char *reason)
{
    struct task_edge edge = {rule, kind, from, to, guard, reason};
    vec_push(p->b->arena, &p->plan->edges, edge);
}

static expr_id guard_of(const struct planning *p, uint32_t task)
{
    return p->b->instances.at[p->plan->tasks.at[task].instance].guard;
}

/* Where a programmatic kernel came after others without waiting for them: nobody says whether the
 * next task comes after those too. */
static void follow_through(struct planning *p, uint32_t before, uint32_t task)
{
    for (uint32_t i = 0; i < p->plan->tasks.at[before].prerequisites.len; i++) {
        uint32_t earlier = p->plan->tasks.at[before].prerequisites.at[i];
        if (!host_reading(p->plan, HOST_READING_PDL))
            return;
        order_tasks(p, API_EDGE_E2, END_TO_START, earlier, task, expr_true(p->b->exprs),
                    arena_printf(p->b->arena, "one stream: %s, then %s", line_of(p, earlier),
                                 line_of(p, task)));
        follow_through(p, earlier, task);
    }
}

/* E2, and E20 where it is left out: after the last task, and after earlier ones while those before
 * it might not be there. */
static void follow(struct planning *p, struct stream *s, uint32_t task)
{
    struct task *t = &p->plan->tasks.at[task];
    for (uint32_t i = s->tasks.len; i-- > 0;) {
        uint32_t before = s->tasks.at[i];
        if (t->programmatic && p->plan->tasks.at[before].kind == TASK_KERNEL)
            vec_push(p->b->arena, &t->prerequisites, before);
        else {
            order_tasks(p, API_EDGE_E2, END_TO_START, before, task, expr_true(p->b->exprs),
                        arena_printf(p->b->arena, "one stream: %s, then %s", line_of(p, before),
                                     line_of(p, task)));
            follow_through(p, before, task);
        }
        if (expr_is_true(p->b->exprs, guard_of(p, before)))
            return;
    }
}

static void append(struct planning *p, struct stream *s, uint32_t task)
{
    p->plan->tasks.at[task].device = s->device;
    p->plan->tasks.at[task].stream = s->name;
    follow(p, s, task);
    vec_push(p->b->arena, &s->tasks, task);
}

/* A barrier task at the end of 'from' that one at the end of 'to' waits for (E4). */
static void barrier(struct planning *p, struct stream *from, struct stream *to, uint32_t action)
{
    const struct task t = p->plan->tasks.at[action];
    uint32_t arrive = new_task(p, TASK_BARRIER, t.instance, t.call);
    append(p, from, arrive);
    uint32_t wait = new_task(p, TASK_BARRIER, t.instance, t.call);
    append(p, to, wait);
    order_tasks(p, API_EDGE_E4, END_TO_START, arrive, wait, expr_true(p->b->exprs),
                arena_printf(p->b->arena,
                             "the legacy default stream waits for blocking streams, and "
                             "they for it: %s",
                             line_of(p, action)));
}

static bool takes_part(const struct stream *s, const struct stream *legacy)
{
    return s->exists && s->blocking && !s->legacy && s->device == legacy->device;
}

static void enqueue(struct planning *p, struct stream *s, uint32_t task)
{
    for (uint32_t i = 0; s->legacy && i < p->stream_count; i++)
        if (takes_part(&p->streams[i], s))
            barrier(p, &p->streams[i], s, task);
    append(p, s, task);
    for (uint32_t i = 0; s->legacy && i < p->stream_count; i++)
        if (takes_part(&p->streams[i], s))
            barrier(p, s, &p->streams[i], task);
}

/* ---- streams -------------------------------------------------------------------------------- */

static struct stream *legacy_of(struct planning *p, uint32_t device)
{
    struct stream *s = &p->streams[p->host->object_count + p->host->thread_count + device];
    s->exists = s->legacy = true;
    s->name = "legacy";
    s->device = device;
    return s;
}

struct stream *stream_of(struct planning *p, const struct host_instance *at, uint32_t object)
{
    if (object == HOST_STREAM_LEGACY)
        return legacy_of(p, p->device[at->host]);
    if (object != HOST_STREAM_PER_THREAD)
        return &p->streams[object];
    struct stream *s = &p->streams[p->host->object_count + at->host];
    if (!s->tasks.len)
        s->device = p->device[at->host];
    if (!s->name)
        s->name = arena_printf(p->b->arena, "per-thread of %s", p->host->threads[at->host].name);
    s->exists = s->blocking = true;
    return s;
}

static struct stream *default_stream(struct planning *p, const struct host_instance *at)
{
    bool own = p->host->platform.per_thread_default_stream;
    return stream_of(p, at, own ? HOST_STREAM_PER_THREAD : HOST_STREAM_LEGACY);
}

static void create_stream(struct planning *p, const struct host_instance *at,
                          const struct host_call *call)
{
    struct stream *s = &p->streams[call->stream];
    *s = (struct stream){.exists = true,
                         .blocking = call->constant != HOST_STREAM_NON_BLOCKING,
                         .name = p->host->objects[call->stream].name,
                         .device = p->device[at->host],
                         .capture = NONE};
    const struct stream *legacy = legacy_of(p, s->device);
    if (s->blocking && legacy->tasks.len && host_reading(p->plan, HOST_READING_NEW_STREAM))
        barrier(p, legacy_of(p, s->device), s, legacy->tasks.at[legacy->tasks.len - 1]);
}

/* Waiting for what was recorded in a stream that is gone. */
static void warn_of_orphan(struct planning *p, const struct record *r, uint32_t instance)
{
    struct builder *b = p->b;
    uint32_t recorded = p->plan->tasks.at[r->task].instance;
    for (uint32_t i = 0; i < p->destroyed.len; i++)
        for (uint32_t k = 0; k < p->destroyed.at[i].tasks.len; k++)
            if (p->destroyed.at[i].tasks.at[k] == r->task)
                add_edge(b, FIXED_ORPHANED_EVENT, b->instances.at[recorded].start,
                         b->instances.at[instance].start, r->alive, NULL);
}

/* ---- waiting -------------------------------------------------------------------------------- */

static enum api_edge rule_of_wait(const struct host_call *call)
{
    switch (call->id) {
    case HOST_CALL_STREAM_SYNCHRONIZE:
        return API_EDGE_E13;
    case HOST_CALL_EVENT_SYNCHRONIZE:
        return API_EDGE_E14;
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        return API_EDGE_E15;
    default:
        return host_call_is_query(call->id) ? API_EDGE_E16 : API_EDGE_E18;
    }
}

static void wait_for(struct planning *p, uint32_t instance, uint32_t task, expr_id guard,
                     const char *what)
{
    struct builder *b = p->b;
    const struct host_instance *at = &b->instances.at[instance];
    const struct host_call *call = &p->host->calls[at->call];
    bool query = host_call_is_query(call->id);
    struct task_wait wait = {.rule = rule_of_wait(call),
                             .task = task,
                             .instance = instance,
                             .guard = query ? expr_and(b->exprs, guard, at->success) : guard,
                             .alive = guard};
    wait.reason =
        arena_printf(b->arena, "%s: %s at line %u %s", what, host_call_name(call->id),
                     host_line(b, call->span), query ? "returned cudaSuccess" : "waited for it");
    wait.reason = arena_printf(b->arena, "%s (%s)", wait.reason, line_of(p, task));
    vec_push(b->arena, &p->plan->waits, wait);
    p->waited++;
}

/* The last task of the stream, and earlier ones while those after them might not be there. */
static void wait_for_stream(struct planning *p, uint32_t instance, const struct stream *s)
{
    for (uint32_t i = s->tasks.len; i-- > 0;) {
        wait_for(p, instance, s->tasks.at[i], expr_true(p->b->exprs), "the stream's last task");
        if (expr_is_true(p->b->exprs, guard_of(p, s->tasks.at[i])))
            return;
    }
}

/* E13, E16: the legacy handle covers the blocking streams. */
static void synchronize_stream(struct planning *p, uint32_t instance, const struct stream *s)
{
    wait_for_stream(p, instance, s);
    for (uint32_t i = 0; s->legacy && i < p->stream_count; i++)
        if (takes_part(&p->streams[i], s))
            wait_for_stream(p, instance, &p->streams[i]);
}

static void synchronize_device(struct planning *p, uint32_t instance)
{
    uint32_t device = p->device[p->b->instances.at[instance].host];
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].tasks.len && p->streams[i].device == device)
            wait_for_stream(p, instance, &p->streams[i]);
    /* a stream destroyed and made anew under one name: what it held before (E15) */
    for (uint32_t i = 0; i < p->destroyed.len; i++)
        if (p->destroyed.at[i].device == device)
            wait_for_stream(p, instance, &p->destroyed.at[i]);
}

static void synchronize_event(struct planning *p, uint32_t instance, const struct event_state *e)
{
    for (uint32_t i = 0; i < e->records.len; i++) {
        wait_for(p, instance, e->records.at[i].task, e->records.at[i].alive, "the event's record");
        warn_of_orphan(p, &e->records.at[i], instance);
    }
}

/* Of an empty set of work a query is cudaSuccess; that a task has not ended is an order too, unless
 * there are several. */
static void settle_query(struct planning *p, uint32_t instance)
{
    struct builder *b = p->b;
    const struct host_instance *at = &b->instances.at[instance];
    if (!p->waited)
        assume(b, ASSUME_PLAIN, expr_or(b->exprs, expr_not(b->exprs, at->guard), at->success),
               at->inst->span, at->thread);
}

/* ---- events --------------------------------------------------------------------------------- */

void record_event(struct planning *p, struct event_state *e, uint32_t task)
{
    struct builder *b = p->b;
    expr_id guard = guard_of(p, task);
    for (uint32_t i = 0; i < e->records.len; i++)
        e->records.at[i].alive =
            expr_and(b->exprs, e->records.at[i].alive, expr_not(b->exprs, guard));
    if (expr_is_true(b->exprs, guard))
        e->records.len = 0;
    struct record record = {task, expr_true(b->exprs)};
    vec_push(b->arena, &e->records, record);
    e->capture = NONE;
}

void match_wait(struct planning *p, const struct event_state *e, uint32_t task)
{
    for (uint32_t i = 0; i < e->records.len; i++) {
        const struct record *r = &e->records.at[i];
        warn_of_orphan(p, r, p->plan->tasks.at[task].instance);
        order_tasks(p, API_EDGE_E3, END_TO_START, r->task, task, r->alive,
                    arena_printf(p->b->arena, "event recorded at %s, waited for at %s",
                                 line_of(p, r->task), line_of(p, task)));
    }
}

/* ---- copies --------------------------------------------------------------------------------- */

static bool on_host(const struct planning *p, struct host_memory m)
{
    enum memory_kind kind = p->b->test->locations[m.location].memory;
    return kind == MEMORY_MAPPED || kind == MEMORY_PINNED || kind == MEMORY_PAGEABLE;
}

static bool pageable(const struct planning *p, struct host_memory m)
{
    return p->b->test->locations[m.location].memory == MEMORY_PAGEABLE;
}

/* E18: what is complete when a copy returns. */
static void copy_returns(struct planning *p, uint32_t instance, const struct host_call *call,
                         struct stream *s, uint32_t task)
{
    bool to_host = on_host(p, call->to), from_host = on_host(p, call->from);
    bool blocking = call->id != HOST_CALL_MEMCPY_ASYNC;
    bool staged = (from_host && pageable(p, call->from)) || (to_host && pageable(p, call->to));
    if (!blocking && staged && from_host != to_host && host_reading(p->plan, HOST_READING_PAGEABLE))
        wait_for(p, instance, task, expr_true(p->b->exprs), "a copy of pageable memory");
    else if (from_host && to_host)
        wait_for(p, instance, task, expr_true(p->b->exprs), "a copy between host memory");
    else if (blocking && to_host)
        wait_for(p, instance, task, expr_true(p->b->exprs), "a copy to the host");
    else if (blocking && from_host && !pageable(p, call->from))
        wait_for(p, instance, task, expr_true(p->b->exprs), "a copy from pinned memory");
    else if (blocking && from_host) {
        for (uint32_t i = s->tasks.len; i-- > 0;) /* the stream is synchronized before staging */
            if (s->tasks.at[i] < task) {
                wait_for(p, instance, s->tasks.at[i], expr_true(p->b->exprs),
                         "a copy from pageable memory waits for the stream first");
                break;
            }
        wait_for(p, instance, task, expr_true(p->b->exprs), "the source was read");
        p->plan->waits.at[p->plan->waits.len - 1].only_reads = true;
    }
}

static void set_returns(struct planning *p, uint32_t instance, const struct host_call *call,
                        uint32_t task)
{
    if (call->id == HOST_CALL_MEMSET && on_host(p, call->to) && !pageable(p, call->to))
        wait_for(p, instance, task, expr_true(p->b->exprs), "a set of pinned memory");
}

/* ---- allocation ----------------------------------------------------------------------------- */

void change_lifetime(struct planning *p, uint32_t instance, const struct host_call *call,
                     uint32_t task)
{
    bool ends = call->id == HOST_CALL_FREE || call->id == HOST_CALL_FREE_ASYNC;
    const struct location *l = &p->b->test->locations[call->to.location];
    struct lifetime lifetime = {call->to.location, instance, task, ends};
    if (!expr_is_true(p->b->exprs, p->b->instances.at[instance].guard))
        refuse_call(p, call, "allocating or freeing memory in a branch is not modelled");
    for (uint32_t i = 0; i < p->plan->lifetimes.len; i++)
        if (p->plan->lifetimes.at[i].location == lifetime.location &&
            p->plan->lifetimes.at[i].ends == ends)
            refuse_call(p, call,
                        arena_printf(p->b->arena,
                                     "'%s' is %s twice: give the second block a name "
                                     "of its own",
                                     l->name, ends ? "freed" : "allocated"));
    vec_push(p->b->arena, &p->plan->lifetimes, lifetime);
}

/* ---- calls ---------------------------------------------------------------------------------- */

enum task_kind task_kind_of(const struct host_call *call)
{
    switch (call->id) {
    case HOST_CALL_LAUNCH:
    case HOST_CALL_GRAPH_ADD_KERNEL_NODE:
        return TASK_KERNEL;
    case HOST_CALL_MEMCPY:
    case HOST_CALL_MEMCPY_ASYNC:
    case HOST_CALL_MEMCPY_TO_SYMBOL:
    case HOST_CALL_GRAPH_ADD_MEMCPY_NODE:
        return TASK_COPY;
    case HOST_CALL_MEMSET:
    case HOST_CALL_MEMSET_ASYNC:
    case HOST_CALL_GRAPH_ADD_MEMSET_NODE:
        return TASK_SET;
    case HOST_CALL_LAUNCH_HOST_FUNC:
    case HOST_CALL_STREAM_ADD_CALLBACK:
    case HOST_CALL_GRAPH_ADD_HOST_NODE:
        return TASK_FUNCTION;
    case HOST_CALL_EVENT_RECORD:
    case HOST_CALL_EVENT_RECORD_WITH_FLAGS:
    case HOST_CALL_GRAPH_ADD_EVENT_RECORD_NODE:
        return TASK_RECORD;
    case HOST_CALL_STREAM_WAIT_EVENT:
    case HOST_CALL_GRAPH_ADD_EVENT_WAIT_NODE:
        return TASK_WAIT;
    case HOST_CALL_GRAPH_LAUNCH:
        return TASK_GRAPH;
    case HOST_CALL_MALLOC_ASYNC:
    case HOST_CALL_FREE_ASYNC:
        return TASK_MEMORY;
    default:
        return TASK_EMPTY;
    }
}

static bool enqueues(const struct host_call *call)
{
    return task_kind_of(call) != TASK_EMPTY && call->node == NONE;
}

static struct stream *target_stream(struct planning *p, const struct host_instance *at,
                                    const struct host_call *call)
{
    return call->stream == NONE ? default_stream(p, at) : stream_of(p, at, call->stream);
}

static void enqueue_call(struct planning *p, uint32_t instance, const struct host_call *call)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    struct stream *s = target_stream(p, at, call);
    if (!s->exists) {
        plan_error(p->plan, instance, "cudaErrorInvalidResourceHandle",
                   "the stream was not created, or was destroyed");
        return;
    }
    if (capture_call(p, instance, call, s))
        return;
    uint32_t task = new_task(p, task_kind_of(call), instance, call);
    if (call->launch != NONE)
        p->plan->tasks.at[task].programmatic = p->b->test->launches[call->launch].programmatic;
    enqueue(p, s, task);
    switch (p->plan->tasks.at[task].kind) {
    case TASK_RECORD:
        record_event(p, &p->events[call->event], task);
        break;
    case TASK_WAIT:
        match_wait(p, &p->events[call->event], task);
        break;
    case TASK_COPY:
        copy_returns(p, instance, call, s, task);
        break;
    case TASK_SET:
        set_returns(p, instance, call, task);
        break;
    case TASK_GRAPH:
        launch_graph(p, task);
        break;
    case TASK_MEMORY:
        change_lifetime(p, instance, call, task);
        break;
    default:
        break;
    }
}

static void synchronize(struct planning *p, uint32_t instance, const struct host_call *call)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    p->waited = 0;
    if (capture_forbids(p, instance, call))
        return;
    if (call->id == HOST_CALL_DEVICE_SYNCHRONIZE)
        synchronize_device(p, instance);
    else if (call->event != NONE)
        synchronize_event(p, instance, &p->events[call->event]);
    else
        synchronize_stream(p, instance, stream_of(p, at, call->stream));
    if (host_call_is_query(call->id))
        settle_query(p, instance);
}

enum { MAX_DEVICES = 16 };

static void set_device(struct planning *p, const struct host_instance *at,
                       const struct host_call *call)
{
    if (call->numbers[0] >= MAX_DEVICES)
        refuse_call(p, call, "there are at most 16 devices");
    else
        p->device[at->host] = (uint32_t)call->numbers[0];
}

static void destroy_stream(struct planning *p, const struct host_call *call)
{
    struct stream *s = &p->streams[call->stream];
    vec_push(p->b->arena, &p->destroyed, *s);
    *s = (struct stream){.capture = NONE};
}

static void plan_call(struct planning *p, uint32_t instance)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    const struct host_call *call = &p->host->calls[at->call];
    switch (call->id) {
    case HOST_CALL_STREAM_CREATE:
    case HOST_CALL_STREAM_CREATE_WITH_FLAGS:
    case HOST_CALL_STREAM_CREATE_WITH_PRIORITY:
        create_stream(p, at, call);
        return;
    case HOST_CALL_STREAM_DESTROY:
        destroy_stream(p, call);
        return;
    case HOST_CALL_EVENT_CREATE:
    case HOST_CALL_EVENT_CREATE_WITH_FLAGS:
    case HOST_CALL_EVENT_DESTROY:
        p->events[call->event] = (struct event_state){.capture = NONE};
        return;
    case HOST_CALL_SET_DEVICE:
        set_device(p, at, call);
        return;
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_STREAM_QUERY:
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_EVENT_QUERY:
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        synchronize(p, instance, call);
        return;
    case HOST_CALL_MALLOC:
    case HOST_CALL_FREE:
        change_lifetime(p, instance, call, NONE);
        return;
    case HOST_CALL_STREAM_ATTACH_MEM_ASYNC:
        refuse_call(
            p, call,
            "cudaStreamAttachMemAsync is not modelled: managed memory belongs to every stream");
        return;
    default:
        if (enqueues(call))
            enqueue_call(p, instance, call);
        else
            plan_graph_call(p, instance, call);
    }
}

void plan_calls(struct host_plan *plan, const uint32_t *order)
{
    struct builder *b = plan->b;
    const struct host_program *host = b->test->host;
    struct planning p = {.plan = plan, .b = b, .host = host};
    plan->host = host;
    p.stream_count = host->object_count + host->thread_count + MAX_DEVICES;
    p.streams = ARENA_ARRAY(b->arena, struct stream, p.stream_count);
    p.events = ARENA_ARRAY(b->arena, struct event_state, host->object_count);
    p.node_at = ARENA_ARRAY(b->arena, uint32_t, host->object_count);
    p.graphs = ARENA_ARRAY(b->arena, struct node_graph *, host->object_count);
    p.device = ARENA_ARRAY(b->arena, uint32_t, host->thread_count);
    for (uint32_t i = 0; i < p.stream_count; i++)
        p.streams[i].capture = NONE;
    for (uint32_t i = 0; i < host->object_count; i++)
        p.events[i].capture = NONE;
    for (uint32_t i = 0; i < b->instances.len;
         i++) { /* per-thread streams are there from the start */
        const struct host_instance *at = &b->instances.at[i];
        if (host->calls[at->call].stream == HOST_STREAM_PER_THREAD)
            stream_of(&p, at, HOST_STREAM_PER_THREAD);
    }
    for (uint32_t i = 0; i < b->instances.len && !b->failed; i++)
        plan_call(&p, order[i]);
}
