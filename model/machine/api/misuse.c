/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Calls that fail. */

static uint64_t word(const struct run *run, enum api_words kind, uint32_t index)
{
    return *api_set(run, kind, index);
}

/* ---- capture -------------------------------------------------------------------------------- */

static enum host_misuse misuse_of_begin(const struct run *run, uint32_t stream)
{
    if (api_of(run)->streams[stream].legacy)
        return HOST_MISUSE_CAPTURE_LEGACY;
    return word(run, API_CAPTURING, stream) ? HOST_MISUSE_CAPTURE_TWICE : HOST_MISUSE_NONE;
}

/* What is wrong with ending the capture of the call's stream now. */
static enum host_misuse misuse_of_end(const struct run *run, uint32_t index)
{
    const struct api *api = api_of(run);
    uint64_t in = word(run, API_CAPTURING, api->calls[index].stream);
    if (!in)
        return HOST_MISUSE_CAPTURE_NONE;
    uint32_t begin = api->captures[in - 1];
    if (api->calls[begin].stream != api->calls[index].stream)
        return HOST_MISUSE_CAPTURE_UNMATCHED;
    if (api_call(run, begin)->host != api_call(run, index)->host &&
        api_call(run, begin)->constant != HOST_CAPTURE_RELAXED)
        return HOST_MISUSE_CAPTURE_WRONG_THREAD;
    return api_capture_is_joined(run, (uint32_t)in - 1) ? HOST_MISUSE_NONE
                                                        : HOST_MISUSE_CAPTURE_UNJOINED;
}

/* What is wrong with the call when its stream, or the event that it waits for, is being
 * captured. */
static enum host_misuse misuse_of_captured(const struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint64_t in = word(run, API_CAPTURING, api_of(run)->calls[index].stream);
    bool wait = call->row->subject == HOST_SUBJECT_EVENT_WAIT;
    uint64_t joins = wait ? word(run, API_EVENT_CAPTURE, call->event) : 0;
    if (joins && in && joins != in)
        return HOST_MISUSE_CAPTURE_MERGE;
    if (wait && !joins && call->constant != HOST_EVENT_WAIT_EXTERNAL)
        return set_next(api_of(run), api_set(run, API_RECORD, call->event), 0) == NONE
                   ? HOST_MISUSE_NONE
                   : HOST_MISUSE_CAPTURE_ISOLATION;
    return call->row->captured == HOST_CAPTURED_ERROR ? HOST_MISUSE_CAPTURE_CALL : HOST_MISUSE_NONE;
}

static bool device_is_captured(const struct run *run, uint32_t device)
{
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (word(run, API_CAPTURING, i) && api_of(run)->streams[i].device == device)
            return true;
    return false;
}

/* A stream that is captured, or the legacy one while a stream that it waits for is. */
static bool stream_is_captured(const struct run *run, uint32_t stream)
{
    return word(run, API_CAPTURING, stream) || api_capture_blocks_legacy(run, stream);
}

static enum host_misuse misuse_of_wait(const struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    if (call->row->subject == HOST_SUBJECT_EVENT)
        return word(run, API_EVENT_CAPTURE, call->event) ? HOST_MISUSE_CAPTURED_EVENT
                                                         : HOST_MISUSE_NONE;
    bool captured = call->row->subject == HOST_SUBJECT_DEVICE
                        ? device_is_captured(run, api_of(run)->calls[index].device)
                        : stream_is_captured(run, api_of(run)->calls[index].stream);
    return captured ? HOST_MISUSE_CAPTURE_UNFINISHED : HOST_MISUSE_NONE;
}

static bool goes_on(const struct run *run, uint32_t capture)
{
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (word(run, API_CAPTURING, i) == capture + 1)
            return true;
    return false;
}

