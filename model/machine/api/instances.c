/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* How often each call can be under way: once by itself, more often in a loop, and once for every
 * node that it becomes in every launch of a graph. At least as many as can come about. */

enum { DEEPEST = 8 }; /* graphs in graphs */

struct api_finding {
    struct machine *machine;
    struct api *api;
    struct diag_list *diags;
    bool failed;
};

static void refuse(struct api_finding *f, const struct host_call *call, const char *why)
{
    if (!f->failed)
        diag_add(f->diags, DIAG_run_too_large, f->api->test->source, call->span, NULL, "%s", why);
    f->failed = true;
}

static void add_task(struct api_finding *f, const struct host_call *call, uint32_t device)
{
    enum host_subject does = call->row->subject;
    bool joins = does == HOST_SUBJECT_GRAPH || does == HOST_SUBJECT_CONDITION;
    for (int join = 0; join <= joins; join++) {
        if (f->api->task_count == API_TASKS) {
            refuse(f, call, "more than 1024 tasks may be under way");
            return;
        }
        f->api->tasks[f->api->task_count++] =
            (struct api_task){.call = call, .join = join, .device = device, .box = NONE};
    }
}

/* ---- what a capture may take ---------------------------------------------------------------- */

static bool records_into(const struct api_finding *f, uint32_t event, const bool *streams)
{
    for (uint32_t i = 0; i < f->api->host->call_count; i++)
        if (f->api->host->calls[i].row->subject == HOST_SUBJECT_RECORD &&
            f->api->host->calls[i].event == event && f->api->calls[i].stream != NONE &&
            streams[f->api->calls[i].stream])
            return true;
    return false;
}

/* The streams that events can bring into a capture that begins on 'origin'. */
static bool *joined_streams(const struct api_finding *f, uint32_t origin)
{
    bool *streams = ARENA_ARRAY(f->machine->arena, bool, f->api->stream_count);
    streams[origin] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < f->api->host->call_count; i++) {
            uint32_t stream = f->api->calls[i].stream;
            if (!host_call_is(&f->api->host->calls[i], HOST_ENQUEUES, HOST_SUBJECT_EVENT_WAIT) ||
                streams[stream] || !records_into(f, f->api->host->calls[i].event, streams))
                continue;
            streams[stream] = more = true;
        }
    }
    return streams;
}

/* Calls of one thread happen in the order of the text, but for loops. */
static bool comes_before(const struct api_finding *f, uint32_t a, uint32_t b)
{
    return a < b || f->api->host->calls[a].host != f->api->host->calls[b].host ||
           f->api->calls[a].loops;
}

/* The capture of 'end' certainly ends at another call between the two. */
static bool ends_between(const struct api_finding *f, uint32_t first, uint32_t last, uint32_t end)
{
    const struct host_call *calls = f->api->host->calls;
    if (calls[first].host != calls[last].host || f->api->calls[first].loops ||
        f->api->calls[last].loops)
        return false;
    for (uint32_t i = first + 1; i < last; i++)
        if (calls[i].row->subject == HOST_SUBJECT_END_CAPTURE && !f->api->calls[i].branches &&
            calls[i].host == calls[first].host &&
            f->api->calls[i].stream == f->api->calls[end].stream)
            return true;
    return false;
}

/* May the call be captured by the capture that ends with 'end'? In some run it comes between the
 * beginning and the end, in one of the streams. */
