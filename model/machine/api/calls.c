/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <string.h>

/* Looks at the calls of a host program before anything runs: which of them enqueue, into which
 * stream, on which device, and which threads can observe when a call is made. */

/* ---- what is refused ------------------------------------------------------------------------ */

static bool refuse(const struct test *test, struct diag_list *diags, const struct host_call *call,
                   const char *why)
{
    diag_add(diags, DIAG_run_unsupported, test->source, call->span, NULL,
             "the executor does not run '%s' %s", call->row->name, why);
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

static bool makes_graph_or_stream(const struct host_call *call)
{
    return call->graph != NONE || call->exec != NONE ||
           call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE ||
           host_call_is(call, HOST_CREATES, HOST_SUBJECT_STREAM);
}

/* A fence before the trigger reaches only dependent kernels of its own domain, which are not told apart here. */
static bool mixes_domains(const struct test *test, const struct host_call *call)
{
    const struct launch *launch = call->launch == NONE ? NULL : &test->launches[call->launch];
    for (uint32_t i = 0; launch && launch->programmatic && i < test->launch_count; i++)
        if (test->launches[i].domain != launch->domain)
            return true;
    return false;
}

/* Refuses what the executor cannot run, before it starts. */
static bool check_call(struct api *api, uint32_t index, struct diag_list *diags)
{
    const struct test *test = api->test;
    const struct host_call *call = &api->host->calls[index];
    const struct body *body = &test->bodies[test->host->threads[call->host].body];
    uint32_t at = position(body, index);
    api->calls[index].loops = at != NONE && in_loop(body, at);
    api->calls[index].branches = at == NONE || in_branch(body, at);
    if (call->row->subject == HOST_SUBJECT_ATTACHMENT &&
        !test->host->platform.concurrent_managed_access)
        return refuse(test, diags, call, "on a platform without concurrent managed access");
    if (mixes_domains(test, call))
        return refuse(test, diags, call, "programmatic, beside a kernel of another domain");
    if (api->calls[index].loops && makes_graph_or_stream(call))
        return refuse(test, diags, call, "inside a loop");
    bool device = call->row->subject == HOST_SUBJECT_DEVICE && call->row->class == HOST_CHANGES;
    bool mode = call->row->subject == HOST_SUBJECT_CAPTURE_MODE;
    if (!device && !mode)
        return true;
    if (device && call->value >= API_DEVICES)
        return refuse(test, diags, call, "for so many devices");
    return at == NONE || !in_branch(body, at) || refuse(test, diags, call, "inside a branch");
}

static bool check_platform(const struct test *test, struct diag_list *diags)
{
    const struct host_platform *p = &test->host->platform;
    if (test->host->gap_count) {
        diag_add(diags, DIAG_run_unsupported, test->source, test->host->gaps[0].span, NULL,
                 "the executor does not run code that is not modelled: %s",
                 test->host->gaps[0].message);
        return false;
    }
    if (p->host_native_atomics && p->peer_native_atomics)
        return true;
    diag_add(diags, DIAG_run_unsupported, test->source, (struct span){0, 0}, NULL,
             "the executor runs host programs only on a platform with native atomics");
    return false;
}

/* ---- streams -------------------------------------------------------------------------------- */

static uint32_t stream_of(const struct api *api, uint32_t index)
{
    const struct host_call *call = &api->host->calls[index];
    if (call->row->stream != HOST_NEEDS_ANY || call->stream >= HOST_FIRST_NAMED)
        return call->stream;
    return api->host->object_count + (call->stream == HOST_STREAM_PER_THREAD
                                          ? call->host
                                          : api->host->thread_count + api->calls[index].device);
}

/* The device that is current at each call: the last cudaSetDevice of its thread before it. The mode: likewise. */
static void find_devices(struct machine *machine, struct api *api)
{
    uint32_t *current = ARENA_ARRAY(machine->arena, uint32_t, api->host->thread_count);
    enum host_constant *mode =
        ARENA_ARRAY(machine->arena, enum host_constant, api->host->thread_count);
    for (uint32_t i = 0; i < api->host->call_count; i++) {
        const struct host_call *call = &api->host->calls[i];
        if (host_call_is(call, HOST_CHANGES, HOST_SUBJECT_DEVICE))
            current[call->host] = (uint32_t)call->value;
        api->calls[i].device = current[call->host];
        if (call->row->subject == HOST_SUBJECT_CAPTURE_MODE)
            mode[call->host] = call->constant;
        api->calls[i].mode = mode[call->host];
    }
}

/* A stream that is made again belongs to the same device; a per-thread one is there from the start
 * if some call of its thread uses it. */
static bool settle_stream(struct api *api, uint32_t index, bool *settled, struct diag_list *diags)
{
    const struct host_call *call = &api->host->calls[index];
    uint32_t at = api->calls[index].stream, device = api->calls[index].device;
    bool own = at != NONE && at >= api->host->object_count && !api->streams[at].legacy;
    if (!host_call_is(call, HOST_CREATES, HOST_SUBJECT_STREAM) && !own)
        return true;
    if (settled[at] && api->streams[at].device != device)
        return refuse(api->test, diags, call, "for a stream of several devices");
    settled[at] = true;
    api->streams[at] = (struct api_stream){.device = device, .blocking = own, .from_start = own};
    return true;
}

/* Streams of the program, those of host threads of their own, and the legacy stream of each device.
 * False: one of them would be of several devices, which is refused. */
static bool find_streams(struct machine *machine, struct api *api, struct diag_list *diags)
{
    api->stream_count = api->host->object_count + api->host->thread_count + API_DEVICES;
    api->streams = ARENA_ARRAY(machine->arena, struct api_stream, api->stream_count);
    bool *settled = ARENA_ARRAY(machine->arena, bool, api->stream_count);
    for (uint32_t i = 0; i < API_DEVICES; i++)
        api->streams[api->host->object_count + api->host->thread_count + i] =
            (struct api_stream){.device = i, .legacy = true, .from_start = true};
    for (uint32_t i = 0; i < api->host->call_count; i++) {
        api->calls[i].stream = stream_of(api, i);
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
    const struct host_call *x = &api->host->calls[a], *y = &api->host->calls[b];
    uint32_t s = api->calls[a].stream, t = api->calls[b].stream;
    bool legacy = (s != NONE && api->streams[s].legacy) || (t != NONE && api->streams[t].legacy);
    bool all = legacy || host_call_is(x, HOST_WAITS, HOST_SUBJECT_DEVICE) ||
               host_call_is(y, HOST_WAITS, HOST_SUBJECT_DEVICE);
    bool captures = x->row->subject == HOST_SUBJECT_BEGIN_CAPTURE ||
                    x->row->subject == HOST_SUBJECT_END_CAPTURE ||
                    y->row->subject == HOST_SUBJECT_BEGIN_CAPTURE ||
                    y->row->subject == HOST_SUBJECT_END_CAPTURE;
    if (x->row->subject == HOST_SUBJECT_RESET || y->row->subject == HOST_SUBJECT_RESET)
        return true;
    if (captures && (api_call_is_unsafe(x) || api_call_is_unsafe(y)))
        return true;
    if ((x->row->subject == HOST_SUBJECT_RELEASE && y->row->subject == HOST_SUBJECT_GRAPH) ||
        (y->row->subject == HOST_SUBJECT_RELEASE && x->row->subject == HOST_SUBJECT_GRAPH))
        return true;
    return (all && (s != NONE || t != NONE)) || same(s, t) || same(x->event, y->event) ||
           same(x->event, y->other_event) || same(x->other_event, y->event) ||
           same(x->exec, y->exec) || same(x->graph, y->graph) || same(x->child, y->graph) ||
           same(x->graph, y->child);
}

static void find_noticed(struct api *api)
{
    for (uint32_t a = 0; a < api->host->call_count; a++)
        for (uint32_t b = 0; b < api->host->call_count; b++)
            if (api->host->calls[a].host != api->host->calls[b].host && conflict(api, a, b))
                api->calls[a].noticed = true;
}

static void find_captures(struct machine *machine, struct api *api)
{
    api->captures = ARENA_ARRAY(machine->arena, uint32_t, api->host->call_count);
    for (uint32_t i = 0; i < api->host->call_count; i++)
        if (api->host->calls[i].row->subject == HOST_SUBJECT_BEGIN_CAPTURE) {
            api->calls[i].capture = api->capture_count;
            api->captures[api->capture_count++] = i;
        }
}

struct api *api_new(struct machine *machine, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    struct api *api = ARENA_NEW(machine->arena, struct api);
    uint32_t calls = host->call_count;
    api->test = machine->test;
    api->host = host;
    api->calls = ARENA_ARRAY(machine->arena, struct api_call, calls);
    api->graphs = api_graph_table_new(machine->arena);
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
