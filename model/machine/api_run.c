/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/api.h"
#include "model/machine/run.h"

/* The runtime at work: calls, starts and ends of tasks. A set of tasks stands for "all that was
 * enqueued": a stream keeps the tasks that its next one follows, an event those of its record. */

enum set_kind { SET_TAIL, SET_AFTER, SET_RECORD, SET_EXISTS, SET_WAITING };

static size_t set_offset(const struct machine *machine, enum set_kind kind)
{
    const struct host_program *host = machine->test->host;
    const size_t counts[] = {machine->api->stream_count, machine->api->task_count,
                             host->object_count, machine->api->stream_count, host->thread_count};
    size_t at = 0;
    for (int i = 0; i < (int)kind; i++)
        at += counts[i];
    return at;
}

size_t api_state_bytes(const struct machine *machine)
{
    size_t words = set_offset(machine, SET_WAITING) + machine->test->host->thread_count;
    return sizeof(struct api_state) + words * sizeof(uint64_t);
}

static struct api_state *state_of(const struct machine *machine, struct state *state)
{
    return state_part(state, machine->api_at);
}

static uint64_t *set_of(const struct run *run, enum set_kind kind, uint32_t index)
{
    struct api_state *state = state_of(run->machine, run->state);
    return &state->words[set_offset(run->machine, kind) + index];
}

static const struct api *api_of(const struct run *run)
{
    return run->machine->api;
}

/* ---- sleeping and waking -------------------------------------------------------------------- */

static void set_asleep(const struct machine *machine, struct state *state, uint32_t lane,
                       bool asleep)
{
    const struct lane_place *place = &machine->lanes[lane];
    struct warp *warp = state_warp(machine, state, place->warp);
    uint32_t bit = 1u << place->lane;
    warp->running = asleep ? warp->running & ~bit : warp->running | bit;
    warp->exited = asleep ? warp->exited | bit : warp->exited & ~bit;
}

void api_start(const struct machine *machine, struct state *state)
{
    struct api_state *self = state_of(machine, state);
    for (uint32_t lane = 0; lane < machine->lane_count; lane++)
        if (machine->lanes[lane].task != NONE)
            set_asleep(machine, state, lane, true);
    for (uint32_t i = 0; i < machine->api->stream_count; i++)
        self->words[set_offset(machine, SET_EXISTS) + i] = machine->api->streams[i].from_start;
}

bool api_is_driver(const struct machine *machine, uint32_t lane)
{
    uint32_t task = machine->api ? machine->lanes[lane].task : NONE;
    return task != NONE && machine->api->tasks[task].driver == lane;
}

bool api_is_engine(const struct machine *machine, uint32_t lane)
{
    const struct lane_place *place = &machine->lanes[lane];
    return machine->api && place->task != NONE && place->launch == NONE && place->host == NONE;
}

const char *api_lane_name(struct arena *arena, const struct machine *machine, uint32_t lane)
{
    const struct lane_place *place = &machine->lanes[lane];
    if (place->host != NONE)
        return machine->test->host->threads[place->host].name;
    const struct host_call *call = machine->api->tasks[place->task].call;
    return arena_printf(arena, "%s (line %u)", host_call_name(call->id),
                        source_place(machine->test->source, call->span.offset).line);
}

/* ---- knowledge ------------------------------------------------------------------------------ */

static void hand_over(struct run *run, uint32_t from, uint32_t to)
{
    const uint32_t lanes[2] = {to, from};
    const struct sync sync = {.kind = SYNC_HANDOVER, .lanes = lanes, .lane_count = 2};
    run->memory->ops->sync(run, &sync);
}

static void learn_ends(struct run *run, uint64_t tasks, uint32_t lane)
{
    for (; tasks; tasks &= tasks - 1)
        hand_over(run, api_of(run)->tasks[__builtin_ctzll(tasks)].driver, lane);
}

/* ---- tasks ---------------------------------------------------------------------------------- */

