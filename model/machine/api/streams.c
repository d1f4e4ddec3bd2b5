/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Streams are queues: a stream keeps the tasks that its next one follows, an event those of its
 * record. So the legacy stream, matching at the call and destroyed streams need nothing more. */

/* Does the stream go before and after what the other, a legacy one, does? */
static bool takes_part(const struct run *run, uint32_t stream, uint32_t other)
{
    const struct api_stream *legacy = &api_of(run)->streams[other];
    return legacy->legacy && (*api_set(run, API_EXISTS, stream) & STREAM_BLOCKING) &&
           api_of(run)->streams[stream].device == legacy->device &&
           api_has_rule(run, API_RULE_LEGACY);
}

/* What the stream's next task follows. */
static void join_tails(const struct run *run, uint32_t stream, uint64_t *tasks)
{
    const struct api *api = api_of(run);
    set_join(api, tasks, api_set(run, API_TAIL, stream));
    for (uint32_t i = 0; i < api->stream_count; i++)
        if (takes_part(run, i, stream))
            set_join(api, tasks, api_set(run, API_TAIL, i));
}

void api_stream_covers(const struct run *run, uint32_t stream, uint64_t *tasks)
{
    if (api_of(run)->streams[stream].legacy)
        join_tails(run, stream, tasks);
    else
        set_join(api_of(run), tasks, api_set(run, API_LAST, stream));
}

/* The call is a copy between devices in a legacy stream, and the stream belongs to one of them (E21). */
static bool reaches(const struct run *run, const struct host_call *call, uint32_t own,
                    uint32_t stream)
{
    const struct api_stream *other = &api_of(run)->streams[stream];
    uint64_t exists = *api_set(run, API_EXISTS, stream);
    return api_of(run)->streams[own].legacy &&
           host_call_reaches(api_of(run)->test, call, other->device) &&
           (exists & STREAM_BLOCKING || other->legacy) && api_has_rule(run, API_RULE_PEER);
}

static void set_only(struct run *run, enum api_words kind, uint32_t stream, uint32_t task)
{
    uint64_t *only = api_set(run, kind, stream);
    set_clear(api_of(run), only);
    set_add(only, task);
}

/* E4: blocking streams go on after a legacy action. */
void api_follow_on(struct run *run, uint32_t stream, uint32_t task)
{
    set_only(run, API_TAIL, stream, task);
    set_only(run, API_LAST, stream, task);
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (takes_part(run, i, stream) || reaches(run, api_task(run, task)->call, stream, i))
            set_only(run, API_TAIL, i, task);
}

static bool others_take_part(const struct run *run, uint32_t stream)
{
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (takes_part(run, i, stream))
            return true;
    return false;
}

/* The kernel that a programmatic launch follows in its stream directly, or NONE. */
static uint32_t primary_of(const struct run *run, uint32_t stream)
{
    const struct api *api = api_of(run);
    uint32_t last = set_next(api, api_set(run, API_TAIL, stream), 0);
    if (last == NONE || !api_task_is_kernel(run, last) || others_take_part(run, stream))
        return NONE;
    uint32_t call = (uint32_t)(api->tasks[last].call - api->host->calls);
    return api->calls[call].stream == stream ? last : NONE;
}

void api_join_queue(struct run *run, uint32_t stream, uint32_t task)
{
    const struct host_call *call = api_task(run, task)->call;
    bool programmatic =
        call->launch != NONE && run->machine->test->launches[call->launch].programmatic;
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (reaches(run, call, stream, i))
            set_join(api_of(run), api_set(run, API_AFTER, task), api_set(run, API_TAIL, i));
    uint32_t primary = programmatic ? primary_of(run, stream) : NONE;
    if (primary != NONE)
        set_add(api_set(run, API_PRIMARY, task), primary);
    else if (api_has_rule(run, API_RULE_STREAM))
        join_tails(run, stream, api_set(run, API_AFTER, task));
}

static void record(struct run *run, uint32_t event, uint32_t task)
{
    *api_set(run, API_EVENT_DEVICE, event) = 1 + api_task(run, task)->device;
    uint64_t *record = api_set(run, API_RECORD, event);
    set_clear(api_of(run), record);
    if (api_has_rule(run, API_RULE_EVENT))
        set_add(record, task);
    *api_set(run, API_EVENT_CAPTURE, event) = 0;
}

void api_match_event(struct run *run, uint32_t task)
{
    const struct host_call *call = api_task(run, task)->call;
    if (call->row->subject == HOST_SUBJECT_RECORD)
        record(run, call->event, task);
    else if (call->row->subject == HOST_SUBJECT_EVENT_WAIT)
        set_join(api_of(run), api_set(run, API_AFTER, task), api_set(run, API_RECORD, call->event));
}
