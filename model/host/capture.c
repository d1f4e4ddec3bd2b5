/* SPDX-License-Identifier: MIT */
#include "litmus/test/host_rule.h"
#include "model/host/plan.h"

#include <string.h>

/* Stream capture: calls on a captured stream become nodes of a graph and events become edges;
 * nothing runs. */

static bool captures_blocking(const struct planning *p, uint32_t device)
{
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture != NONE && p->streams[i].queue->blocking &&
            p->streams[i].queue->device == device)
            return true;
    return false;
}

/* ---- begin and end -------------------------------------------------------------------------- */

/* The next node of the stream comes after the nodes that the call lists. */
static void add_listed(struct planning *p, struct plan_stream *s)
{
    const struct plan_graph *g = p->captures.at[s->capture].graph;
    for (uint32_t i = 0; i < p->call->dependency_count; i++) {
        uint32_t node = p->node_at[p->call->dependencies[i]];
        if (node < g->nodes.len)
            vec_push(p->b->arena, &s->frontier, node);
        else
            plan_error(p, HOST_MISUSE_NO_GRAPH);
    }
}

void plan_change_frontier(struct planning *p)
{
    struct plan_stream *s = plan_stream(p, p->call->stream);
    if (s->capture == NONE) {
        plan_error(p, HOST_MISUSE_CAPTURE_NONE);
        return;
    }
    if (p->call->constant == HOST_CAPTURE_SET_DEPENDENCIES)
        s->frontier.len = 0;
    add_listed(p, s);
}

void plan_begin_capture(struct planning *p)
{
    struct plan_stream *s = plan_stream(p, p->call->stream);
    if (s->queue->legacy || s->capture != NONE) {
        plan_error(p, s->queue->legacy ? HOST_MISUSE_CAPTURE_LEGACY : HOST_MISUSE_CAPTURE_TWICE);
        return;
    }
    struct plan_graph *g = p->call->graph == NONE ? plan_new_graph(p) : plan_named_graph(p);
    struct plan_capture c = {g, s, p->at->host, p->call->constant};
    s->capture = p->captures.len;
    s->frontier.len = 0;
    vec_push(p->b->arena, &p->captures, c);
    add_listed(p, s);
}

/* Is node 'a' the node 'b' or something it waits for? Nodes depend on earlier ones only. */
static bool leads_to(struct planning *p, const struct plan_graph *g, uint32_t a, uint32_t b)
{
    bool *before = ARENA_ARRAY(p->b->arena, bool, g->nodes.len + 1);
    before[b] = true;
    for (uint32_t n = b + 1; n-- > a;)
        for (uint32_t i = 0; before[n] && i < g->nodes.at[n].dependencies.len; i++)
            before[g->nodes.at[n].dependencies.at[i].node] = true;
    return before[a];
}

static bool is_joined(struct planning *p, const struct plan_graph *g,
                      const struct plan_stream *origin, uint32_t node)
{
    for (uint32_t i = 0; i < origin->frontier.len; i++)
        if (node <= origin->frontier.at[i] && leads_to(p, g, node, origin->frontier.at[i]))
            return true;
    return false;
}

static bool all_joined(struct planning *p, const struct plan_stream *origin)
{
    const struct plan_graph *g = p->captures.at[origin->capture].graph;
    for (uint32_t i = 0; i < p->stream_count; i++)
        for (uint32_t k = 0; k < p->streams[i].frontier.len; k++)
            if (p->streams[i].capture == origin->capture &&
                !is_joined(p, g, origin, p->streams[i].frontier.at[k]))
                return false;
    return true;
}

void plan_end_capture(struct planning *p)
{
    struct plan_stream *s = plan_stream(p, p->call->stream);
    p->graphs[p->call->graph] = plan_new_graph(p);
    uint32_t capture = s->capture;
    if (capture == NONE || p->captures.at[capture].origin != s) {
        plan_error(p, capture == NONE ? HOST_MISUSE_CAPTURE_NONE : HOST_MISUSE_CAPTURE_UNMATCHED);
        return;
    }
    const struct plan_capture *c = &p->captures.at[capture];
    if (c->host != p->at->host && c->mode != HOST_CAPTURE_RELAXED)
        plan_error(p, HOST_MISUSE_CAPTURE_WRONG_THREAD);
    else if (!all_joined(p, s))
        plan_error(p, HOST_MISUSE_CAPTURE_UNJOINED);
    else
        p->graphs[p->call->graph] = c->graph;
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture == capture)
            p->streams[i].capture = NONE;
}