static bool work_done(struct run *run, const struct api_task *task)
{
    for (uint32_t lane = task->first_lane; lane < task->first_lane + task->lane_count; lane++) {
        const struct lane_place *place = &run->machine->lanes[lane];
        if (!(state_warp(run->machine, run->state, place->warp)->exited >> place->lane & 1))
            return false;
    }
    return true;
}

/* E2 to E5, E8: what came before is known to the task and all that works for it. */
static void start_task(struct run *run, uint32_t index)
{
    const struct api_task *task = &api_of(run)->tasks[index];
    uint64_t *after = set_of(run, SET_AFTER, index);
    learn_ends(run, *after, task->driver);
    *after = 0;
    state_of(run->machine, run->state)->started |= UINT64_C(1) << index;
    set_asleep(run->machine, run->state, task->driver, false);
    for (uint32_t i = 0; i < task->lane_count; i++) {
        hand_over(run, task->driver, task->first_lane + i);
        set_asleep(run->machine, run->state, task->first_lane + i, false);
    }
}

/* A start is noticed by nobody, so tasks start as soon as they may. */
static void start_tasks(struct run *run)
{
    struct api_state *state = state_of(run->machine, run->state);
    for (uint64_t left = state->called & ~state->started; left; left &= left - 1) {
        uint32_t index = (uint32_t)__builtin_ctzll(left);
        if (!(*set_of(run, SET_AFTER, index) & ~state->ended))
            start_task(run, index);
    }
    run->changes++;
}

/* E6, E8. */
static void end_task(struct run *run, uint32_t index)
{
    const struct api_task *task = &api_of(run)->tasks[index];
    for (uint32_t i = 0; i < task->lane_count; i++)
        hand_over(run, task->first_lane + i, task->driver);
    state_of(run->machine, run->state)->ended |= UINT64_C(1) << index;
    start_tasks(run);
}

/* ---- streams -------------------------------------------------------------------------------- */

static bool takes_part(const struct run *run, uint32_t stream, uint32_t legacy)
{
    const struct api_stream *s = &api_of(run)->streams[stream];
    return s->blocking && *set_of(run, SET_EXISTS, stream) &&
           s->device == api_of(run)->streams[legacy].device;
}

/* What a stream's handle stands for: the legacy one covers the blocking streams of its device. */
static uint64_t covered(const struct run *run, uint32_t stream)
{
    uint64_t tasks = *set_of(run, SET_TAIL, stream);
    for (uint32_t i = 0; api_of(run)->streams[stream].legacy && i < api_of(run)->stream_count; i++)
        if (takes_part(run, i, stream))
            tasks |= *set_of(run, SET_TAIL, i);
    return tasks;
}

/* E1, E2, and E4: blocking streams go on after a legacy action. */
static void enqueue(struct run *run, uint32_t lane, uint32_t index)
{
    const struct api_task *task = &api_of(run)->tasks[index];
    uint64_t bit = UINT64_C(1) << index;
    *set_of(run, SET_AFTER, index) = covered(run, task->stream);
    *set_of(run, SET_TAIL, task->stream) = bit;
    for (uint32_t i = 0; api_of(run)->streams[task->stream].legacy && i < api_of(run)->stream_count;
         i++)
        if (takes_part(run, i, task->stream))
            *set_of(run, SET_TAIL, i) = bit;
    state_of(run->machine, run->state)->called |= bit;
    hand_over(run, lane, task->driver);
    switch (task->call->id) {
    case HOST_CALL_EVENT_RECORD:
    case HOST_CALL_EVENT_RECORD_WITH_FLAGS:
        *set_of(run, SET_RECORD, task->call->event) = bit;
        break;
    case HOST_CALL_STREAM_WAIT_EVENT: /* E3 */
        *set_of(run, SET_AFTER, index) |= *set_of(run, SET_RECORD, task->call->event);
        break;
    default:
        break;
    }
    start_tasks(run);
}

/* ---- waiting -------------------------------------------------------------------------------- */

static uint64_t tasks_of_device(const struct run *run, uint32_t device)
{
    uint64_t tasks = 0;
    for (uint32_t i = 0; i < api_of(run)->task_count; i++)
        if (api_of(run)->tasks[i].device == device)
            tasks |= UINT64_C(1) << i;
    return tasks & state_of(run->machine, run->state)->called;
}

