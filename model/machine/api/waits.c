/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* What host threads wait for, and what they know when a call returns: E13 to E18. */

/* API_WAITING of a thread. From WAIT_READS on: the task whose reads are waited for, added to it. */
enum { WAIT_NOT, WAIT_ENDS, WAIT_READS };

/* ---- synchronization ------------------------------------------------------------------------ */

static void add_tasks_of_device(const struct run *run, uint32_t device, uint64_t *tasks)
{
    EACH_MEMBER(task, api_of(run), api_set(run, API_CALLED, 0))
    {
        if (api_of(run)->tasks[task].device == device)
            set_add(tasks, task);
    }
}

enum api_rule wait_rule(const struct host_call *call)
{
    switch (call->id) {
    case HOST_CALL_STREAM_SYNCHRONIZE:
        return API_RULE_STREAM_WAIT;
    case HOST_CALL_EVENT_SYNCHRONIZE:
        return API_RULE_EVENT_WAIT;
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        return API_RULE_DEVICE_WAIT;
    default:
        return API_RULE_QUERY;
    }
}

void waits_for(const struct run *run, uint32_t index, uint64_t *tasks)
{
    const struct api *api = api_of(run);
    const struct host_call *call = &api->test->host->calls[index];
    set_clear(api, tasks);
    if (!host_call_is_query(call->id) && !api_has_rule(run, wait_rule(call)))
        return;
    switch (call->id) {
    case HOST_CALL_STREAM_SYNCHRONIZE:
    case HOST_CALL_STREAM_QUERY:
        stream_covers(run, api->stream_of[index], tasks);
        break;
    case HOST_CALL_EVENT_SYNCHRONIZE:
    case HOST_CALL_EVENT_QUERY:
        set_join(api, tasks, api_set(run, API_RECORD, call->event));
        break;
    case HOST_CALL_DEVICE_SYNCHRONIZE:
        add_tasks_of_device(run, api->device_of[index], tasks);
        break;
    default:
        break;
    }
}

void wait_hold(struct run *run, uint32_t lane, const uint64_t *tasks)
{
    uint32_t host = run->machine->lanes[lane].host;
    set_copy(api_of(run), api_set(run, API_AWAITED, host), tasks);
    *api_set(run, API_WAITING, host) = WAIT_ENDS;
}

/* ---- copies --------------------------------------------------------------------------------- */

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

static enum return_after copy_returns_after(const struct run *run, const struct host_call *call)
{
    bool to_host = on_host(run, call->to), from_host = on_host(run, call->from);
    if (from_host && to_host)
        return RETURN_AFTER_END;
    if (call->id == HOST_CALL_MEMCPY_ASYNC || (!to_host && !from_host))
        return RETURN_AT_ONCE;
    return !to_host && is_pageable(run, call->from) ? RETURN_AFTER_READS : RETURN_AFTER_END;
}

static enum return_after returns_after(const struct run *run, const struct host_call *call)
{
    enum return_after after = RETURN_AT_ONCE;
    if (call->id == HOST_CALL_MEMSET && on_host(run, call->to) && !is_pageable(run, call->to))
        after = RETURN_AFTER_END;
    else if (call_copies(call))
        after = copy_returns_after(run, call);
    enum api_rule rule = after == RETURN_AFTER_READS ? API_RULE_STAGING : API_RULE_COPY_RETURN;
    return api_has_rule(run, rule) ? after : RETURN_AT_ONCE;
}

/* A copy's lanes load first. */
static bool reads_done(struct run *run, uint32_t task)
{
    const struct api_task *t = &api_of(run)->tasks[task];
    bool done = set_has(api_set(run, API_STARTED, 0), task);
    for (uint32_t i = 0; i < t->lane_count; i++)
        done = done && state_lane(run->machine, run->state, t->first_lane + i)->pc > 0;
    return done;
}

bool wait_begin(struct run *run, uint32_t lane, uint32_t index, uint32_t task)
{
    uint32_t host = run->machine->lanes[lane].host;
    enum return_after after = returns_after(run, &api_of(run)->test->host->calls[index]);
    if (after == RETURN_AT_ONCE)
        return true;
    if (after == RETURN_AFTER_END)
        set_add(api_set(run, API_AWAITED, host), task);
    *api_set(run, API_WAITING, host) = after == RETURN_AFTER_END ? WAIT_ENDS : WAIT_READS + task;
    return false;
}

/* ---- both ----------------------------------------------------------------------------------- */

bool waits_to_return(struct run *run, uint32_t lane)
{
    uint32_t host = run->machine->lanes[lane].host;
    uint64_t waiting = *api_set(run, API_WAITING, host);
    if (waiting >= WAIT_READS)
        return !reads_done(run, (uint32_t)waiting - WAIT_READS);
    return !set_within(api_of(run), api_set(run, API_AWAITED, host), api_set(run, API_ENDED, 0));
}

/* The source was read, and so the work before the copy is over. */
static void learn_reads(struct run *run, uint32_t lane, uint32_t task)
{
    const struct api_task *t = &api_of(run)->tasks[task];
    for (uint32_t i = 0; i < t->lane_count; i++)
        hand_over(run, t->first_lane + i, lane);
}

void wait_end(struct run *run, uint32_t lane)
{
    uint32_t host = run->machine->lanes[lane].host;
    uint64_t *waiting = api_set(run, API_WAITING, host);
    if (*waiting >= WAIT_READS)
        learn_reads(run, lane, (uint32_t)*waiting - WAIT_READS);
    else
        api_learn_ends(run, api_set(run, API_AWAITED, host), lane);
    set_clear(api_of(run), api_set(run, API_AWAITED, host));
    *waiting = WAIT_NOT;
}
