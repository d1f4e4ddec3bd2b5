/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <stdlib.h>

/* The steps of host threads at calls, and of drivers. */

static uint32_t call_at(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    return micro->kind == MICRO_HOST_CALL && run_enabled(run, lane)
               ? (uint32_t)micro->inst->operands[1].value
               : NONE;
}

static bool is_waiting(const struct run *run, uint32_t lane)
{
    return *api_set(run, API_WAITING, run->machine->lanes[lane].host);
}

static bool unfinished(const struct run *run, const uint64_t *tasks)
{
    return !set_within(api_of(run), tasks, api_set(run, API_ENDED, 0));
}

/* ---- who can go on -------------------------------------------------------------------------- */

static bool driver_blocked(struct run *run, uint32_t lane)
{
    uint32_t task = run->machine->lanes[lane].task;
    return set_has(api_set(run, API_STARTED, 0), task) && !api_task_is_done(run, task);
}

/* A call that is misused does not block: it is reported when it runs. */
static bool call_blocked(struct run *run, uint32_t lane, uint32_t index)
{
    uint64_t tasks[API_SET_WORDS];
    if (api_misuse(run, lane, index) != HOST_MISUSE_NONE)
        return false;
    if (is_waiting(run, lane))
        return api_waits_to_return(run, lane);
    if (api_call(run, index)->row->class == HOST_ASKS || api_of(run)->calls[index].noticed)
        return false;
    api_waits_for(run, index, tasks);
    return unfinished(run, tasks);
}

bool api_blocked(struct run *run, uint32_t lane)
{
    if (!api_of(run))
        return false;
    uint32_t index = call_at(run, lane);
    if (index == NONE)
        return api_grid_blocked(run, lane);
    if (api_is_driver(run->machine, lane))
        return driver_blocked(run, lane);
    return run->machine->lanes[lane].task == NONE && call_blocked(run, lane, index);
}

/* Can somebody still ask whether a task has ended? */
static bool queries_ahead(struct run *run)
{
    const struct machine *machine = run->machine;
    for (uint32_t lane = 0; lane < machine->lane_count; lane++) {
        const struct lane_place *place = &machine->lanes[lane];
        if (place->host != NONE && place->task == NONE && run_runs(run, lane) &&
            machine->api->query_ahead[place->host][run_lane(run, lane)->pc])
            return true;
    }
    return false;
}

