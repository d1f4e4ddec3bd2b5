/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

#include <glib.h>

/* Graphs made by hand, and the launch of a graph: its nodes become tasks between two tasks of their
 * own, the start and the end of the launch (GS and GE). */

/* ---- launches ------------------------------------------------------------------------------- */

struct expansion {
    struct run *run;
    uint32_t lane, fork, join;
    uint32_t graph;
    const struct api_graph *shape;
    const uint64_t *defaults;                   /* or NULL */
    uint32_t first[API_NODES], last[API_NODES]; /* tasks of each node: two of a child graph */
    bool has_successor[API_NODES];
};

/* E9, E10, E20. */
static void follow(struct expansion *e, uint32_t n)
{
    const struct api_node *node = &e->shape->nodes[n];
    uint64_t *after = api_set(e->run, API_AFTER, e->first[n]);
    for (uint32_t i = 0; i < node->edge_count; i++) {
        uint32_t from = node->edges[i].from;
        e->has_successor[from] = true;
        if (node->edges[i].programmatic && !node->off && !e->shape->nodes[from].off)
            set_add(api_set(e->run, API_PRIMARY, e->first[n]), e->last[from]);
        else if (api_has_rule(e->run, API_RULE_NODE))
            set_add(after, e->last[from]);
    }
    if (!node->edge_count && api_has_rule(e->run, API_RULE_ROOT))
        set_add(after, e->fork);
    if (!node->edge_count && e->defaults)
        set_join(api_of(e->run), after, e->defaults);
}

/* The tasks of one node: one, or a first and a last around the graph that is its child or its body. */
static bool add_node(struct expansion *e, uint32_t n)
{
    struct run *run = e->run;
    const struct api_node *node = &e->shape->nodes[n];
    uint32_t device = api_task(run, e->fork)->device;
    e->first[n] = e->last[n] =
        api_take_task(run, e->lane, node->off ? node->off : node->call, false, device);
    bool decides = node->body_count && !node->off;
    if ((node->child != NONE || decides) && e->first[n] != NONE)
        e->last[n] = api_take_task(run, e->lane, node->call, true, device);
    if (e->last[n] == NONE)
        return false;
    follow(e, n);
    api_match_event(run, e->first[n]);
    if (decides)
        api_decide_later(run, e->first[n], e->graph, n, e->last[n]);
    return node->child == NONE ||
           api_expand(run, e->lane, node->child, e->first[n], e->last[n], NULL);
}

