/* SPDX-License-Identifier: MIT */
#include "model/machine/api.h"

/* What the calls of a host program are, before anything runs: which enqueue, into which stream, on
 * which device. */

static bool refuse(const struct test *test, struct diag_list *diags, const struct host_call *call,
                   const char *why)
{
    diag_add(diags, DIAG_run_unsupported, test->source, call->span, NULL,
             "the executor does not run '%s' %s", host_call_name(call->id), why);
    return false;
}

static bool enqueues(const struct host_call *call)
{
    switch (call->id) {
    case HOST_CALL_LAUNCH:
    case HOST_CALL_MEMCPY:
    case HOST_CALL_MEMCPY_ASYNC:
    case HOST_CALL_MEMCPY_TO_SYMBOL:
    case HOST_CALL_MEMSET:
    case HOST_CALL_MEMSET_ASYNC:
    case HOST_CALL_LAUNCH_HOST_FUNC:
    case HOST_CALL_STREAM_ADD_CALLBACK:
    case HOST_CALL_EVENT_RECORD:
    case HOST_CALL_EVENT_RECORD_WITH_FLAGS:
    case HOST_CALL_STREAM_WAIT_EVENT:
        return true;
    default:
        return false;
    }
}

static bool is_modelled(const struct host_call *call)
{
    switch (call->id) {
    case HOST_CALL_STREAM_CREATE:
    case HOST_CALL_STREAM_CREATE_WITH_FLAGS:
    case HOST_CALL_STREAM_CREATE_WITH_PRIORITY:
    case HOST_CALL_STREAM_DESTROY:
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_STREAM_QUERY:
    case HOST_CALL_EVENT_CREATE:
    case HOST_CALL_EVENT_CREATE_WITH_FLAGS:
    case HOST_CALL_EVENT_DESTROY:
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_EVENT_QUERY:
    case HOST_CALL_SET_DEVICE:
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        return true;
    default:
        return enqueues(call);
    }
}

static bool makes_stream(const struct host_call *call)
{
    return call->id == HOST_CALL_STREAM_CREATE || call->id == HOST_CALL_STREAM_CREATE_WITH_FLAGS ||
           call->id == HOST_CALL_STREAM_CREATE_WITH_PRIORITY;
}

static bool is_external(const struct host_call *call)
{
    return call->constant == HOST_EVENT_RECORD_EXTERNAL ||
           call->constant == HOST_EVENT_WAIT_EXTERNAL;
}

static bool acceptable(const struct test *test, const struct host_call *call,
                       struct diag_list *diags)
{
    const struct launch *launch = call->launch == NONE ? NULL : &test->launches[call->launch];
    if (!is_modelled(call))
        return refuse(test, diags, call, "yet");
    if (is_external(call))
        return refuse(test, diags, call, "with an external event");
    if (launch && launch->programmatic)
        return refuse(test, diags, call, "with programmatic stream serialization");
    if (call->id == HOST_CALL_SET_DEVICE && call->numbers[0] >= API_DEVICES)
        return refuse(test, diags, call, "for so many devices");
    return true;
}

/* ---- where calls stand in their bodies ------------------------------------------------------- */

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

static bool has_branches(const struct body *body)
{
    for (uint32_t i = 0; i < body->inst_count; i++)
        if (branch_target(&body->insts[i]) != NONE)
            return true;
    return false;
}

static bool check_place(const struct test *test, uint32_t index, struct diag_list *diags)
{
    const struct host_call *call = &test->host->calls[index];
    const struct body *body = &test->bodies[test->host->threads[call->host].body];
    uint32_t at = position(body, index);
    if ((enqueues(call) || makes_stream(call)) && at != NONE && in_loop(body, at))
        return refuse(test, diags, call, "inside a loop");
    if (call->id == HOST_CALL_SET_DEVICE && has_branches(body))
        return refuse(test, diags, call, "in a thread that branches");
    return true;
}

/* ---- streams -------------------------------------------------------------------------------- */

static bool by_runtime(const struct host_call *call)
{
    return enqueues(call) || call->id == HOST_CALL_STREAM_SYNCHRONIZE ||
           call->id == HOST_CALL_STREAM_QUERY;
}

static uint32_t stream_of(const struct api *api, const struct test *test, uint32_t index)
{
    const struct host_program *host = test->host;
    const struct host_call *call = &host->calls[index];
    uint32_t object = call->stream;
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
    const struct host_program *host = machine->test->host;
    uint32_t *current = ARENA_ARRAY(machine->arena, uint32_t, host->thread_count);
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *call = &host->calls[i];
        if (call->id == HOST_CALL_SET_DEVICE)
            current[call->host] = (uint32_t)call->numbers[0];
        api->device_of[i] = current[call->host];
    }
}

