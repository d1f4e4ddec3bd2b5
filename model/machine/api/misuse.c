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
    if (call->row->subject == HOST_SUBJECT_ELAPSED &&
        word(run, API_EVENT_CAPTURE, call->other_event))
        return HOST_MISUSE_CAPTURED_EVENT;
    if (call->event != NONE)
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
static bool is_watched(const struct run *run, uint32_t index)
{
    uint32_t host = api_call(run, index)->host;
    enum host_constant mode = api_of(run)->calls[index].mode;
    for (uint32_t i = 0; i < api_of(run)->capture_count; i++) {
        const struct host_call *begin = api_call(run, api_of(run)->captures[i]);
        bool local = begin->constant == HOST_CAPTURE_THREAD_LOCAL;
        bool relaxed = begin->constant == HOST_CAPTURE_RELAXED;
        bool own = begin->host == host;
        bool free = own ? mode == HOST_CAPTURE_RELAXED
                        : mode == HOST_CAPTURE_RELAXED || mode == HOST_CAPTURE_THREAD_LOCAL;
        if (goes_on(run, i) && !relaxed && !free && (own || !local))
            return true;
    }
    return false;
}

bool api_call_is_unsafe(const struct host_call *call)
{
    switch (call->row->subject) {
    case HOST_SUBJECT_REGISTRATION:
        return strcmp(call->row->name, "cudaHostRegister") == 0;
    case HOST_SUBJECT_ALLOCATION:
    case HOST_SUBJECT_RELEASE:
        return call->row->class != HOST_ADDS;
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
    return api_call_is_unsafe(call) && !node && is_watched(run, index) ? HOST_MISUSE_CAPTURE_UNSAFE
                                                                       : HOST_MISUSE_NONE;
}

/* ---- graphs --------------------------------------------------------------------------------- */

static bool is_missing(const struct run *run, enum api_words kind, uint32_t object)
{
    return object != NONE && !word(run, kind, object);
}

/* The graph has the edge. */
static bool is_linked(const struct run *run, const struct host_call *call)
{
    uint64_t graph = word(run, API_GRAPH, call->graph), from = word(run, API_NODE, call->node),
             to = word(run, API_NODE, call->other_node);
    const struct api_graph *shape =
        graph ? api_graph_at(api_of(run)->graphs, (uint32_t)graph - 1) : NULL;
    bool linked = false;
    if (!shape || !from || !to || to > shape->count)
        return false;
    for (uint32_t i = 0; i < shape->nodes[to - 1].edge_count; i++)
        linked = linked || shape->nodes[to - 1].edges[i].from == from - 1;
    return linked;
}

/* The call asks of a node, or of the nodes of an executable graph, what is not their kind of work. */
static enum host_misuse misuse_of_change(const struct run *run, const struct host_call *call)
{
    const struct test *test = api_of(run)->test;
    if (call->row->class == HOST_SETS &&
        !host_call_replaces(test, api_named_node(run, call)->call, call))
        return HOST_MISUSE_NODE_KIND;
    if (call->row->subject == HOST_SUBJECT_ENABLED &&
        !host_call_may_be_off(api_named_node(run, call)->call))
        return HOST_MISUSE_NODE_KIND;
    if (call->row->subject == HOST_SUBJECT_UPDATE &&
        !api_graphs_have_one_shape(test, api_of(run)->graphs,
                                   (uint32_t)word(run, API_GRAPH, call->exec) - 1,
                                   (uint32_t)word(run, API_GRAPH, call->graph) - 1))
        return HOST_MISUSE_UPDATE_SHAPE;
    return HOST_MISUSE_NONE;
}

static bool holds_memory(const struct run *run, uint32_t object)
{
    return object != NONE &&
           api_graph_holds_memory(api_of(run)->graphs, (uint32_t)word(run, API_GRAPH, object) - 1);
}

/* What a graph that allocates or frees memory does not allow. */
static enum host_misuse misuse_of_memory(const struct run *run, const struct host_call *call)
{
    bool takes_apart = call->row->subject == HOST_SUBJECT_NO_DEPENDENCY ||
                       call->row->subject == HOST_SUBJECT_NO_NODE;
    if (holds_memory(run, call->child) || (takes_apart && holds_memory(run, call->graph)))
        return HOST_MISUSE_MEMORY_GRAPH;
    if (host_call_is(call, HOST_ENQUEUES, HOST_SUBJECT_GRAPH))
        return word(run, API_FREES, call->exec) ||
                       api_lifetime_may_launch(run, (uint32_t)word(run, API_GRAPH, call->exec) - 1)
                   ? HOST_MISUSE_NONE
                   : HOST_MISUSE_NOT_FREED;
    if (!host_call_is(call, HOST_CREATES, HOST_SUBJECT_EXECUTABLE) ||
        !holds_memory(run, call->graph))
        return HOST_MISUSE_NONE;
    uint64_t other = word(run, API_EXECUTABLE, call->graph);
    return other && !word(run, API_GONE, (uint32_t)other - 1) ? HOST_MISUSE_TWO_EXECUTABLES
                                                              : HOST_MISUSE_NONE;
}

/* A graph, an executable one or a node that no call has made. */
static bool lacks_graph(const struct run *run, const struct host_call *call)
{
    bool makes = host_call_is(call, HOST_CREATES, HOST_SUBJECT_GRAPH) ||
                 call->row->subject == HOST_SUBJECT_END_CAPTURE;
    bool links = call->row->subject == HOST_SUBJECT_DEPENDENCY;
    bool names = call->row->class == HOST_SETS || call->row->subject == HOST_SUBJECT_ENABLED ||
                 call->row->subject == HOST_SUBJECT_NO_NODE;
    if (names)
        return !api_named_node(run, call);
    if (call->row->subject == HOST_SUBJECT_NO_DEPENDENCY)
        return !is_linked(run, call);
    if ((!makes && is_missing(run, API_GRAPH, call->graph)) ||
        is_missing(run, API_GRAPH, call->child) ||
        (call->row->class != HOST_CREATES && call->row->class != HOST_DESTROYS &&
         is_missing(run, API_GRAPH, call->exec)))
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
    if (api_lifetime_is_reset(run, call))
        return HOST_MISUSE_RESET;
    if (!api_capture_takes(run, index) && api_lifetime_is_over(run, call))
        return HOST_MISUSE_FREED_TWICE;
    if (call->row->class != HOST_CREATES && stream != NONE && !word(run, API_EXISTS, stream))
        return HOST_MISUSE_NO_STREAM;
    if (lacks_graph(run, call))
        return HOST_MISUSE_NO_GRAPH;
    if (misuse_of_change(run, call) != HOST_MISUSE_NONE)
        return misuse_of_change(run, call);
    if (misuse_of_memory(run, call) != HOST_MISUSE_NONE)
        return misuse_of_memory(run, call);
    if (host_call_is(call, HOST_CREATES, HOST_SUBJECT_EXECUTABLE) &&
        !api_bodies_fit(run, (uint32_t)word(run, API_GRAPH, call->graph) - 1))
        return HOST_MISUSE_CONDITION_BODY;
    if (call->row->subject == HOST_SUBJECT_BEGIN_CAPTURE)
        return misuse_of_begin(run, stream);
    if (call->row->subject == HOST_SUBJECT_END_CAPTURE)
        return misuse_of_end(run, index);
    if (call->row->subject == HOST_SUBJECT_CAPTURE_DEPENDENCIES &&
        !word(run, API_CAPTURING, stream))
        return HOST_MISUSE_CAPTURE_NONE;
    enum host_misuse of_wait = HOST_MISUSE_NONE;
    if (call->row->class == HOST_WAITS || call->row->class == HOST_ASKS)
        of_wait = misuse_of_wait(run, index);
    if (of_wait != HOST_MISUSE_NONE)
        return of_wait;
    if (misuse_of_unsafe(run, index) != HOST_MISUSE_NONE)
        return HOST_MISUSE_CAPTURE_UNSAFE;
    if ((call->row->class == HOST_ENQUEUES || call->row->subject == HOST_SUBJECT_CAPTURE_STATUS) &&
        api_capture_blocks_legacy(run, stream))
        return HOST_MISUSE_CAPTURE_IMPLICIT;
    if (api_capture_takes(run, index))
        return misuse_of_captured(run, index);
    return call->constant == HOST_EVENT_RECORD_EXTERNAL ||
                   call->constant == HOST_EVENT_WAIT_EXTERNAL
               ? HOST_MISUSE_CAPTURE_EXTERNAL
               : HOST_MISUSE_NONE;
}