static bool may_capture(const struct api_finding *f, const bool *streams, uint32_t call,
                        uint32_t end)
{
    const struct host_call *c = &f->api->host->calls[call];
    uint32_t stream = f->api->calls[call].stream;
    if (c->row->class != HOST_ENQUEUES || !streams[stream] || !comes_before(f, call, end) ||
        ends_between(f, call, end, end))
        return false;
    for (uint32_t i = 0; i < f->api->host->call_count; i++)
        if (f->api->host->calls[i].row->subject == HOST_SUBJECT_BEGIN_CAPTURE &&
            f->api->calls[i].stream == f->api->calls[end].stream && comes_before(f, i, call) &&
            !ends_between(f, i, call, end))
            return true;
    return false;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static void add_exec(struct api_finding *f, uint32_t exec, uint32_t device, int depth);
static void add_graph(struct api_finding *f, uint32_t graph, uint32_t device, int depth);

static void add_captured(struct api_finding *f, uint32_t end, uint32_t device, int depth)
{
    const bool *streams = joined_streams(f, f->api->calls[end].stream);
    for (uint32_t i = 0; i < f->api->host->call_count && !f->failed; i++) {
        if (!may_capture(f, streams, i, end))
            continue;
        add_task(f, &f->api->host->calls[i], device);
        if (f->api->host->calls[i].exec != NONE)
            add_exec(f, f->api->host->calls[i].exec, device, depth + 1);
    }
}

/* A capture into a graph that is there: whatever its ends may take. */
static void add_captured_into(struct api_finding *f, uint32_t begin, uint32_t device, int depth)
{
    const struct host_call *calls = f->api->host->calls;
    for (uint32_t i = 0; i < f->api->host->call_count && !f->failed; i++)
        if (calls[i].row->subject == HOST_SUBJECT_END_CAPTURE &&
            calls[i].graph != calls[begin].graph &&
            f->api->calls[i].stream == f->api->calls[begin].stream && comes_before(f, begin, i) &&
            !ends_between(f, begin, i, i))
            add_captured(f, i, device, depth);
}

/* The graph of a capture's end: what it may take, and what was there if it began with a graph. */
static void add_ended(struct api_finding *f, uint32_t end, uint32_t device, int depth)
{
    const struct host_call *calls = f->api->host->calls;
    add_captured(f, end, device, depth);
    for (uint32_t i = 0; i < f->api->host->call_count && !f->failed; i++)
        if (calls[i].row->subject == HOST_SUBJECT_BEGIN_CAPTURE && calls[i].graph != NONE &&
            calls[i].graph != calls[end].graph &&
            f->api->calls[i].stream == f->api->calls[end].stream && comes_before(f, i, end))
            add_graph(f, calls[i].graph, device, depth + 1);
}

/* Everything that may be a node of the graph. */
static void add_graph(struct api_finding *f, uint32_t graph, uint32_t device, int depth)
{
    for (uint32_t i = 0; i < f->api->host->call_count && !f->failed; i++) {
        const struct host_call *call = &f->api->host->calls[i];
        if (call->graph != graph)
            continue;
        if (depth > DEEPEST)
            refuse(f, call, "graphs are nested too deeply");
        else if (call->row->subject == HOST_SUBJECT_END_CAPTURE)
            add_ended(f, i, device, depth);
        else if (call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE)
            add_captured_into(f, i, device, depth);
        else if (call->row->class == HOST_ADDS || call->row->class == HOST_SETS ||
                 call->row->subject == HOST_SUBJECT_NO_NODE ||
                 call->row->subject == HOST_SUBJECT_HANDLE)
            add_task(f, call, device);
        if (call->constant ==
            HOST_CONDITION_WHILE) /* it reads once more while the last read ends */
            add_task(f, call, device);
        for (uint32_t k = 0; k < call->body_count; k++)
            add_graph(f, call->bodies[k], device, depth + 1);
        if (call->child != NONE)
            add_graph(f, call->child, device, depth + 1);
    }
}

static void add_exec(struct api_finding *f, uint32_t exec, uint32_t device, int depth)
{
    for (uint32_t i = 0; i < f->api->host->call_count && !f->failed; i++) {
        const struct host_call *call = &f->api->host->calls[i];
        if (call->exec != exec)
            continue;
        if (host_call_is(call, HOST_CREATES, HOST_SUBJECT_EXECUTABLE) ||
            call->row->subject == HOST_SUBJECT_UPDATE)
            add_graph(f, call->graph, device, depth);
        else if (call->row->class == HOST_SETS || call->row->subject == HOST_SUBJECT_ENABLED)
            add_task(f, call, device);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static void add_call(struct api_finding *f, uint32_t index)
{
    const struct host_call *call = &f->api->host->calls[index];
    if (call->row->class != HOST_ENQUEUES)
        return;
    uint32_t device = f->api->streams[f->api->calls[index].stream].device;
    for (int i = 0; i < (f->api->calls[index].loops ? API_LOOP_TASKS : 1); i++)
        add_task(f, call, device);
    if (call->row->subject == HOST_SUBJECT_GRAPH)
        add_exec(f, call->exec, device, 0);
}

bool api_find_tasks(struct machine *machine, struct api *api, struct diag_list *diags)
{
    struct api_finding f = {machine, api, diags, false};
    api->tasks = ARENA_ARRAY(machine->arena, struct api_task, API_TASKS);
    for (uint32_t i = 0; i < api->host->call_count && !f.failed; i++)
        add_call(&f, i);
    return !f.failed;
}
