/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include <stdlib.h>

/* Stream capture, graphs made by hand, and their launches. */

enum { MAX_TASKS = 20000 };

/* ---- building graphs ------------------------------------------------------------------------ */

static uint32_t add_node(struct planning *p, struct node_graph *g, const struct host_call *call)
{
    struct node node = {.kind = task_kind_of(call), .call = call};
    vec_push(p->b->arena, &g->nodes, node);
    return g->nodes.len - 1;
}

static void depend(struct planning *p, struct node_graph *g, uint32_t node, uint32_t on,
                   bool programmatic)
{
    struct dependency d = {on, programmatic};
    vec_push(p->b->arena, &g->nodes.at[node].dependencies, d);
}

static struct node_graph *copy_graph(struct planning *p, const struct node_graph *from)
{
    struct node_graph *copy = ARENA_NEW(p->b->arena, struct node_graph);
    for (uint32_t i = 0; from && i < from->nodes.len; i++)
        vec_push(p->b->arena, &copy->nodes, from->nodes.at[i]);
    return copy;
}

/* What the wait nodes would wait for now. */
static void note_matches(struct planning *p, struct node_graph *g)
{
    for (uint32_t i = 0; i < g->nodes.len; i++) {
        struct node *n = &g->nodes.at[i];
        if (n->child)
            note_matches(p, n->child);
        if (n->kind != TASK_WAIT)
            continue;
        n->match.records.len = 0;
        const struct event_state *e = &p->events[n->call->event];
        for (uint32_t k = 0; k < e->records.len; k++)
            vec_push(p->b->arena, &n->match.records, e->records.at[k]);
    }
}

static struct node_graph *graph_of(struct planning *p, const struct host_call *call)
{
    if (!p->graphs[call->graph]) {
        refuse_call(p, call, "no call before this one makes the graph");
        p->graphs[call->graph] = ARENA_NEW(p->b->arena, struct node_graph);
    }
    return p->graphs[call->graph];
}

static void add_node_by_hand(struct planning *p, const struct host_call *call)
{
    struct node_graph *g = graph_of(p, call);
    uint32_t node = add_node(p, g, call);
    p->node_at[call->node] = node;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        depend(p, g, node, p->node_at[call->dependencies[i]], false);
    if (call->child != NONE)
        g->nodes.at[node].child = copy_graph(p, p->graphs[call->child]);
    if (call->child != NONE)
        g->nodes.at[node].kind = TASK_GRAPH;
}

static void add_dependency(struct planning *p, const struct host_call *call)
{
    struct node_graph *g = graph_of(p, call);
    uint32_t from = p->node_at[call->node], to = p->node_at[call->other_node];
    bool good = from < to && to < g->nodes.len;
    if (good)
        depend(p, g, to, from, call->constant == HOST_DEPENDENCY_PROGRAMMATIC);
    else
        refuse_call(p, call, "the node that waits must be added after the one it waits for");
}

/* ---- capture -------------------------------------------------------------------------------- */

static bool captures_blocking(const struct planning *p, uint32_t device)
{
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture != NONE && p->streams[i].blocking &&
            p->streams[i].device == device)
            return true;
    return false;
}

static void begin_capture(struct planning *p, uint32_t instance, const struct host_call *call)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    struct stream *s = stream_of(p, at, call->stream);
    if (s->legacy || s->capture != NONE) {
        plan_error(p->plan, instance, "cudaErrorStreamCaptureUnsupported",
                   s->legacy ? "the legacy stream cannot be captured" : "the stream is captured");
        return;
    }
    struct capture c = {ARENA_NEW(p->b->arena, struct node_graph), s, at->host,
                        call->constant == HOST_CAPTURE_RELAXED};
    s->capture = p->captures.len;
    s->frontier.len = 0;
    vec_push(p->b->arena, &p->captures, c);
}

/* Is node 'a' the node 'b' or something it waits for? Nodes depend on earlier ones only. */
static bool leads_to(struct planning *p, const struct node_graph *g, uint32_t a, uint32_t b)
{
    bool *before = ARENA_ARRAY(p->b->arena, bool, g->nodes.len + 1);
    before[b] = true;
    for (uint32_t n = b + 1; n-- > a;)
        for (uint32_t i = 0; before[n] && i < g->nodes.at[n].dependencies.len; i++)
            before[g->nodes.at[n].dependencies.at[i].node] = true;
    return before[a];
}