static bool on_host(const struct run *run, struct host_memory memory)
{
    enum memory_kind kind = run->machine->test->locations[memory.location].memory;
    return kind == MEMORY_MAPPED || kind == MEMORY_PINNED || kind == MEMORY_PAGEABLE;
}

static bool is_pageable(const struct run *run, struct host_memory memory)
{
    return run->machine->test->locations[memory.location].memory == MEMORY_PAGEABLE;
}

/* E18: what of its own task an enqueuing call waits for. */
enum return_after { RETURN_AT_ONCE, RETURN_AFTER_READS, RETURN_AFTER_END };

static enum return_after returns_after(const struct run *run, const struct host_call *call)
{
    bool set = call->id == HOST_CALL_MEMSET;
    bool copy = call->id == HOST_CALL_MEMCPY || call->id == HOST_CALL_MEMCPY_ASYNC ||
                call->id == HOST_CALL_MEMCPY_TO_SYMBOL;
    if (set && on_host(run, call->to) && !is_pageable(run, call->to))
        return RETURN_AFTER_END;
    if (!copy)
        return RETURN_AT_ONCE;
    bool to_host = on_host(run, call->to), from_host = on_host(run, call->from);
    if (from_host && to_host)
        return RETURN_AFTER_END;
    if (call->id == HOST_CALL_MEMCPY_ASYNC || (!to_host && !from_host))
        return RETURN_AT_ONCE;
    return !to_host && is_pageable(run, call->from) ? RETURN_AFTER_READS : RETURN_AFTER_END;
}

/* A copy's lanes load first. */
static bool reads_done(struct run *run, uint32_t index)
{
    const struct api_task *task = &api_of(run)->tasks[index];
    bool done = state_of(run->machine, run->state)->started >> index & 1;
    for (uint32_t i = 0; i < task->lane_count; i++)
        done &= state_lane(run->machine, run->state, task->first_lane + i)->pc > 0;
    return done;
}

static uint64_t waits_for(const struct run *run, uint32_t call_index)
{
    const struct host_call *call = &run->machine->test->host->calls[call_index];
    switch (call->id) {
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_STREAM_QUERY:
        return covered(run, api_of(run)->stream_of[call_index]);
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_EVENT_QUERY:
        return *set_of(run, SET_RECORD, call->event);
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        return tasks_of_device(run, api_of(run)->device_of[call_index]);
    default:
        return 0;
    }
}

static uint64_t unfinished(const struct run *run, uint64_t tasks)
{
    return tasks & ~state_of(run->machine, run->state)->ended;
}

static uint32_t call_at(struct run *run, uint32_t lane)
{
    const struct micro *micro = lane_micro(run->machine, run->state, lane);
    return micro->kind == MICRO_HOST_CALL && lane_enabled(run->machine, run->state, lane)
               ? (uint32_t)micro->inst->operands[1].value
               : NONE;
}

static bool returning_is_blocked(struct run *run, uint32_t index, const struct host_call *call)
{
    if (returns_after(run, call) == RETURN_AFTER_READS)
        return !reads_done(run, index);
    return unfinished(run, UINT64_C(1) << index);
}

bool api_blocked(struct run *run, uint32_t lane)
{
    if (!api_of(run))
        return false;
    uint32_t index = call_at(run, lane);
    if (index == NONE)
        return api_grid_blocked(run, lane);
    const struct host_call *call = &run->machine->test->host->calls[index];
    if (api_is_driver(run->machine, lane))
        return !work_done(run, &api_of(run)->tasks[run->machine->lanes[lane].task]);
    if (run->machine->lanes[lane].task != NONE)
        return false; /* a host function: the call is refused */
    if (*set_of(run, SET_WAITING, run->machine->lanes[lane].host))
        return returning_is_blocked(run, api_of(run)->task_of[index], call);
    return !host_call_is_query(call->id) && unfinished(run, waits_for(run, index));
}

