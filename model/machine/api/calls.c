/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <string.h>

/* What the calls of a host program are, before anything runs: which enqueue, into which stream, on
 * which device, and who can tell when they are made. */

/* ---- kinds of calls ------------------------------------------------------------------------- */

bool call_makes_stream(const struct host_call *call)
{
    return call->id == HOST_CALL_STREAM_CREATE || call->id == HOST_CALL_STREAM_CREATE_WITH_FLAGS ||
           call->id == HOST_CALL_STREAM_CREATE_WITH_PRIORITY;
}

bool call_copies(const struct host_call *call)
{
    return call->id == HOST_CALL_MEMCPY || call->id == HOST_CALL_MEMCPY_ASYNC ||
           call->id == HOST_CALL_MEMCPY_TO_SYMBOL || call->id == HOST_CALL_GRAPH_ADD_MEMCPY_NODE;
}

bool call_sets(const struct host_call *call)
{
    return call->id == HOST_CALL_MEMSET || call->id == HOST_CALL_MEMSET_ASYNC ||
           call->id == HOST_CALL_GRAPH_ADD_MEMSET_NODE;
}

bool call_records(const struct host_call *call)
{
    return call->id == HOST_CALL_EVENT_RECORD || call->id == HOST_CALL_EVENT_RECORD_WITH_FLAGS ||
           call->id == HOST_CALL_GRAPH_ADD_EVENT_RECORD_NODE;
}

bool call_waits_for_event(const struct host_call *call)
{
    return call->id == HOST_CALL_STREAM_WAIT_EVENT ||
           call->id == HOST_CALL_GRAPH_ADD_EVENT_WAIT_NODE;
}

bool call_adds_node(const struct host_call *call)
{
    return call->id != HOST_CALL_LAUNCH && host_call_arguments(call->id)[0] == 'N';
}

bool call_enqueues(const struct host_call *call)
{
    return call->id == HOST_CALL_LAUNCH || call->id == HOST_CALL_LAUNCH_HOST_FUNC ||
           call->id == HOST_CALL_STREAM_ADD_CALLBACK || call->id == HOST_CALL_GRAPH_LAUNCH ||
           call->id == HOST_CALL_MALLOC_ASYNC || call->id == HOST_CALL_FREE_ASYNC ||
           call_copies(call) || call_sets(call) || call_records(call) ||
           call_waits_for_event(call) || call_adds_node(call);
}

bool call_launches_graph(const struct host_call *call)
{
    return call->id == HOST_CALL_GRAPH_LAUNCH || call->id == HOST_CALL_GRAPH_ADD_CHILD_NODE;
}

static bool is_graph_call(const struct host_call *call)
{
    return call->id == HOST_CALL_STREAM_BEGIN_CAPTURE ||
           (call->id != HOST_CALL_LAUNCH && strpbrk(host_call_arguments(call->id), "gGxX"));
}

/* ---- what is refused ------------------------------------------------------------------------ */

static bool refuse(const struct test *test, struct diag_list *diags, const struct host_call *call,
                   const char *why)
{
    diag_add(diags, DIAG_run_unsupported, test->source, call->span, NULL,
             "the executor does not run '%s' %s", host_call_name(call->id), why);
    return false;
}

static uint32_t branch_target(const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == OPERAND_LABEL)
            return inst->operands[i].target;
    return NONE;
}

static uint32_t position(const struct body *body, uint32_t call)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (body->insts[i].op == OP_HOST_CALL && body->insts[i].operands[1].value == call)
            return i;
    return NONE;
}

static bool in_loop(const struct body *body, uint32_t at)
{
    for (uint32_t i = at; i < body->inst_count; i++)
        if (branch_target(&body->insts[i]) <= at)
            return true;
    return false;
}

static bool in_branch(const struct body *body, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++) {
        uint32_t target = branch_target(&body->insts[i]);
        if (target != NONE && target > at)
            return true;
    }
    return in_loop(body, at);
}