static bool is_joined(struct planning *p, const struct node_graph *g, const struct stream *origin,
                      uint32_t node)
{
    for (uint32_t i = 0; i < origin->frontier.len; i++)
        if (node <= origin->frontier.at[i] && leads_to(p, g, node, origin->frontier.at[i]))
            return true;
    return false;
}

static bool all_joined(struct planning *p, const struct stream *origin)
{
    const struct node_graph *g = p->captures.at[origin->capture].graph;
    for (uint32_t i = 0; i < p->stream_count; i++)
        for (uint32_t k = 0; k < p->streams[i].frontier.len; k++)
            if (p->streams[i].capture == origin->capture &&
                !is_joined(p, g, origin, p->streams[i].frontier.at[k]))
                return false;
    return true;
}

static void end_capture(struct planning *p, uint32_t instance, const struct host_call *call)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    struct stream *s = stream_of(p, at, call->stream);
    p->graphs[call->graph] = ARENA_NEW(p->b->arena, struct node_graph);
    uint32_t capture = s->capture;
    if (capture == NONE || p->captures.at[capture].origin != s) {
        plan_error(p->plan, instance, "cudaErrorStreamCaptureUnmatched",
                   "the capture did not begin on this stream");
        return;
    }
    const struct capture *c = &p->captures.at[capture];
    if (c->host != at->host && !c->any_thread)
        plan_error(p->plan, instance, "cudaErrorStreamCaptureWrongThread",
                   "another host thread began the capture");
    else if (!all_joined(p, s))
        plan_error(p->plan, instance, "cudaErrorStreamCaptureUnjoined",
                   "work of another stream was not joined back");
    else
        p->graphs[call->graph] = c->graph;
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture == capture)
            p->streams[i].capture = NONE;
}

static void join(struct planning *p, uint32_t instance, const struct event_state *e,
                 struct stream *s)
{
    if (s->capture != NONE && s->capture != e->capture) {
        plan_error(p->plan, instance, "cudaErrorStreamCaptureMerge",
                   "the wait would join two captures");
        return;
    }
    if (s->capture == NONE)
        s->frontier.len = 0;
    s->capture = e->capture;
    for (uint32_t i = 0; i < e->frontier.len; i++)
        vec_push(p->b->arena, &s->frontier, e->frontier.at[i]);
}

static void capture_node(struct planning *p, const struct host_call *call, struct stream *s)
{
    struct node_graph *g = p->captures.at[s->capture].graph;
    uint32_t node = add_node(p, g, call);
    bool programmatic = call->launch != NONE && p->b->test->launches[call->launch].programmatic;
    for (uint32_t i = 0; i < s->frontier.len; i++)
        depend(p, g, node, s->frontier.at[i],
               programmatic && g->nodes.at[s->frontier.at[i]].kind == TASK_KERNEL);
    if (call->id == HOST_CALL_GRAPH_LAUNCH)
        g->nodes.at[node].child = copy_graph(p, p->graphs[call->exec]);
    s->frontier.len = 0;
    vec_push(p->b->arena, &s->frontier, node);
}

static void capture_record(struct planning *p, const struct host_call *call, const struct stream *s)
{
    struct event_state *e = &p->events[call->event];
    *e = (struct event_state){.capture = s->capture};
    for (uint32_t i = 0; i < s->frontier.len; i++)
        vec_push(p->b->arena, &e->frontier, s->frontier.at[i]);
}

static bool in_branch(struct planning *p, uint32_t instance, const struct host_call *call)
{
    if (expr_is_true(p->b->exprs, p->b->instances.at[instance].guard))
        return false;
    refuse_call(p, call, "capture and graph calls in a branch are not modelled");
    return true;
}

