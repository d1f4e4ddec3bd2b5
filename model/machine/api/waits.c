/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <stdlib.h>

/* What host threads wait for, and what they know when a call returns: E13 to E18. */

/* API_WAITING of a thread. From WAIT_READS on: the task whose reads are waited for, added to it. */
enum { WAIT_NOT, WAIT_ENDS, WAIT_READS };

/* ---- synchronization ------------------------------------------------------------------------ */

static void add_tasks_of_device(const struct run *run, uint32_t device, uint64_t *tasks)
{
    EACH_MEMBER(task, api_of(run), api_set(run, API_CALLED, 0)) {
        if (api_task(run, task)->device == device)
            set_add(tasks, task);
    }
}

void api_waits_for(const struct run *run, uint32_t index, uint64_t *tasks)
{
    const struct api *api = api_of(run);
    const struct host_call *call = api_call(run, index);
    bool asks = call->row->class == HOST_ASKS;
    set_clear(api, tasks);
    if (!asks && call->row->class != HOST_WAITS)
        return;
    switch (call->row->subject) {
    case HOST_SUBJECT_STREAM:
        if (asks || api_has_rule(run, API_RULE_STREAM_WAIT))
            api_stream_covers(run, api->calls[index].stream, tasks);
        return;
    case HOST_SUBJECT_EVENT:
        if (asks || api_has_rule(run, API_RULE_EVENT_WAIT))
            set_join(api, tasks, api_set(run, API_RECORD, call->event));
        return;
    case HOST_SUBJECT_ELAPSED:
        set_join(api, tasks, api_set(run, API_RECORD, call->event));
        set_join(api, tasks, api_set(run, API_RECORD, call->other_event));
        return;
    case HOST_SUBJECT_DEVICE:
        if (asks || api_has_rule(run, API_RULE_DEVICE_WAIT))
            add_tasks_of_device(run, api->calls[index].device, tasks);
        return;
    default: /* a row of host_call.def that waits for what does not end */
        abort();
    }
}

void api_wait_hold(struct run *run, uint32_t lane, const uint64_t *tasks)
{
    uint32_t host = run->machine->lanes[lane].host;
    set_copy(api_of(run), api_set(run, API_AWAITED, host), tasks);
    *api_set(run, API_WAITING, host) = WAIT_ENDS;
}

/* ---- copies --------------------------------------------------------------------------------- */

/* E18: what of its own task an enqueuing call waits for. */
enum return_after { RETURN_AT_ONCE, RETURN_AFTER_READS, RETURN_AFTER_END };

static enum return_after copy_returns_after(const struct host_call *call, enum memory_kind to,
                                            enum memory_kind from)
{
    bool to_host = memory_is_on_host(to), from_host = memory_is_on_host(from);
    if (from_host && to_host)
        return RETURN_AFTER_END;
    if (call->row->returns != HOST_RETURNS_WHEN_DONE || (!to_host && !from_host))
        return RETURN_AT_ONCE;
    return from == MEMORY_PAGEABLE ? RETURN_AFTER_READS : RETURN_AFTER_END;
}

/* When does the call return, by what it does and where its memory is? */
static enum return_after returns_after(const struct run *run, const struct host_call *call)
{
    const struct location *locations = run->machine->test->locations;
    enum return_after after = RETURN_AT_ONCE;
    if (call->row->subject == HOST_SUBJECT_COPY && call->row->returns != HOST_RETURNS_AT_ONCE)
        after = copy_returns_after(call, locations[call->to.location].memory,
                                   locations[call->from.location].memory);
    else if (call->row->returns == HOST_RETURNS_WHEN_DONE &&
             memory_is_on_host(locations[call->to.location].memory) &&
             locations[call->to.location].memory != MEMORY_PAGEABLE)
        after = RETURN_AFTER_END;
    enum api_rule rule = after == RETURN_AFTER_READS ? API_RULE_STAGING : API_RULE_COPY_RETURN;
    return api_has_rule(run, rule) ? after : RETURN_AT_ONCE;
}

/* A copy's lanes load first. */
static bool reads_done(struct run *run, uint32_t task)
{
    const struct api_task *t = api_task(run, task);
    bool done = set_has(api_set(run, API_STARTED, 0), task);
    for (uint32_t i = 0; i < t->lane_count; i++)
        done = done && run_lane(run, t->first_lane + i)->pc > 0;
    return done;
}

bool api_wait_begin(struct run *run, uint32_t lane, uint32_t index, uint32_t task)
{
    uint32_t host = run->machine->lanes[lane].host;
    enum return_after after = returns_after(run, api_call(run, index));
    if (after == RETURN_AT_ONCE)
        return true;
    if (after == RETURN_AFTER_END)
        set_add(api_set(run, API_AWAITED, host), task);
    *api_set(run, API_WAITING, host) = after == RETURN_AFTER_END ? WAIT_ENDS : WAIT_READS + task;
    return false;
}

/* ---- both ----------------------------------------------------------------------------------- */

bool api_waits_to_return(struct run *run, uint32_t lane)
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
    const struct api_task *t = api_task(run, task);
    for (uint32_t i = 0; i < t->lane_count; i++)
        api_hand_over(run, t->first_lane + i, lane);
}

void api_wait_end(struct run *run, uint32_t lane)
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