static bool is_modelled(const struct host_call *call)
{
    return call->id != HOST_CALL_STREAM_ATTACH_MEM_ASYNC;
}

static bool check_call(struct api *api, uint32_t index, struct diag_list *diags)
{
    const struct test *test = api->test;
    const struct host_call *call = &test->host->calls[index];
    const struct body *body = &test->bodies[test->host->threads[call->host].body];
    uint32_t at = position(body, index);
    api->loops[index] = at != NONE && in_loop(body, at);
    if (!is_modelled(call))
        return refuse(test, diags, call, "yet");
    if (api->loops[index] && (is_graph_call(call) || call_makes_stream(call)))
        return refuse(test, diags, call, "inside a loop");
    if (call->id != HOST_CALL_SET_DEVICE)
        return true;
    if (call->numbers[0] >= API_DEVICES)
        return refuse(test, diags, call, "for so many devices");
    return at == NONE || !in_branch(body, at) || refuse(test, diags, call, "inside a branch");
}

static bool check_platform(const struct test *test, struct diag_list *diags)
{
    const struct host_platform *p = &test->host->platform;
    if (p->host_native_atomics && p->peer_native_atomics)
        return true;
    diag_add(diags, DIAG_run_unsupported, test->source, (struct span){0, 0}, NULL,
             "the executor runs host programs only on a platform with native atomics");
    return false;
}

/* ---- streams -------------------------------------------------------------------------------- */

/* The call means a stream, by name or by default. */
static bool by_stream(const struct host_call *call)
{
    return (call_enqueues(call) && !call_adds_node(call)) ||
           call->id == HOST_CALL_STREAM_SYNCHRONIZE || call->id == HOST_CALL_STREAM_QUERY ||
           call->id == HOST_CALL_STREAM_BEGIN_CAPTURE || call->id == HOST_CALL_STREAM_END_CAPTURE;
}

static uint32_t stream_of(const struct api *api, uint32_t index)
{
    const struct host_program *host = api->test->host;
    const struct host_call *call = &host->calls[index];
    uint32_t object = call->stream;
    if (!by_stream(call))
        return object;
    if (object == NONE)
        object =
            host->platform.per_thread_default_stream ? HOST_STREAM_PER_THREAD : HOST_STREAM_LEGACY;
    if (object == HOST_STREAM_LEGACY)
        return host->object_count + host->thread_count + api->device_of[index];
    return object == HOST_STREAM_PER_THREAD ? host->object_count + call->host : object;
}

/* The device that is current at each call: the last cudaSetDevice of its thread before it. */
static void find_devices(struct machine *machine, struct api *api)
{
    const struct host_program *host = api->test->host;
    uint32_t *current = ARENA_ARRAY(machine->arena, uint32_t, host->thread_count);
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *call = &host->calls[i];
        if (call->id == HOST_CALL_SET_DEVICE)
            current[call->host] = (uint32_t)call->numbers[0];
        api->device_of[i] = current[call->host];
    }
}

/* A stream that is made again belongs to the same device; a per-thread one is there from the start
 * if some call of its thread uses it. */
static bool settle_stream(struct api *api, uint32_t index, bool *settled, struct diag_list *diags)
{
    const struct host_program *host = api->test->host;
    const struct host_call *call = &host->calls[index];
    uint32_t at = api->stream_of[index], device = api->device_of[index];
    bool own = at != NONE && at >= host->object_count && !api->streams[at].legacy;
    if (!call_makes_stream(call) && !own)
        return true;
    if (settled[at] && api->streams[at].device != device)
        return refuse(api->test, diags, call, "for a stream of several devices");
    settled[at] = true;
    api->streams[at] = (struct api_stream){.device = device, .blocking = own, .from_start = own};
    return true;
}