bool capture_call(struct planning *p, uint32_t instance, const struct host_call *call,
                  struct stream *s)
{
    if (s->legacy && captures_blocking(p, s->device)) {
        plan_error(p->plan, instance, "cudaErrorStreamCaptureImplicit",
                   "the legacy stream is used while a blocking stream is captured");
        return true;
    }
    bool wait = call->id == HOST_CALL_STREAM_WAIT_EVENT;
    bool joins = wait && p->events[call->event].capture != NONE;
    if (s->capture == NONE && !joins)
        return false;
    if (in_branch(p, instance, call))
        return true;
    if (joins)
        join(p, instance, &p->events[call->event], s);
    else if (wait && call->constant != HOST_EVENT_WAIT_EXTERNAL)
        plan_error(p->plan, instance, "cudaErrorStreamCaptureIsolation",
                   "a captured stream waits for an event recorded outside of the capture");
    else if (call->id == HOST_CALL_MEMCPY || call->id == HOST_CALL_MEMSET ||
             call->id == HOST_CALL_MEMCPY_TO_SYMBOL || call->id == HOST_CALL_STREAM_ADD_CALLBACK)
        plan_error(p->plan, instance, "cudaErrorStreamCaptureUnsupported",
                   "the call cannot be captured");
    else if (task_kind_of(call) == TASK_RECORD && call->constant != HOST_EVENT_RECORD_EXTERNAL)
        capture_record(p, call, s);
    else
        capture_node(p, call, s);
    return true;
}

bool capture_forbids(struct planning *p, uint32_t instance, const struct host_call *call)
{
    const struct host_instance *at = &p->b->instances.at[instance];
    bool device = false, stream = false;
    if (call->id == HOST_CALL_DEVICE_SYNCHRONIZE)
        for (uint32_t i = 0; i < p->stream_count; i++)
            device = device ||
                     (p->streams[i].capture != NONE && p->streams[i].device == p->device[at->host]);
    else if (call->event != NONE && p->events[call->event].capture != NONE)
        plan_error(p->plan, instance, "cudaErrorCapturedEvent",
                   "the event was recorded in a captured stream");
    else if (call->event == NONE) {
        const struct stream *s = stream_of(p, at, call->stream);
        stream = s->capture != NONE || (s->legacy && captures_blocking(p, s->device));
    }
    if (device || stream)
        plan_error(p->plan, instance, "cudaErrorStreamCaptureUnsupported",
                   "what is being captured has not run");
    return device || stream || (call->event != NONE && p->events[call->event].capture != NONE);
}

/* ---- launches ------------------------------------------------------------------------------- */

static const char *between(struct planning *p, const struct node *from, const struct node *to)
{
    return arena_printf(p->b->arena, "graph edge from the node of line %u to that of line %u",
                        host_line(p->b, from->call->span), host_line(p->b, to->call->span));
}

static void expand(struct planning *p, const struct node_graph *g, uint32_t launch);

static void node_task(struct planning *p, const struct node *node, uint32_t task)
{
    if (node->kind == TASK_GRAPH && node->child)
        expand(p, node->child, task);
    else if (node->kind == TASK_RECORD)
        record_event(p, &p->events[node->call->event], task);
    else if (node->kind == TASK_MEMORY)
        change_lifetime(p, p->plan->tasks.at[task].instance, node->call, task);
    else if (node->kind == TASK_WAIT)
        match_wait(p,
                   host_reading(p->plan, HOST_READING_WAIT_NODE) ? &node->match
                                                                 : &p->events[node->call->event],
                   task);
}

/* E9, E10, E11 and E20. */
static void node_edges(struct planning *p, const struct node_graph *g, uint32_t n,
                       const uint32_t *tasks, uint32_t launch, bool *has_successor)
{
    const struct node *node = &g->nodes.at[n];
    expr_id always = expr_true(p->b->exprs);
    for (uint32_t i = 0; i < node->dependencies.len; i++) {
        struct dependency d = node->dependencies.at[i];
        has_successor[d.node] = true;
        if (d.programmatic) {
            p->plan->tasks.at[tasks[n]].programmatic = true;
            vec_push(p->b->arena, &p->plan->tasks.at[tasks[n]].prerequisites, tasks[d.node]);
        } else {
            order_tasks(p, API_EDGE_E10, END_TO_START, tasks[d.node], tasks[n], always,
                        between(p, &g->nodes.at[d.node], node));
        }
    }
    if (!node->dependencies.len)
        order_tasks(p, API_EDGE_E9, START_TO_START, launch, tasks[n], always,
                    "a root node of the graph");
}

