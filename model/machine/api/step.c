/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* The steps of host threads at calls, and of drivers. */

static uint32_t call_at(struct run *run, uint32_t lane)
{
    const struct micro *micro = lane_micro(run->machine, run->state, lane);
    return micro->kind == MICRO_HOST_CALL && lane_enabled(run->machine, run->state, lane)
               ? (uint32_t)micro->inst->operands[1].value
               : NONE;
}

static const struct host_call *host_call(const struct run *run, uint32_t call)
{
    return &api_of(run)->test->host->calls[call];
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
    return set_has(api_set(run, API_STARTED, 0), task) && !task_is_done(run, task);
}

static bool call_blocked(struct run *run, uint32_t lane, uint32_t index)
{
    uint64_t tasks[API_SET_WORDS];
    const char *why;
    if (misuse_of(run, lane, index, &why) != REPORT_COUNT)
        return false;
    if (is_waiting(run, lane))
        return waits_to_return(run, lane);
    if (host_call_is_query(host_call(run, index)->id) || api_of(run)->noticed[index])
        return false;
    waits_for(run, index, tasks);
    return unfinished(run, tasks);
}

bool api_blocked(struct run *run, uint32_t lane)
{
    if (!api_of(run))
        return false;
    uint32_t index = call_at(run, lane);
    if (index == NONE)
        return grid_blocked(run, lane);
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
        if (place->host != NONE && place->task == NONE && lane_running(machine, run->state, lane) &&
            machine->api->query_ahead[place->host][state_lane(machine, run->state, lane)->pc])
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
    return !api_of(run)->noticed[index] && !host_call_is_query(host_call(run, index)->id);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static void finish_call(struct run *run, uint32_t lane, uint64_t result)
{
    const struct micro *micro = lane_micro(run->machine, run->state, lane);
    lane_write(run, lane, micro->dst[0], result, false);
    run->changes++;
    lane_advance(run, lane);
}

static void enqueue_call(struct run *run, uint32_t lane, uint32_t index)
{
    uint32_t task = stream_enqueue(run, lane, index);
    if (task != NONE && wait_begin(run, lane, index, task))
        finish_call(run, lane, HOST_RESULT_SUCCESS);
    run->changes++;
}

/* E13 to E17. */
static void ask(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = host_call(run, index);
    uint64_t tasks[API_SET_WORDS];
    waits_for(run, index, tasks);
    bool late = unfinished(run, tasks);
    if (late && !host_call_is_query(call->id)) {
        wait_hold(run, lane, tasks);
        run->changes++;
        return;
    }
    if (!late && (!host_call_is_query(call->id) || api_has_rule(run, API_RULE_QUERY)))
        api_learn_ends(run, tasks, lane);
    finish_call(run, lane, late ? HOST_RESULT_NOT_READY : HOST_RESULT_SUCCESS);
}

static void forget_event(struct run *run, uint32_t event)
{
    set_clear(api_of(run), api_set(run, API_RECORD, event));
    *api_set(run, API_EVENT_CAPTURE, event) = 0;
}

/* A stream made again under one name is another stream. */
static void make_stream(struct run *run, const struct host_call *call)
{
    bool blocking = call->constant != HOST_STREAM_NON_BLOCKING;
    *api_set(run, API_EXISTS, call->stream) = STREAM_EXISTS | (blocking ? STREAM_BLOCKING : 0);
    set_clear(api_of(run), api_set(run, API_TAIL, call->stream));
    *api_set(run, API_CAPTURING, call->stream) = 0;
}

static void make_call(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = host_call(run, index);
    switch (call->id) {
    case HOST_CALL_STREAM_CREATE:
    case HOST_CALL_STREAM_CREATE_WITH_FLAGS:
    case HOST_CALL_STREAM_CREATE_WITH_PRIORITY:
        make_stream(run, call);
        break;
    case HOST_CALL_STREAM_DESTROY:
        *api_set(run, API_EXISTS, call->stream) = 0;
        break;
    case HOST_CALL_EVENT_CREATE:
    case HOST_CALL_EVENT_CREATE_WITH_FLAGS:
    case HOST_CALL_EVENT_DESTROY:
        forget_event(run, call->event);
        break;
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_STREAM_QUERY:
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_EVENT_QUERY:
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        ask(run, lane, index);
        return;
    case HOST_CALL_SET_DEVICE:
        break;
    case HOST_CALL_MALLOC:
        lifetime_begin(run, lane, call);
        break;
    case HOST_CALL_FREE:
        lifetime_end(run, lane, call);
        break;
    default:
        if (!graph_call(run, lane, index))
            return;
    }
    finish_call(run, lane, HOST_RESULT_SUCCESS);
}

static void capture(struct run *run, uint32_t lane, uint32_t index)
{
    if (capture_take(run, lane, index))
        finish_call(run, lane, HOST_RESULT_SUCCESS);
}

bool api_step(struct run *run, uint32_t lane)
{
    uint32_t index = call_at(run, lane);
    const char *why;
    if (api_blocked(run, lane))
        return false;
    if (api_is_driver(run->machine, lane)) {
        task_end(run, run->machine->lanes[lane].task);
        return true;
    }
    enum report_id misuse = misuse_of(run, lane, index, &why);
    if (misuse != REPORT_COUNT) {
        run_report(run, lane, misuse, "%s: %s", host_call_name(host_call(run, index)->id), why);
    } else if (is_waiting(run, lane)) {
        wait_end(run, lane);
        finish_call(run, lane, HOST_RESULT_SUCCESS);
    } else if (capture_takes(run, index)) {
        capture(run, lane, index);
    } else if (call_enqueues(host_call(run, index)) && !call_adds_node(host_call(run, index))) {
        enqueue_call(run, lane, index);
    } else {
        make_call(run, lane, index);
    }
    return true;
}
