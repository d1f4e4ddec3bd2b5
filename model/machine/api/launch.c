/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <stdlib.h>

/* Graphs made by hand, and the launch of a graph: its nodes become tasks between two tasks of their
 * own, the start and the end of the launch (GS and GE). */

/* ---- launches ------------------------------------------------------------------------------- */

struct expansion {
    struct run *run;
    uint32_t lane, fork, join;
    const struct graph_shape *shape;
    uint32_t first[API_NODES], last[API_NODES]; /* tasks of each node: two of a child graph */
    bool has_successor[API_NODES];
};

/* E9, E10, E20. */
static void follow(struct expansion *e, uint32_t n)
{
    const struct graph_node *node = &e->shape->nodes[n];
    uint64_t *after = api_set(e->run, API_AFTER, e->first[n]);
    for (uint32_t i = 0; i < node->edge_count; i++) {
        uint32_t from = node->edges[i].from;
        e->has_successor[from] = true;
        if (node->edges[i].programmatic)
            set_add(api_set(e->run, API_PRIMARY, e->first[n]), e->last[from]);
        else if (api_has_rule(e->run, API_RULE_NODE))
            set_add(after, e->last[from]);
    }
    if (!node->edge_count && api_has_rule(e->run, API_RULE_ROOT))
        set_add(after, e->fork);
}

static bool add_node(struct expansion *e, uint32_t n)
{
    struct run *run = e->run;
    const struct graph_node *node = &e->shape->nodes[n];
    uint32_t device = api_of(run)->tasks[e->fork].device;
    e->first[n] = e->last[n] = task_take(run, e->lane, node->call, false, device);
    if (node->child != NONE && e->first[n] != NONE)
        e->last[n] = task_take(run, e->lane, node->call, true, device);
    if (e->last[n] == NONE)
        return false;
    follow(e, n);
    if (call_records(node->call))
        event_record(run, node->call->event, e->first[n]);
    else if (call_waits_for_event(node->call)) /* it waits for what is the latest record now */
        set_join(api_of(run), api_set(run, API_AFTER, e->first[n]),
                 api_set(run, API_RECORD, node->call->event));
    return node->child == NONE || graph_expand(run, e->lane, node->child, e->first[n], e->last[n]);
}

bool graph_expand(struct run *run, uint32_t lane, uint32_t graph, uint32_t fork, uint32_t join)
{
    struct expansion e = {run, lane, fork, join, graph_at(api_of(run)->graphs, graph),
                          {0}, {0},  {0}};
    uint64_t *after = api_set(run, API_AFTER, join);
    set_add(after, fork);
    for (uint32_t n = 0; n < e.shape->count; n++)
        if (!add_node(&e, n))
            return false;
    for (uint32_t n = 0; n < e.shape->count; n++)
        if (!e.has_successor[n] && api_has_rule(run, API_RULE_LEAF)) /* E11 */
            set_add(after, e.last[n]);
    return true;
}

bool graph_is_full(struct run *run, uint32_t lane, uint32_t graph)
{
    uint32_t room = 64 * api_of(run)->set_words;
    if (graph_at(api_of(run)->graphs, graph)->count < (room < API_NODES ? room : API_NODES))
        return false;
    run_report(run, lane, REPORT_MEMORY_BOUND, "a graph of so many nodes");
    return run->full = true;
}

/* ---- graphs made by hand -------------------------------------------------------------------- */

static bool add_by_hand(struct run *run, uint32_t lane, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    struct node_edge edges[HOST_MAX_DEPENDENCIES];
    struct graph_node node = {call, NONE, call->dependency_count, edges};
    if (graph_is_full(run, lane, (uint32_t)*graph - 1))
        return false;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        edges[i] =
            (struct node_edge){(uint32_t)*api_set(run, API_NODE, call->dependencies[i]) - 1, false};
    if (call->child != NONE)
        node.child = (uint32_t)*api_set(run, API_GRAPH, call->child) - 1;
    *api_set(run, API_NODE, call->node) =
        1 + graph_at(api_of(run)->graphs, (uint32_t)*graph - 1)->count;
    *graph = 1 + graph_with_node(api_of(run)->graphs, (uint32_t)*graph - 1, &node);
    return true;
}

static void add_dependency(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    struct node_edge edge = {(uint32_t)*api_set(run, API_NODE, call->node) - 1,
                             call->constant == HOST_DEPENDENCY_PROGRAMMATIC};
    uint32_t to = (uint32_t)*api_set(run, API_NODE, call->other_node) - 1;
    *graph = 1 + graph_with_edge(api_of(run)->graphs, (uint32_t)*graph - 1, to, edge);
}

bool graph_call(struct run *run, uint32_t lane, uint32_t index)
{
    const struct host_call *call = &api_of(run)->test->host->calls[index];
    switch (call->id) {
    case HOST_CALL_STREAM_BEGIN_CAPTURE:
        capture_begin(run, index);
        break;
    case HOST_CALL_STREAM_END_CAPTURE:
        capture_end(run, index);
        break;
    case HOST_CALL_GRAPH_CREATE:
        *api_set(run, API_GRAPH, call->graph) = 1;
        break;
    case HOST_CALL_GRAPH_INSTANTIATE:
        *api_set(run, API_GRAPH, call->exec) = *api_set(run, API_GRAPH, call->graph);
        set_clear(api_of(run), api_set(run, API_LAST_LAUNCH, call->exec));
        break;
    case HOST_CALL_GRAPH_ADD_DEPENDENCIES:
        add_dependency(run, call);
        break;
    case HOST_CALL_GRAPH_DESTROY:
    case HOST_CALL_GRAPH_EXEC_DESTROY:
        break;
    case HOST_CALL_GRAPH_ADD_KERNEL_NODE:
    case HOST_CALL_GRAPH_ADD_MEMCPY_NODE:
    case HOST_CALL_GRAPH_ADD_MEMSET_NODE:
    case HOST_CALL_GRAPH_ADD_HOST_NODE:
    case HOST_CALL_GRAPH_ADD_EMPTY_NODE:
    case HOST_CALL_GRAPH_ADD_CHILD_NODE:
    case HOST_CALL_GRAPH_ADD_EVENT_RECORD_NODE:
    case HOST_CALL_GRAPH_ADD_EVENT_WAIT_NODE:
        return add_by_hand(run, lane, call);
    default: /* a row of host_call.def that nobody executes */
        abort();
    }
    return true;
}