static void expand(struct planning *p, const struct node_graph *g, uint32_t launch)
{
    struct builder *b = p->b;
    uint32_t *tasks = ARENA_ARRAY(b->arena, uint32_t, g->nodes.len + 1);
    bool *has_successor = ARENA_ARRAY(b->arena, bool, g->nodes.len + 1);
    uint32_t instance = p->plan->tasks.at[launch].instance;
    for (uint32_t n = 0; n < g->nodes.len && !b->failed; n++) {
        if (p->plan->tasks.len > MAX_TASKS) {
            refuse_call(p, g->nodes.at[n].call, "the launches have too many nodes");
            return;
        }
        tasks[n] = new_task(p, g->nodes.at[n].kind, instance, g->nodes.at[n].call);
        p->plan->tasks.at[tasks[n]].device = p->plan->tasks.at[launch].device;
        p->plan->tasks.at[tasks[n]].stream = p->plan->tasks.at[launch].stream;
        node_edges(p, g, n, tasks, launch, has_successor);
        node_task(p, &g->nodes.at[n], tasks[n]);
    }
    for (uint32_t n = 0; n < g->nodes.len && !b->failed; n++)
        if (!has_successor[n])
            order_tasks(p, API_EDGE_E11, END_TO_END, tasks[n], launch, expr_true(b->exprs),
                        "a last node of the graph");
}

void launch_graph(struct planning *p, uint32_t task)
{
    const struct host_call *call = p->plan->tasks.at[task].call;
    struct node_graph *g = p->graphs[call->exec];
    if (!g) {
        refuse_call(p, call, "no call before this one makes the executable graph");
        return;
    }
    if (in_branch(p, p->plan->tasks.at[task].instance, call))
        return;
    if (g->last_launch.len) /* E12 */
        order_tasks(p, API_EDGE_E12, END_TO_START, g->last_launch.at[g->last_launch.len - 1], task,
                    expr_true(p->b->exprs),
                    arena_printf(p->b->arena,
                                 "one executable graph, launched before line %u and there",
                                 host_line(p->b, call->span)));
    vec_push(p->b->arena, &g->last_launch, task);
    expand(p, g, task);
}

void plan_graph_call(struct planning *p, uint32_t instance, const struct host_call *call)
{
    if (in_branch(p, instance, call))
        return;
    switch (call->id) {
    case HOST_CALL_STREAM_BEGIN_CAPTURE:
        begin_capture(p, instance, call);
        return;
    case HOST_CALL_STREAM_END_CAPTURE:
        end_capture(p, instance, call);
        return;
    case HOST_CALL_GRAPH_CREATE:
        p->graphs[call->graph] = ARENA_NEW(p->b->arena, struct node_graph);
        return;
    case HOST_CALL_GRAPH_INSTANTIATE:
        p->graphs[call->exec] = copy_graph(p, graph_of(p, call));
        note_matches(p, p->graphs[call->exec]);
        return;
    case HOST_CALL_GRAPH_ADD_DEPENDENCIES:
        add_dependency(p, call);
        return;
    case HOST_CALL_GRAPH_DESTROY:
    case HOST_CALL_GRAPH_EXEC_DESTROY:
        return;
    case HOST_CALL_GRAPH_ADD_KERNEL_NODE:
    case HOST_CALL_GRAPH_ADD_MEMCPY_NODE:
    case HOST_CALL_GRAPH_ADD_MEMSET_NODE:
    case HOST_CALL_GRAPH_ADD_HOST_NODE:
    case HOST_CALL_GRAPH_ADD_EMPTY_NODE:
    case HOST_CALL_GRAPH_ADD_CHILD_NODE:
    case HOST_CALL_GRAPH_ADD_EVENT_RECORD_NODE:
    case HOST_CALL_GRAPH_ADD_EVENT_WAIT_NODE:
        add_node_by_hand(p, call);
        return;
    default: /* a row of host_call.def that nobody plans */
        abort();
    }
}