void plan_ask_capture(struct planning *p)
{
    const struct plan_stream *s = plan_stream(p, p->call->stream);
    if (!s->queue)
        plan_error(p, HOST_MISUSE_NO_STREAM);
    else if (s->queue->legacy && captures_blocking(p, s->queue->device))
        plan_error(p, HOST_MISUSE_CAPTURE_IMPLICIT);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static void join(struct planning *p, const struct plan_event *e, struct plan_stream *s)
{
    if (s->capture != NONE && s->capture != e->capture) {
        plan_error(p, HOST_MISUSE_CAPTURE_MERGE);
        return;
    }
    if (s->capture == NONE)
        s->frontier.len = 0;
    s->capture = e->capture;
    for (uint32_t i = 0; i < e->frontier.len; i++)
        vec_push(p->b->arena, &s->frontier, e->frontier.at[i]);
}

static void capture_node(struct planning *p, struct plan_stream *s)
{
    const struct host_call *call = p->call;
    struct plan_graph *g = p->captures.at[s->capture].graph;
    uint32_t node = plan_add_node(p, g);
    bool programmatic = call->launch != NONE && p->b->test->launches[call->launch].programmatic;
    for (uint32_t i = 0; i < s->frontier.len; i++) {
        const struct plan_node *before = &g->nodes.at[s->frontier.at[i]];
        plan_depend(p, g, node, s->frontier.at[i],
                    programmatic && before->call->row->subject == HOST_SUBJECT_KERNEL);
    }
    if (call->exec != NONE)
        g->nodes.at[node].child = plan_copy_graph(p, p->graphs[call->exec]);
    s->frontier.len = 0;
    vec_push(p->b->arena, &s->frontier, node);
}

static void capture_record(struct planning *p, const struct plan_stream *s)
{
    struct plan_event *e = &p->events[p->call->event];
    *e = (struct plan_event){.device = e->device, .capture = s->capture, .history = e->history};
    for (uint32_t i = 0; i < s->frontier.len; i++)
        vec_push(p->b->arena, &e->frontier, s->frontier.at[i]);
}

bool plan_capture(struct planning *p, struct plan_stream *s)
{
    const struct host_call *call = p->call;
    if (s->queue->legacy && captures_blocking(p, s->queue->device)) {
        plan_error(p, HOST_MISUSE_CAPTURE_IMPLICIT);
        return true;
    }
    bool wait = call->row->subject == HOST_SUBJECT_EVENT_WAIT;
    bool joins = wait && p->events[call->event].capture != NONE;
    if (s->capture == NONE && !joins) {
        bool external = call->constant == HOST_EVENT_RECORD_EXTERNAL ||
                        call->constant == HOST_EVENT_WAIT_EXTERNAL;
        if (external)
            plan_error(p, HOST_MISUSE_CAPTURE_EXTERNAL);
        return external;
    }
    if (!plan_outside_branches(p))
        return true;
    if (joins)
        join(p, &p->events[call->event], s);
    else if (wait && call->constant != HOST_EVENT_WAIT_EXTERNAL) {
        if (p->events[call->event].records.len) /* else an empty set of work */
            plan_error(p, HOST_MISUSE_CAPTURE_ISOLATION);
    } else if (call->row->captured == HOST_CAPTURED_ERROR)
        plan_error(p, HOST_MISUSE_CAPTURE_CALL);
    else if (call->row->captured == HOST_CAPTURED_EDGE &&
             call->constant != HOST_EVENT_RECORD_EXTERNAL && !wait)
        capture_record(p, s);
    else
        capture_node(p, s);
    return true;
}

/* ---- unsafe calls --------------------------------------------------------------------------- */

/* Calls that a capture in progress may prohibit: cuda-api-sync 7.1, as observed. */
static bool is_unsafe(struct planning *p)
{
    const struct host_call_row *row = p->call->row;
    bool memory = row->subject == HOST_SUBJECT_ALLOCATION || row->subject == HOST_SUBJECT_RELEASE;
    if (row->class == HOST_ENQUEUES)
        return memory && plan_stream(p, p->call->stream)->capture == NONE;
    return (memory && row->class != HOST_ADDS) || row->subject == HOST_SUBJECT_EXECUTABLE ||
           (row->class == HOST_WAITS && row->subject != HOST_SUBJECT_DEVICE) ||
           (row->class == HOST_ASKS && row->subject != HOST_SUBJECT_ELAPSED) ||
           strcmp(row->name, "cudaHostRegister") == 0;
}

static bool is_in_progress(const struct planning *p, uint32_t capture)
{
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture == capture)
            return true;
    return false;
}

static bool is_global(enum host_constant mode)
{
    return mode == HOST_CAPTURE_GLOBAL || mode == HOST_CONSTANT_NONE;
}

bool plan_capture_prohibits(struct planning *p)
{
    uint32_t without = p->b->options->without;
    enum host_constant mode =
        without == HOST_RULE_CAPTURE_MODE ? HOST_CAPTURE_GLOBAL : p->mode[p->at->host];
    for (uint32_t i = 0; i < p->captures.len && is_unsafe(p); i++) {
        const struct plan_capture *c = &p->captures.at[i];
        bool own = c->host == p->at->host;
        bool strict = own ? mode != HOST_CAPTURE_RELAXED && c->mode != HOST_CAPTURE_RELAXED
                          : is_global(mode) && is_global(c->mode);
        if (!own && without == HOST_RULE_CAPTURE_OTHERS)
            continue;
        if (strict && is_in_progress(p, i)) {
            plan_error(p, HOST_MISUSE_CAPTURE_UNSAFE);
            return true;
        }
    }
    return false;
}

/* ---- synchronization ------------------------------------------------------------------------ */

static bool is_captured(struct planning *p)
{
    if (p->call->row->subject == HOST_SUBJECT_STREAM) {
        const struct plan_stream *s = plan_stream(p, p->call->stream);
        return s->capture != NONE ||
               (s->queue && s->queue->legacy && captures_blocking(p, s->queue->device));
    }
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].capture != NONE && p->streams[i].queue->device == p->device[p->at->host])
            return true;
    return false;
}

bool plan_capture_forbids(struct planning *p)
{
    bool time = p->call->row->subject == HOST_SUBJECT_ELAPSED;
    bool event = time || p->call->row->subject == HOST_SUBJECT_EVENT;
    bool captured = event ? p->events[p->call->event].capture != NONE : is_captured(p);
    if (!captured && !(time && p->events[p->call->other_event].capture != NONE))
        return false;
    plan_error(p, event ? HOST_MISUSE_CAPTURED_EVENT : HOST_MISUSE_CAPTURE_UNFINISHED);
    return true;
}
