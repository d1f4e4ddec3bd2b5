/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Calls that fail, by the names that the runtime gives them. */

static const struct host_call *call_at(const struct run *run, uint32_t call)
{
    return &api_of(run)->test->host->calls[call];
}

static uint64_t word(const struct run *run, enum api_words kind, uint32_t index)
{
    return *api_set(run, kind, index);
}

/* ---- capture -------------------------------------------------------------------------------- */

static enum report_id misuse_of_begin(const struct run *run, uint32_t stream, const char **why)
{
    bool legacy = api_of(run)->streams[stream].legacy;
    *why = legacy ? "the legacy stream cannot be captured" : "the stream is captured";
    return legacy || word(run, API_CAPTURING, stream) ? REPORT_API_CAPTURE_UNSUPPORTED
                                                      : REPORT_COUNT;
}

static enum report_id misuse_of_end(const struct run *run, uint32_t index, const char **why)
{
    const struct api *api = api_of(run);
    uint64_t in = word(run, API_CAPTURING, api->stream_of[index]);
    const struct host_call *begin = in ? api->captures[in - 1] : NULL;
    *why = "the capture did not begin on this stream";
    if (!begin || api->stream_of[begin - api->test->host->calls] != api->stream_of[index])
        return REPORT_API_CAPTURE_UNMATCHED;
    *why = "another host thread began the capture";
    if (begin->host != call_at(run, index)->host && begin->constant != HOST_CAPTURE_RELAXED)
        return REPORT_API_CAPTURE_WRONG_THREAD;
    *why = "work of another stream was not joined back";
    return capture_is_joined(run, (uint32_t)in - 1) ? REPORT_COUNT : REPORT_API_CAPTURE_UNJOINED;
}

static bool cannot_be_captured(const struct host_call *call)
{
    return call->id == HOST_CALL_MEMCPY || call->id == HOST_CALL_MEMSET ||
           call->id == HOST_CALL_MEMCPY_TO_SYMBOL || call->id == HOST_CALL_STREAM_ADD_CALLBACK;
}

static enum report_id misuse_of_captured(const struct run *run, uint32_t index, const char **why)
{
    const struct host_call *call = call_at(run, index);
    uint64_t in = word(run, API_CAPTURING, api_of(run)->stream_of[index]);
    bool wait = call_waits_for_event(call);
    uint64_t joins = wait ? word(run, API_EVENT_CAPTURE, call->event) : 0;
    *why = "the wait would join two captures";
    if (joins && in && joins != in)
        return REPORT_API_CAPTURE_MERGE;
    *why = "a captured stream waits for an event recorded outside of the capture";
    if (wait && !joins && call->constant != HOST_EVENT_WAIT_EXTERNAL)
        return REPORT_API_CAPTURE_ISOLATION;
    *why = "the call cannot be captured";
    return cannot_be_captured(call) ? REPORT_API_CAPTURE_UNSUPPORTED : REPORT_COUNT;
}

static bool device_is_captured(const struct run *run, uint32_t device)
{
    for (uint32_t i = 0; i < api_of(run)->stream_count; i++)
        if (word(run, API_CAPTURING, i) && api_of(run)->streams[i].device == device)
            return true;
    return false;
}

static enum report_id misuse_of_wait(const struct run *run, uint32_t index, const char **why)
{
    const struct host_call *call = call_at(run, index);
    uint32_t stream = api_of(run)->stream_of[index];
    bool captured;
    *why = "the event was recorded in a captured stream";
    if (call->event != NONE)
        return word(run, API_EVENT_CAPTURE, call->event) ? REPORT_API_CAPTURED_EVENT : REPORT_COUNT;
    *why = "what is being captured has not run";
    if (call->id == HOST_CALL_DEVICE_SYNCHRONIZE)
        captured = device_is_captured(run, api_of(run)->device_of[index]);
    else
        captured = word(run, API_CAPTURING, stream) ||
                   (api_of(run)->streams[stream].legacy && capture_blocks_legacy(run, stream));
    return captured ? REPORT_API_CAPTURE_UNSUPPORTED : REPORT_COUNT;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static bool is_missing(const struct run *run, enum api_words kind, uint32_t object)
{
    return object != NONE && !word(run, kind, object);
}

/* A graph, an executable one or a node that no call has made. */
static bool lacks_graph(const struct run *run, const struct host_call *call)
{
    bool makes = call->id == HOST_CALL_GRAPH_CREATE || call->id == HOST_CALL_STREAM_END_CAPTURE;
    bool links = call->id == HOST_CALL_GRAPH_ADD_DEPENDENCIES;
    if ((!makes && is_missing(run, API_GRAPH, call->graph)) ||
        is_missing(run, API_GRAPH, call->child) ||
        (call->id == HOST_CALL_GRAPH_LAUNCH && is_missing(run, API_GRAPH, call->exec)))
        return true;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        if (is_missing(run, API_NODE, call->dependencies[i]))
            return true;
    return links && !(word(run, API_NODE, call->node) &&
                      word(run, API_NODE, call->node) < word(run, API_NODE, call->other_node));
}

/* ---- all ------------------------------------------------------------------------------------ */

static bool is_wait(const struct host_call *call)
{
    return call->id == HOST_CALL_STREAM_SYNCHRONIZE || call->id == HOST_CALL_EVENT_SYNCHRONIZE ||
           call->id == HOST_CALL_DEVICE_SYNCHRONIZE || host_call_is_query(call->id);
}

static enum report_id misuse_of_handles(const struct run *run, uint32_t lane, uint32_t index,
                                        const char **why)
{
    const struct host_call *call = call_at(run, index);
    uint32_t stream = api_of(run)->stream_of[index];
    *why = "in a host function";
    if (run->machine->lanes[lane].task != NONE)
        return REPORT_API_NOT_PERMITTED;
    *why = "the stream was not created, or was destroyed";
    if (!call_makes_stream(call) && stream != NONE && !word(run, API_EXISTS, stream))
        return REPORT_API_INVALID_HANDLE;
    *why = "the graph or node was not made";
    return lacks_graph(run, call) ? REPORT_API_INVALID_VALUE : REPORT_COUNT;
}

enum report_id misuse_of(const struct run *run, uint32_t lane, uint32_t index, const char **why)
{
    const struct host_call *call = call_at(run, index);
    uint32_t stream = api_of(run)->stream_of[index];
    enum report_id handles = misuse_of_handles(run, lane, index, why);
    if (handles != REPORT_COUNT)
        return handles;
    if (call->id == HOST_CALL_STREAM_BEGIN_CAPTURE)
        return misuse_of_begin(run, stream, why);
    if (call->id == HOST_CALL_STREAM_END_CAPTURE)
        return misuse_of_end(run, index, why);
    if (is_wait(call))
        return misuse_of_wait(run, index, why);
    *why = "the legacy stream is used while a blocking stream is captured";
    if (call_enqueues(call) && stream != NONE && api_of(run)->streams[stream].legacy &&
        capture_blocks_legacy(run, stream))
        return REPORT_API_CAPTURE_IMPLICIT;
    return capture_takes(run, index) ? misuse_of_captured(run, index, why) : REPORT_COUNT;
}