bool api_unnoticed(struct run *run, uint32_t lane)
{
    uint32_t index = api_of(run) ? call_at(run, lane) : NONE;
    if (index == NONE)
        return false;
    if (api_is_driver(run->machine, lane))
        return !api_of(run)->queries;
    return !api_of(run)->several && !host_call_is_query(run->machine->test->host->calls[index].id);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool is_misused(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = &run->machine->test->host->calls[index];
    uint32_t stream = api_of(run)->stream_of[index];
    bool makes = call->id == HOST_CALL_STREAM_CREATE ||
                 call->id == HOST_CALL_STREAM_CREATE_WITH_FLAGS ||
                 call->id == HOST_CALL_STREAM_CREATE_WITH_PRIORITY;
    if (run->machine->lanes[lane].task != NONE)
        run_report(run, lane, REPORT_API_NOT_PERMITTED, "%s in a host function",
                   host_call_name(call->id));
    else if (!makes && stream != NONE && !*set_of(run, SET_EXISTS, stream))
        run_report(run, lane, REPORT_API_INVALID_HANDLE,
                   "%s: the stream was not created, or was destroyed", host_call_name(call->id));
    return run->stop;
}

static void finish_call(struct run *run, uint32_t lane, uint64_t result)
{
    const struct micro *micro = lane_micro(run->machine, run->state, lane);
    *set_of(run, SET_WAITING, run->machine->lanes[lane].host) = 0;
    lane_write(run, lane, micro->dst[0], result, false);
    run->changes++;
    lane_advance(run, lane);
}

/* The second half of a call that waits for its own task. */
static void return_from(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = &run->machine->test->host->calls[index];
    uint32_t task = api_of(run)->task_of[index];
    if (returns_after(run, call) == RETURN_AFTER_END)
        learn_ends(run, UINT64_C(1) << task, lane);
    else
        for (uint32_t i = 0; i < api_of(run)->tasks[task].lane_count; i++)
            hand_over(run, api_of(run)->tasks[task].first_lane + i, lane);
    finish_call(run, lane, HOST_RESULT_SUCCESS);
}

static void enqueue_call(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = &run->machine->test->host->calls[index];
    enqueue(run, lane, api_of(run)->task_of[index]);
    if (returns_after(run, call) == RETURN_AT_ONCE)
        finish_call(run, lane, HOST_RESULT_SUCCESS);
    else
        *set_of(run, SET_WAITING, run->machine->lanes[lane].host) = 1;
}

static void make_call(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = &run->machine->test->host->calls[index];
    uint64_t tasks = waits_for(run, index);
    switch (call->id) {
    case HOST_CALL_STREAM_CREATE:
    case HOST_CALL_STREAM_CREATE_WITH_FLAGS:
    case HOST_CALL_STREAM_CREATE_WITH_PRIORITY:
    case HOST_CALL_STREAM_DESTROY:
        *set_of(run, SET_EXISTS, call->stream) = call->id != HOST_CALL_STREAM_DESTROY;
        break;
    case HOST_CALL_EVENT_CREATE:
    case HOST_CALL_EVENT_CREATE_WITH_FLAGS:
    case HOST_CALL_EVENT_DESTROY:
        *set_of(run, SET_RECORD, call->event) = 0;
        break;
    default: /* E13 to E17 */
        if (!unfinished(run, tasks))
            learn_ends(run, tasks, lane);
        break;
    }
    finish_call(run, lane, unfinished(run, tasks) ? HOST_RESULT_NOT_READY : HOST_RESULT_SUCCESS);
}

bool api_step(struct run *run, uint32_t lane)
{
    uint32_t index = call_at(run, lane);
    if (api_blocked(run, lane))
        return false;
    if (api_is_driver(run->machine, lane)) {
        end_task(run, run->machine->lanes[lane].task);
        lane_advance(run, lane);
        return true;
    }
    if (is_misused(run, lane, index))
        return true;
    if (*set_of(run, SET_WAITING, run->machine->lanes[lane].host))
        return_from(run, lane, index);
    else if (api_of(run)->task_of[index] != NONE)
        enqueue_call(run, lane, index);
    else
        make_call(run, lane, index);
    return true;
}