bool api_expand(struct run *run, uint32_t lane, uint32_t graph, uint32_t fork, uint32_t join,
                const uint64_t *defaults)
{
    struct expansion e = {.run = run,
                          .lane = lane,
                          .fork = fork,
                          .join = join,
                          .graph = graph,
                          .shape = api_graph_at(api_of(run)->graphs, graph),
                          .defaults = defaults};
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

/* E9 to E12. */
uint32_t api_launch_graph(struct run *run, uint32_t lane, const struct host_call *call,
                          uint32_t fork)
{
    const struct api *api = api_of(run);
    uint32_t graph = (uint32_t)*api_set(run, API_GRAPH, call->exec) - 1;
    uint64_t *last = api_set(run, API_LAST_LAUNCH, call->exec);
    uint32_t join = api_take_task(run, lane, call, true, api->tasks[fork].device);
    uint64_t defaults[API_SET_WORDS] = {0};
    if (join == NONE || !api_set_defaults(run, lane, graph, fork, defaults) ||
        !api_expand(run, lane, graph, fork, join, defaults))
        return NONE;
    set_join(api, api_set(run, API_AFTER, join), defaults);
    api_lifetime_launch(run, graph, fork);
    if (api_has_rule(run, API_RULE_RELAUNCH))
        set_join(api, api_set(run, API_AFTER, fork), last);
    set_clear(api, last);
    set_add(last, join);
    return join;
}

void api_follow_launches(struct run *run, const struct host_call *call, uint32_t task)
{
    if (api_has_rule(run, API_RULE_RELAUNCH))
        set_join(api_of(run), api_set(run, API_AFTER, task),
                 api_set(run, API_LAST_LAUNCH, call->exec));
}

/* ---- graphs made by hand -------------------------------------------------------------------- */

bool api_add_node(struct run *run, uint32_t lane, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    g_autofree struct api_node_edge *edges = g_new(struct api_node_edge, call->dependency_count);
    struct api_node node = {
        .call = call, .child = NONE, .edge_count = call->dependency_count, .edges = edges};
    if (api_graph_is_full(run, lane, (uint32_t)*graph - 1))
        return false;
    for (uint32_t i = 0; i < call->dependency_count; i++)
        edges[i] = (struct api_node_edge){
            (uint32_t)*api_set(run, API_NODE, call->dependencies[i]) - 1, false};
    if (call->child != NONE)
        node.child = (uint32_t)*api_set(run, API_GRAPH, call->child) - 1;
    for (uint32_t i = 0; i < call->body_count; i++)
        *api_set(run, API_GRAPH, call->bodies[i]) = 1;
    *api_set(run, API_NODE, call->node) =
        1 + api_graph_at(api_of(run)->graphs, (uint32_t)*graph - 1)->count;
    *graph = 1 + api_graph_with_node(api_of(run)->graphs, (uint32_t)*graph - 1, &node);
    return true;
}

void api_add_dependency(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    struct api_node_edge edge = {(uint32_t)*api_set(run, API_NODE, call->node) - 1,
                                 call->constant == HOST_DEPENDENCY_PROGRAMMATIC};
    uint32_t to = (uint32_t)*api_set(run, API_NODE, call->other_node) - 1;
    *graph = 1 + api_graph_with_edge(api_of(run)->graphs, (uint32_t)*graph - 1, to, edge);
}

void api_remove_dependency(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    uint32_t from = (uint32_t)*api_set(run, API_NODE, call->node) - 1,
             to = (uint32_t)*api_set(run, API_NODE, call->other_node) - 1;
    *graph = 1 + api_graph_without_edge(api_of(run)->graphs, (uint32_t)*graph - 1, to, from);
}

void api_destroy_node(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->graph);
    uint32_t node = (uint32_t)*api_set(run, API_NODE, call->node) - 1;
    *graph = 1 + api_graph_without_node(api_of(run)->graphs, (uint32_t)*graph - 1, node, call);
}

/* ---- what nodes do from now on -------------------------------------------------------------- */

static uint32_t holder(const struct host_call *call)
{
    return call->exec == NONE ? call->graph : call->exec;
}

const struct api_node *api_named_node(const struct run *run, const struct host_call *call)
{
    uint32_t object = holder(call);
    uint64_t graph = object == NONE ? 0 : *api_set(run, API_GRAPH, object);
    uint64_t node = *api_set(run, API_NODE, call->node);
    if (!graph || !node)
        return NULL;
    const struct api_graph *shape = api_graph_at(api_of(run)->graphs, (uint32_t)graph - 1);
    return node <= shape->count ? &shape->nodes[node - 1] : NULL;
}

void api_set_node(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, holder(call));
    uint32_t node = (uint32_t)*api_set(run, API_NODE, call->node) - 1;
    *graph = 1 + api_graph_with_call(api_of(run)->graphs, (uint32_t)*graph - 1, node, call);
}

void api_enable_node(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->exec);
    uint32_t node = (uint32_t)*api_set(run, API_NODE, call->node) - 1;
    *graph = 1 + api_graph_with_off(api_of(run)->graphs, (uint32_t)*graph - 1, node,
                                    call->value ? NULL : call);
}

void api_update_graph(struct run *run, const struct host_call *call)
{
    uint64_t *graph = api_set(run, API_GRAPH, call->exec);
    uint32_t to = (uint32_t)*api_set(run, API_GRAPH, call->graph) - 1;
    *graph = 1 + api_graph_updated(api_of(run)->graphs, to, (uint32_t)*graph - 1);
}