static bool find_streams(struct machine *machine, struct api *api, struct diag_list *diags)
{
    const struct host_program *host = api->test->host;
    api->stream_count = host->object_count + host->thread_count + API_DEVICES;
    api->streams = ARENA_ARRAY(machine->arena, struct api_stream, api->stream_count);
    bool *settled = ARENA_ARRAY(machine->arena, bool, api->stream_count);
    for (uint32_t i = 0; i < API_DEVICES; i++)
        api->streams[host->object_count + host->thread_count + i] =
            (struct api_stream){.device = i, .legacy = true, .from_start = true};
    for (uint32_t i = 0; i < host->call_count; i++) {
        api->stream_of[i] = stream_of(api, i);
        if (!settle_stream(api, i, settled, diags))
            return false;
    }
    return true;
}

/* ---- who can tell --------------------------------------------------------------------------- */

static bool same(uint32_t a, uint32_t b)
{
    return a != NONE && a == b;
}

/* Does it matter which of the two, of different host threads, is made first? */
static bool conflict(const struct api *api, uint32_t a, uint32_t b)
{
    const struct host_call *x = &api->test->host->calls[a], *y = &api->test->host->calls[b];
    uint32_t s = api->stream_of[a], t = api->stream_of[b];
    bool legacy = (s != NONE && api->streams[s].legacy) || (t != NONE && api->streams[t].legacy);
    bool all =
        x->id == HOST_CALL_DEVICE_SYNCHRONIZE || y->id == HOST_CALL_DEVICE_SYNCHRONIZE || legacy;
    return (all && (s != NONE || t != NONE)) || same(s, t) || same(x->event, y->event) ||
           same(x->exec, y->exec) || same(x->graph, y->graph) || same(x->child, y->graph) ||
           same(x->graph, y->child);
}

static void find_noticed(struct api *api)
{
    const struct host_program *host = api->test->host;
    for (uint32_t a = 0; a < host->call_count; a++)
        for (uint32_t b = 0; b < host->call_count; b++)
            if (host->calls[a].host != host->calls[b].host && conflict(api, a, b))
                api->noticed[a] = true;
}

static void find_captures(struct machine *machine, struct api *api)
{
    const struct host_program *host = api->test->host;
    api->captures = ARENA_ARRAY(machine->arena, const struct host_call *, host->call_count);
    for (uint32_t i = 0; i < host->call_count; i++)
        if (host->calls[i].id == HOST_CALL_STREAM_BEGIN_CAPTURE) {
            api->capture_of[i] = api->capture_count;
            api->captures[api->capture_count++] = &host->calls[i];
        }
}

struct api *api_new(struct machine *machine, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    struct api *api = ARENA_NEW(machine->arena, struct api);
    uint32_t calls = host->call_count;
    api->test = machine->test;
    api->task_count = 0;
    api->stream_of = ARENA_ARRAY(machine->arena, uint32_t, calls);
    api->device_of = ARENA_ARRAY(machine->arena, uint32_t, calls);
    api->capture_of = ARENA_ARRAY(machine->arena, uint32_t, calls);
    api->noticed = ARENA_ARRAY(machine->arena, bool, calls);
    api->loops = ARENA_ARRAY(machine->arena, bool, calls);
    api->graphs = graph_table_new(machine->arena);
    if (!check_platform(machine->test, diags))
        return NULL;
    for (uint32_t i = 0; i < calls; i++)
        if (!check_call(api, i, diags))
            return NULL;
    find_devices(machine, api);
    if (!find_streams(machine, api, diags))
        return NULL;
    find_captures(machine, api);
    find_noticed(api);
    return api_find_tasks(machine, api, diags) ? api : NULL;
}

/* ---- rules ---------------------------------------------------------------------------------- */

void api_skip(const struct machine *machine, uint32_t rule)
{
    machine->api->skip = (enum api_rule)rule;
}

const uint32_t api_rule_count = API_RULE_COUNT;

const char *api_rule_text(uint32_t rule)
{
    static const char *const texts[API_RULE_COUNT] = {
        "nothing",
#define RULE(id, edge, text) edge ": " text,
#include "model/machine/api/rule.def"
#undef RULE
    };
    return texts[rule];
}