bool api_unnoticed(struct run *run, uint32_t lane)
{
    uint32_t index = api_of(run) ? call_at(run, lane) : NONE;
    if (index == NONE)
        return false;
    if (api_is_driver(run->machine, lane))
        return api_has_started(run->machine, run->state, lane) && !queries_ahead(run);
    return !api_of(run)->calls[index].noticed && api_call(run, index)->row->class != HOST_ASKS;
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void finish_call(struct run *run, uint32_t lane, uint64_t result)
{
    const struct micro *micro = run_micro(run, lane);
    run_write(run, lane, micro->dst[0], result, false);
    run->changes++;
    run_advance(run, lane);
}

/* The event of a launch attribute says nothing that a program may rely on: as if it were recorded in an empty stream. */
static void record_early(struct run *run, const struct host_call *call)
{
    if (call->launch == NONE || call->event == NONE)
        return;
    set_clear(api_of(run), api_set(run, API_RECORD, call->event));
    *api_set(run, API_EVENT_CAPTURE, call->event) = 0;
}

/* The call's task or tasks at the end of its stream; the last of them, NONE after a report. */
static uint32_t enqueue(struct run *run, uint32_t lane, uint32_t index)
{
    const struct api *api = api_of(run);
    const struct host_call *call = api_call(run, index);
    uint32_t stream = api->calls[index].stream;
    uint32_t task = api_take_task(run, lane, call, false, api->streams[stream].device), last = task;
    if (task == NONE)
        return NONE;
    api_join_queue(run, stream, task);
    if (call->row->subject == HOST_SUBJECT_GRAPH)
        last = api_launch_graph(run, lane, call, task);
    if (call->row->subject == HOST_SUBJECT_UPLOAD)
        api_follow_launches(run, call, task);
    if (last == NONE)
        return NONE;
    api_follow_on(run, stream, last);
    api_match_event(run, task);
    record_early(run, call);
    api_start_tasks(run);
    return last;
}

static void enqueue_call(struct run *run, uint32_t lane, uint32_t index)
{
    uint32_t task = enqueue(run, lane, index);
    if (task != NONE && api_wait_begin(run, lane, index, task))
        finish_call(run, lane, HOST_RESULT_SUCCESS);
    run->changes++;
}

/* E13 to E17. */
static void ask(struct run *run, uint32_t lane, uint32_t index)
{
    bool asks = api_call(run, index)->row->class == HOST_ASKS;
    uint64_t tasks[API_SET_WORDS];
    api_waits_for(run, index, tasks);
    bool late = unfinished(run, tasks);
    if (late && !asks) {
        api_wait_hold(run, lane, tasks);
        run->changes++;
        return;
    }
    bool sees = api_call(run, index)->row->subject != HOST_SUBJECT_ELAPSED;
    if (!late && sees && (!asks || api_has_rule(run, API_RULE_QUERY)))
        api_learn_ends(run, tasks, lane);
    finish_call(run, lane, late ? HOST_RESULT_NOT_READY : HOST_RESULT_SUCCESS);
}

static void forget_event(struct run *run, uint32_t event)
{
    set_clear(api_of(run), api_set(run, API_RECORD, event));
    *api_set(run, API_EVENT_CAPTURE, event) = 0;
    *api_set(run, API_EVENT_DEVICE, event) = 0;
}

/* A stream made again under one name is another stream. */
static void make_stream(struct run *run, const struct host_call *call)
{
    bool blocking = call->constant != HOST_STREAM_NON_BLOCKING;
    *api_set(run, API_EXISTS, call->stream) = STREAM_EXISTS | (blocking ? STREAM_BLOCKING : 0);
    set_clear(api_of(run), api_set(run, API_TAIL, call->stream));
    set_clear(api_of(run), api_set(run, API_LAST, call->stream));
    *api_set(run, API_CAPTURING, call->stream) = 0;
}

/* What the call makes or destroys. */
static uint32_t object_of(const struct host_call *call)
{
    return call->row->subject == HOST_SUBJECT_STREAM  ? call->stream
           : call->row->subject == HOST_SUBJECT_EVENT ? call->event
           : call->row->subject == HOST_SUBJECT_GRAPH ? call->graph
                                                      : call->exec;
}

static void create(struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    *api_set(run, API_GONE, object_of(call)) = 0;
    if (call->row->subject == HOST_SUBJECT_STREAM) {
        make_stream(run, call);
    } else if (call->row->subject == HOST_SUBJECT_EVENT) {
        forget_event(run, call->event);
        *api_set(run, API_EVENT_DEVICE, call->event) = 1 + api_of(run)->calls[index].device;
        *api_set(run, API_UNTIMED, call->event) = call->constant == HOST_EVENT_DISABLE_TIMING;
    } else if (call->row->subject == HOST_SUBJECT_GRAPH) {
        *api_set(run, API_GRAPH, call->graph) =
            call->child == NONE ? 1 : *api_set(run, API_GRAPH, call->child);
        *api_set(run, API_EXECUTABLE, call->graph) = 0;
    } else {
        *api_set(run, API_GRAPH, call->exec) =
            1 + api_instantiated(run, (uint32_t)*api_set(run, API_GRAPH, call->graph) - 1);
        set_clear(api_of(run), api_set(run, API_LAST_LAUNCH, call->exec));
        *api_set(run, API_FREES, call->exec) = call->constant == HOST_INSTANTIATE_AUTO_FREE;
        *api_set(run, API_EXECUTABLE, call->graph) = 1 + call->exec;
    }
}

/* Graphs that were destroyed are still there: what was made of them stays. */
static void destroy(struct run *run, const struct host_call *call)
{
    *api_set(run, API_GONE, object_of(call)) = GONE_DESTROYED;
    if (call->row->subject == HOST_SUBJECT_STREAM)
        *api_set(run, API_EXISTS, call->stream) = 0;
    else if (call->row->subject == HOST_SUBJECT_EVENT)
        forget_event(run, call->event);
}

/* cudaDeviceReset: the streams, events and blocks of the device. */
static void reset_device(struct run *run, uint32_t lane, uint32_t device)
{
    const struct host_program *host = api_of(run)->host;
    for (uint32_t i = HOST_FIRST_NAMED; i < host->object_count; i++) {
        bool stream = host->objects[i].kind == HOST_STREAM && *api_set(run, API_EXISTS, i) &&
                      api_of(run)->streams[i].device == device;
        bool event =
            host->objects[i].kind == HOST_EVENT && *api_set(run, API_EVENT_DEVICE, i) == 1 + device;
        if (!stream && !event)
            continue;
        *api_set(run, API_GONE, i) = GONE_RESET;
        *api_set(run, API_EXISTS, i) = 0;
        if (event)
            forget_event(run, i);
    }
    api_lifetime_of_device(run, lane, device);
}

static void change_peers(struct run *run, uint32_t index)
{
    uint64_t *peers = api_set(run, API_PEERS, api_of(run)->calls[index].device);
    uint64_t bit = UINT64_C(1) << (api_call(run, index)->value % 64);
    bool may = api_call(run, index)->row->subject == HOST_SUBJECT_PEER_ACCESS;
    *peers = may ? *peers | bit : *peers & ~bit;
}

/* cudaSetDevice: the device of every call is known before anything runs. */
static void change(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    switch (call->row->subject) {
    case HOST_SUBJECT_ALLOCATION:
        api_lifetime_begin(run, lane, call);
        return;
    case HOST_SUBJECT_RELEASE:
        api_lifetime_end(run, lane, call);
        return;
    case HOST_SUBJECT_RESET:
        reset_device(run, lane, api_of(run)->calls[index].device);
        return;
    case HOST_SUBJECT_BEGIN_CAPTURE:
        api_capture_begin(run, index);
        return;
    case HOST_SUBJECT_END_CAPTURE:
        api_capture_end(run, index);
        return;
    case HOST_SUBJECT_DEPENDENCY:
        api_add_dependency(run, call);
        return;
    case HOST_SUBJECT_NO_DEPENDENCY:
        api_remove_dependency(run, call);
        return;
    case HOST_SUBJECT_NO_NODE:
        api_destroy_node(run, call);
        return;
    case HOST_SUBJECT_CAPTURE_DEPENDENCIES:
        api_capture_follow(run, index);
        return;
    case HOST_SUBJECT_ENABLED:
        api_enable_node(run, call);
        return;
    case HOST_SUBJECT_UPDATE:
        api_update_graph(run, call);
        return;
    case HOST_SUBJECT_PEER_ACCESS:
    case HOST_SUBJECT_PEER_NO_ACCESS:
        change_peers(run, index);
        return;
    case HOST_SUBJECT_DEVICE:
    case HOST_SUBJECT_CAPTURE_MODE:
    case HOST_SUBJECT_CAPTURE_STATUS:
    case HOST_SUBJECT_REGISTRATION:
    case HOST_SUBJECT_LOADING:
    case HOST_SUBJECT_HANDLE:
        return;
    default: /* a row of host_call.def that changes what nobody changes */
        abort();
    }
}

static bool act(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    if (call->row->class == HOST_ADDS)
        return api_add_node(run, lane, call);
    if (call->row->class == HOST_SETS)
        api_set_node(run, call);
    else if (call->row->class == HOST_CREATES)
        create(run, index);
    else if (call->row->class == HOST_DESTROYS)
        destroy(run, call);
    else
        change(run, lane, index);
    return true;
}

static void make_call(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call_row *row = api_call(run, index)->row;
    bool captured = api_capture_takes(run, index);
    if (!captured)
        api_lifetime_call(run, api_call(run, index));
    if (row->class == HOST_WAITS || row->class == HOST_ASKS)
        ask(run, lane, index);
    else if (row->class == HOST_ENQUEUES && !captured)
        enqueue_call(run, lane, index);
    else if (captured ? api_capture_take(run, lane, index) : act(run, lane, index))
        finish_call(run, lane, HOST_RESULT_SUCCESS);
}

static void report(struct run *run, uint32_t lane, uint32_t index, enum host_misuse misuse)
{
    uint32_t id = 0;
    while (strcmp(report_name((enum report_id)id), host_misuse_rows[misuse].error) != 0)
        id++;
    run_report(run, lane, (enum report_id)id, "%s: %s", api_call(run, index)->row->name,
               host_misuse_rows[misuse].detail);
}

bool api_step(struct run *run, uint32_t lane)
{
    uint32_t index = call_at(run, lane);
    if (api_blocked(run, lane))
        return false;
    if (api_is_driver(run->machine, lane)) {
        api_end_task(run, run->machine->lanes[lane].task);
        return true;
    }
    enum host_misuse misuse = api_misuse(run, lane, index);
    if (misuse != HOST_MISUSE_NONE) {
        report(run, lane, index, misuse);
    } else if (is_waiting(run, lane)) {
        api_wait_end(run, lane);
        finish_call(run, lane, HOST_RESULT_SUCCESS);
    } else {
        make_call(run, lane, index);
    }
    return true;
}
