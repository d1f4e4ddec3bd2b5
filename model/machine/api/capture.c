/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Stream capture: calls on a captured stream become nodes of a graph and events become edges;
 * nothing runs. */

static uint32_t origin_of(const struct run *run, uint32_t capture)
{
    return api_of(run)->calls[api_of(run)->captures[capture]].stream;
}

bool api_capture_takes(const struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint32_t stream = api_of(run)->calls[index].stream;
    if (call->row->class != HOST_ENQUEUES)
        return false;
    return *api_set(run, API_CAPTURING, stream) || (call->row->subject == HOST_SUBJECT_EVENT_WAIT &&
                                                    *api_set(run, API_EVENT_CAPTURE, call->event));
}

bool api_capture_blocks_legacy(const struct run *run, uint32_t legacy)
{
    const struct api *api = api_of(run);
    for (uint32_t i = 0; api->streams[legacy].legacy && i < api->stream_count; i++)
        if (*api_set(run, API_CAPTURING, i) && (*api_set(run, API_EXISTS, i) & STREAM_BLOCKING) &&
            api->streams[i].device == api->streams[legacy].device)
            return true;
    return false;
}

/* The next node of the stream comes after the nodes that the call lists. */
static void add_listed(struct run *run, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint64_t *frontier = api_set(run, API_FRONTIER, api_of(run)->calls[index].stream);
    for (uint32_t i = 0; i < call->dependency_count; i++)
        set_add(frontier, (uint32_t)*api_set(run, API_NODE, call->dependencies[i]) - 1);
}

void api_capture_begin(struct run *run, uint32_t index)
{
    uint32_t stream = api_of(run)->calls[index].stream, capture = api_of(run)->calls[index].capture;
    *api_set(run, API_CAPTURING, stream) = capture + 1;
    uint32_t graph = api_call(run, index)->graph;
    *api_set(run, API_CAPTURED, capture) = graph == NONE ? 0 : *api_set(run, API_GRAPH, graph) - 1;
    set_clear(api_of(run), api_set(run, API_FRONTIER, stream));
    add_listed(run, index);
}

void api_capture_follow(struct run *run, uint32_t index)
{
    if (api_call(run, index)->constant == HOST_CAPTURE_SET_DEPENDENCIES)
        set_clear(api_of(run), api_set(run, API_FRONTIER, api_of(run)->calls[index].stream));
    add_listed(run, index);
}

/* ---- the end -------------------------------------------------------------------------------- */

/* The nodes that lead to those of the set, they included: edges come from earlier nodes. */
static void add_ancestors(const struct api_graph *shape, uint64_t *nodes)
{
    for (uint32_t n = shape->count; n-- > 0;)
        for (uint32_t i = 0; set_has(nodes, n) && i < shape->nodes[n].edge_count; i++)
            set_add(nodes, shape->nodes[n].edges[i].from);
}

bool api_capture_is_joined(const struct run *run, uint32_t capture)
{
    const struct api *api = api_of(run);
    uint64_t joined[API_NODES / 64] = {0};
    const uint64_t *frontier = api_set(run, API_FRONTIER, origin_of(run, capture));
    EACH_MEMBER(node, api, frontier) {
        set_add(joined, node);
    }
    add_ancestors(api_graph_at(api->graphs, (uint32_t)*api_set(run, API_CAPTURED, capture)),
                  joined);
    for (uint32_t i = 0; i < api->stream_count; i++) {
        if (*api_set(run, API_CAPTURING, i) != capture + 1)
            continue;
        EACH_MEMBER(node, api, api_set(run, API_FRONTIER, i)) {
            if (!set_has(joined, node))
                return false;
        }
    }
    return true;
}

