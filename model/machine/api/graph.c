/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Graphs as values that never change: adding to one gives another. Equal ones have one number, so
 * that the state block holds numbers only, and equal states are equal bytes. */

struct api_graph_table {
    struct arena *arena;
    VEC(struct api_graph) shapes;
};

struct api_graph_table *api_graph_table_new(struct arena *arena)
{
    struct api_graph_table *table = ARENA_NEW(arena, struct api_graph_table);
    const struct api_graph empty = {NULL, 0};
    table->arena = arena;
    vec_push(arena, &table->shapes, empty);
    return table;
}

const struct api_graph *api_graph_at(const struct api_graph_table *table, uint32_t graph)
{
    return &table->shapes.at[graph];
}

static bool equal_nodes(const struct api_node *a, const struct api_node *b)
{
    if (a->call != b->call || a->off != b->off || a->child != b->child ||
        a->edge_count != b->edge_count || a->body_count != b->body_count)
        return false;
    for (uint32_t i = 0; i < a->body_count; i++)
        if (a->bodies[i] != b->bodies[i])
            return false;
    for (uint32_t i = 0; i < a->edge_count; i++)
        if (a->edges[i].from != b->edges[i].from ||
            a->edges[i].programmatic != b->edges[i].programmatic)
            return false;
    return true;
}

static bool equal_shapes(const struct api_graph *a, const struct api_graph *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = a->count; i-- > 0;)
        if (!equal_nodes(&a->nodes[i], &b->nodes[i]))
            return false;
    return true;
}

static uint32_t number(struct api_graph_table *table, const struct api_graph *shape)
{
    for (uint32_t i = 0; i < table->shapes.len; i++)
        if (equal_shapes(&table->shapes.at[i], shape))
            return i;
    vec_push(table->arena, &table->shapes, *shape);
    return table->shapes.len - 1;
}

/* A copy with room for one node more. */
static struct api_graph copy(struct api_graph_table *table, uint32_t graph)
{
    struct api_graph shape = table->shapes.at[graph];
    size_t bytes = shape.count * sizeof *shape.nodes;
    shape.nodes = arena_grow(table->arena, shape.nodes, bytes, bytes + sizeof *shape.nodes);
    return shape;
}

/* The same with room for one edge more. */
static struct api_node_edge *copy_edges(struct api_graph_table *table, const struct api_node *node)
{
    size_t bytes = node->edge_count * sizeof *node->edges;
    return arena_grow(table->arena, node->edges, bytes, bytes + sizeof *node->edges);
}

uint32_t api_graph_with_node(struct api_graph_table *table, uint32_t graph,
                             const struct api_node *node)
{
    struct api_graph shape = copy(table, graph);
    shape.nodes[shape.count] = *node;
    shape.nodes[shape.count++].edges = copy_edges(table, node);
    return number(table, &shape);
}

uint32_t api_graph_with_edge(struct api_graph_table *table, uint32_t graph, uint32_t to,
                             struct api_node_edge edge)
{
    struct api_graph shape = copy(table, graph);
    struct api_node *node = &shape.nodes[to];
    node->edges = copy_edges(table, node);
    node->edges[node->edge_count++] = edge;
    return number(table, &shape);
}

uint32_t api_graph_without_edge(struct api_graph_table *table, uint32_t graph, uint32_t to,
                                uint32_t from)
{
    struct api_graph shape = copy(table, graph);
    struct api_node *node = &shape.nodes[to];
    uint32_t kept = 0;
    node->edges = copy_edges(table, node);
    for (uint32_t i = 0; i < node->edge_count; i++)
        if (node->edges[i].from != from)
            node->edges[kept++] = node->edges[i];
    node->edge_count = kept;
    return number(table, &shape);
}

uint32_t api_graph_without_node(struct api_graph_table *table, uint32_t graph, uint32_t node,
                                const struct host_call *call)
{
    for (uint32_t i = 0; i < table->shapes.at[graph].count; i++)
        graph = api_graph_without_edge(table, graph, i, node);
    struct api_graph shape = copy(table, graph);
    shape.nodes[node] = (struct api_node){.call = call, .child = NONE};
    return number(table, &shape);
}

uint32_t api_graph_with_bodies(struct api_graph_table *table, uint32_t graph, uint32_t node,
                               const uint32_t *bodies, uint32_t count)
{
    struct api_graph shape = copy(table, graph);
    shape.nodes[node].body_count = count;
    shape.nodes[node].bodies = ARENA_ARRAY(table->arena, uint32_t, count + 1);
    memcpy(shape.nodes[node].bodies, bodies, count * sizeof *bodies);
    return number(table, &shape);
}

/* ---- what nodes do -------------------------------------------------------------------------- */

uint32_t api_graph_with_call(struct api_graph_table *table, uint32_t graph, uint32_t node,
                             const struct host_call *call)
{
    struct api_graph shape = copy(table, graph);
    shape.nodes[node].call = call;
    return number(table, &shape);
}

uint32_t api_graph_with_off(struct api_graph_table *table, uint32_t graph, uint32_t node,
                            const struct host_call *off)
{
    struct api_graph shape = copy(table, graph);
    shape.nodes[node].off = off;
    return number(table, &shape);
}

uint32_t api_graph_updated(struct api_graph_table *table, uint32_t graph, uint32_t from)
{
    for (uint32_t i = 0; i < table->shapes.at[from].count; i++)
        graph = api_graph_with_off(table, graph, i, table->shapes.at[from].nodes[i].off);
    return graph;
}

static bool do_alike(const struct test *test, const struct api_graph_table *table,
                     const struct api_node *a, const struct api_node *b)
{
    bool alike = host_call_replaces(test, a->call, b->call) && a->edge_count == b->edge_count;
    for (uint32_t i = 0; alike && i < a->edge_count; i++)
        alike = a->edges[i].from == b->edges[i].from &&
                a->edges[i].programmatic == b->edges[i].programmatic;
    return alike &&
           (a->child == NONE || api_graphs_have_one_shape(test, table, a->child, b->child));
}

bool api_graph_holds_memory(const struct api_graph_table *table, uint32_t graph)
{
    const struct api_graph *shape = &table->shapes.at[graph];
    for (uint32_t i = 0; i < shape->count; i++) {
        enum host_subject does = shape->nodes[i].call->row->subject;
        if (does == HOST_SUBJECT_ALLOCATION || does == HOST_SUBJECT_RELEASE ||
            (shape->nodes[i].child != NONE && api_graph_holds_memory(table, shape->nodes[i].child)))
            return true;
    }
    return false;
}

bool api_graphs_have_one_shape(const struct test *test, const struct api_graph_table *table,
                               uint32_t a, uint32_t b)
{
    const struct api_graph *x = &table->shapes.at[a], *y = &table->shapes.at[b];
    bool one = x->count == y->count;
    for (uint32_t i = 0; one && i < x->count; i++)
        one = do_alike(test, table, &x->nodes[i], &y->nodes[i]);
    return one;
}

bool api_graph_is_full(struct run *run, uint32_t lane, uint32_t graph)
{
    uint32_t room = 64 * api_of(run)->set_words;
    if (api_graph_at(api_of(run)->graphs, graph)->count < (room < API_NODES ? room : API_NODES))
        return false;
    run_report(run, lane, REPORT_MEMORY_BOUND, "a graph of so many nodes");
    return run->full = true;
}