static bool find_streams(struct machine *machine, struct api *api, struct diag_list *diags)
{
    const struct test *test = machine->test;
    const struct host_program *host = test->host;
    bool *made = ARENA_ARRAY(machine->arena, bool, host->object_count);
    api->stream_count = host->object_count + host->thread_count + API_DEVICES;
    api->streams = ARENA_ARRAY(machine->arena, struct api_stream, api->stream_count);
    for (uint32_t i = 0; i < API_DEVICES; i++)
        api->streams[host->object_count + host->thread_count + i] =
            (struct api_stream){.device = i, .legacy = true, .from_start = true};
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *call = &host->calls[i];
        api->stream_of[i] = makes_stream(call) ? call->stream
                            : by_runtime(call) ? stream_of(api, test, i)
                                               : call->stream;
        if (!makes_stream(call))
            continue;
        if (made[call->stream])
            return refuse(test, diags, call, "for a stream that another call makes");
        made[call->stream] = true;
        api->streams[call->stream] = (struct api_stream){
            .device = api->device_of[i], .blocking = call->constant != HOST_STREAM_NON_BLOCKING};
    }
    return true;
}

/* A per-thread stream is there from the start if some call of its thread uses it; it belongs to one
 * device here. */
static bool find_own_streams(struct machine *machine, struct api *api, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    for (uint32_t i = 0; i < host->call_count; i++) {
        uint32_t at = api->stream_of[i];
        if (at == NONE || at < host->object_count || at >= host->object_count + host->thread_count)
            continue;
        struct api_stream *stream = &api->streams[at];
        if (stream->from_start && stream->device != api->device_of[i])
            return refuse(machine->test, diags, &host->calls[i],
                          "on a per-thread stream of a second device");
        *stream =
            (struct api_stream){.device = api->device_of[i], .blocking = true, .from_start = true};
    }
    return true;
}

static bool find_tasks(struct machine *machine, struct api *api, struct diag_list *diags)
{
    const struct host_program *host = machine->test->host;
    api->tasks = ARENA_ARRAY(machine->arena, struct api_task, host->call_count);
    for (uint32_t i = 0; i < host->call_count; i++) {
        const struct host_call *call = &host->calls[i];
        api->queries |= host_call_is_query(call->id);
        api->task_of[i] = NONE;
        if (!enqueues(call))
            continue;
        uint32_t stream = api->stream_of[i];
        api->task_of[i] = api->task_count;
        api->tasks[api->task_count++] = (struct api_task){
            .call = call, .stream = stream, .device = api->streams[stream].device};
    }
    if (api->task_count <= API_TASKS)
        return true;
    diag_add(diags, DIAG_run_too_large, machine->test->source, host->calls[0].span, NULL,
             "more than %d calls that enqueue work", API_TASKS);
    return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool check_platform(const struct test *test, struct diag_list *diags)
{
    const struct host_platform *p = &test->host->platform;
    if (p->concurrent_managed_access && p->host_native_atomics && p->peer_native_atomics)
        return true;
    diag_add(diags, DIAG_run_unsupported, test->source, (struct span){0, 0}, NULL,
             "the executor runs host programs only on a platform with concurrent managed access "
             "and native atomics");
    return false;
}

struct api *api_new(struct machine *machine, struct diag_list *diags)
{
    const struct test *test = machine->test;
    const struct host_program *host = test->host;
    struct api *api = ARENA_NEW(machine->arena, struct api);
    uint32_t threads = 0;
    if (!check_platform(test, diags))
        return NULL;
    for (uint32_t i = 0; i < host->call_count; i++)
        if (!acceptable(test, &host->calls[i], diags) || !check_place(test, i, diags))
            return NULL;
    for (uint32_t i = 0; i < host->thread_count; i++)
        threads += !host->threads[i].is_function;
    api->several = threads > 1;
    api->task_of = ARENA_ARRAY(machine->arena, uint32_t, host->call_count);
    api->stream_of = ARENA_ARRAY(machine->arena, uint32_t, host->call_count);
    api->device_of = ARENA_ARRAY(machine->arena, uint32_t, host->call_count);
    find_devices(machine, api);
    if (!find_streams(machine, api, diags) || !find_own_streams(machine, api, diags) ||
        !find_tasks(machine, api, diags))
        return NULL;
    return api;
}