/* A capture that its own thread began not relaxed, or any thread globally, is in progress. */
static bool is_watched(const struct run *run, uint32_t host)
{
    for (uint32_t i = 0; i < api_of(run)->capture_count; i++) {
        const struct host_call *begin = api_call(run, api_of(run)->captures[i]);
        bool local = begin->constant == HOST_CAPTURE_THREAD_LOCAL;
        bool relaxed = begin->constant == HOST_CAPTURE_RELAXED;
        if (goes_on(run, i) && !relaxed && (begin->host == host || !local))
            return true;
    }
    return false;
}

bool api_call_is_unsafe(const struct host_call *call)
{
    switch (call->row->subject) {
    case HOST_SUBJECT_ALLOCATION:
    case HOST_SUBJECT_RELEASE:
    case HOST_SUBJECT_EXECUTABLE:
        return true;
    case HOST_SUBJECT_STREAM:
    case HOST_SUBJECT_EVENT:
        return call->row->class == HOST_WAITS || call->row->class == HOST_ASKS;
    default:
        return false;
    }
}

/* Into a captured stream an allocation is a node. */
static enum host_misuse misuse_of_unsafe(const struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    bool node = call->row->class == HOST_ENQUEUES && api_capture_takes(run, index);
    return api_call_is_unsafe(call) && !node && is_watched(run, call->host)
               ? HOST_MISUSE_CAPTURE_UNSAFE
               : HOST_MISUSE_NONE;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static bool is_missing(const struct run *run, enum api_words kind, uint32_t object)
{
    return object != NONE && !word(run, kind, object);
}

/* A graph, an executable one or a node that no call has made. */
static bool lacks_graph(const struct run *run, const struct host_call *call)
{
    bool makes = host_call_is(call, HOST_CREATES, HOST_SUBJECT_GRAPH) ||
                 call->row->subject == HOST_SUBJECT_END_CAPTURE;
    bool links = call->row->subject == HOST_SUBJECT_DEPENDENCY;
    if ((!makes && is_missing(run, API_GRAPH, call->graph)) ||
        is_missing(run, API_GRAPH, call->child) ||
        (call->row->class == HOST_ENQUEUES && is_missing(run, API_GRAPH, call->exec)))
        return true;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        if (is_missing(run, API_NODE, call->dependencies[i]))
            return true;
    return links && !(word(run, API_NODE, call->node) &&
                      word(run, API_NODE, call->node) < word(run, API_NODE, call->other_node));
}

/* ---- all ------------------------------------------------------------------------------------ */

enum host_misuse api_misuse(const struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint32_t stream = api_of(run)->calls[index].stream;
    if (run->machine->lanes[lane].task != NONE)
        return HOST_MISUSE_IN_FUNCTION;
    enum host_misuse named = api_misuse_of_arguments(run, index);
    if (named != HOST_MISUSE_NONE)
        return named;
    if (call->row->class != HOST_CREATES && stream != NONE && !word(run, API_EXISTS, stream))
        return HOST_MISUSE_NO_STREAM;
    if (lacks_graph(run, call))
        return HOST_MISUSE_NO_GRAPH;
    if (call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE)
        return misuse_of_begin(run, stream);
    if (call->row->subject == HOST_SUBJECT_END_CAPTURE)
        return misuse_of_end(run, index);
    enum host_misuse of_wait = HOST_MISUSE_NONE;
    if (call->row->class == HOST_WAITS || call->row->class == HOST_ASKS)
        of_wait = misuse_of_wait(run, index);
    if (of_wait != HOST_MISUSE_NONE)
        return of_wait;
    if (misuse_of_unsafe(run, index) != HOST_MISUSE_NONE)
        return HOST_MISUSE_CAPTURE_UNSAFE;
    if (call->row->class == HOST_ENQUEUES && api_capture_blocks_legacy(run, stream))
        return HOST_MISUSE_CAPTURE_IMPLICIT;
    if (api_capture_takes(run, index))
        return misuse_of_captured(run, index);
    return call->constant == HOST_EVENT_RECORD_EXTERNAL ||
                   call->constant == HOST_EVENT_WAIT_EXTERNAL
               ? HOST_MISUSE_CAPTURE_EXTERNAL
               : HOST_MISUSE_NONE;
}