void api_capture_end(struct run *run, uint32_t index)
{
    const struct api *api = api_of(run);
    uint64_t in = *api_set(run, API_CAPTURING, api->calls[index].stream);
    *api_set(run, API_GONE, api_call(run, index)->graph) = 0;
    *api_set(run, API_EXECUTABLE, api_call(run, index)->graph) = 0;
    *api_set(run, API_GRAPH, api_call(run, index)->graph) =
        1 + *api_set(run, API_CAPTURED, (uint32_t)in - 1);
    uint32_t into = api_call(run, api->captures[in - 1])->graph;
    if (into != NONE)
        *api_set(run, API_GRAPH, into) = 1 + *api_set(run, API_CAPTURED, (uint32_t)in - 1);
    for (uint32_t i = 0; i < api->stream_count; i++)
        if (*api_set(run, API_CAPTURING, i) == in) {
            *api_set(run, API_CAPTURING, i) = 0;
            set_clear(api, api_set(run, API_FRONTIER, i));
        }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static void join(struct run *run, uint32_t stream, uint32_t event)
{
    uint64_t *capturing = api_set(run, API_CAPTURING, stream);
    uint64_t *frontier = api_set(run, API_FRONTIER, stream);
    if (!*capturing)
        set_clear(api_of(run), frontier);
    *capturing = *api_set(run, API_EVENT_CAPTURE, event);
    if (api_has_rule(run, API_RULE_JOIN))
        set_join(api_of(run), frontier, api_set(run, API_EVENT_FRONTIER, event));
}

static void record(struct run *run, uint32_t stream, uint32_t event)
{
    *api_set(run, API_EVENT_CAPTURE, event) = *api_set(run, API_CAPTURING, stream);
    *api_set(run, API_EVENT_DEVICE, event) = 1 + api_of(run)->streams[stream].device;
    set_clear(api_of(run), api_set(run, API_RECORD, event));
    set_copy(api_of(run), api_set(run, API_EVENT_FRONTIER, event),
             api_set(run, API_FRONTIER, stream));
}

/* A call that is captured becomes a node of the graph, after the nodes that the stream's frontier
 * holds. */
static bool add_node(struct run *run, uint32_t lane, uint32_t stream, const struct host_call *call)
{
    const struct api *api = api_of(run);
    uint64_t *graph =
        api_set(run, API_CAPTURED, (uint32_t)*api_set(run, API_CAPTURING, stream) - 1);
    uint64_t *frontier = api_set(run, API_FRONTIER, stream);
    const struct api_graph *shape = api_graph_at(api->graphs, (uint32_t)*graph);
    struct api_node_edge edges[API_NODES];
    struct api_node node = {.call = call, .child = NONE, .edges = edges};
    if (api_graph_is_full(run, lane, (uint32_t)*graph))
        return false;
    bool programmatic = call->launch != NONE && api->test->launches[call->launch].programmatic;
    EACH_MEMBER(from, api, frontier) {
        bool kernel = shape->nodes[from].call->launch != NONE;
        if (api_has_rule(run, API_RULE_CAPTURE))
            edges[node.edge_count++] = (struct api_node_edge){from, programmatic && kernel};
    }
    if (call->exec != NONE)
        node.child = (uint32_t)*api_set(run, API_GRAPH, call->exec) - 1;
    set_clear(api, frontier);
    set_add(frontier, shape->count);
    *graph = api_graph_with_node(api->graphs, (uint32_t)*graph, &node);
    return true;
}

bool api_capture_take(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = api_call(run, index);
    uint32_t stream = api_of(run)->calls[index].stream;
    if (call->row->subject == HOST_SUBJECT_EVENT_WAIT &&
        *api_set(run, API_EVENT_CAPTURE, call->event))
        join(run, stream, call->event);
    else if (call->row->subject == HOST_SUBJECT_EVENT_WAIT &&
             call->constant != HOST_EVENT_WAIT_EXTERNAL)
        return true; /* never recorded: an empty set of work */
    else if (call->row->subject == HOST_SUBJECT_RECORD &&
             call->constant != HOST_EVENT_RECORD_EXTERNAL)
        record(run, stream, call->event);
    else
        return add_node(run, lane, stream, call);
    return true;
}
