/* SPDX-License-Identifier: MIT */
#include "model/machine/api/state.h"

/* Graphs as values that never change: adding to one gives another. Equal ones have one number, so
 * that the state block holds numbers only, and equal states are equal bytes. */

struct graph_table {
    struct arena *arena;
    VEC(struct graph_shape) shapes;
};

struct graph_table *graph_table_new(struct arena *arena)
{
    struct graph_table *table = ARENA_NEW(arena, struct graph_table);
    const struct graph_shape empty = {NULL, 0};
    table->arena = arena;
    vec_push(arena, &table->shapes, empty);
    return table;
}

const struct graph_shape *graph_at(const struct graph_table *table, uint32_t graph)
{
    return &table->shapes.at[graph];
}

static bool equal_nodes(const struct graph_node *a, const struct graph_node *b)
{
    if (a->call != b->call || a->child != b->child || a->edge_count != b->edge_count)
        return false;
    for (uint32_t i = 0; i < a->edge_count; i++)
        if (a->edges[i].from != b->edges[i].from ||
            a->edges[i].programmatic != b->edges[i].programmatic)
            return false;
    return true;
}

static bool equal_shapes(const struct graph_shape *a, const struct graph_shape *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = a->count; i-- > 0;)
        if (!equal_nodes(&a->nodes[i], &b->nodes[i]))
            return false;
    return true;
}

static uint32_t number(struct graph_table *table, const struct graph_shape *shape)
{
    for (uint32_t i = 0; i < table->shapes.len; i++)
        if (equal_shapes(&table->shapes.at[i], shape))
            return i;
    vec_push(table->arena, &table->shapes, *shape);
    return table->shapes.len - 1;
}

static struct graph_shape copy(struct graph_table *table, uint32_t graph)
{
    const struct graph_shape *from = graph_at(table, graph);
    struct graph_shape shape = {ARENA_ARRAY(table->arena, struct graph_node, from->count + 1),
                                from->count};
    for (uint32_t i = 0; i < from->count; i++)
        shape.nodes[i] = from->nodes[i];
    return shape;
}

static struct node_edge *copy_edges(struct graph_table *table, const struct graph_node *node)
{
    struct node_edge *edges = ARENA_ARRAY(table->arena, struct node_edge, node->edge_count + 1);
    for (uint32_t i = 0; i < node->edge_count; i++)
        edges[i] = node->edges[i];
    return edges;
}

uint32_t graph_with_node(struct graph_table *table, uint32_t graph, const struct graph_node *node)
{
    struct graph_shape shape = copy(table, graph);
    shape.nodes[shape.count] = *node;
    shape.nodes[shape.count++].edges = copy_edges(table, node);
    return number(table, &shape);
}

uint32_t graph_with_edge(struct graph_table *table, uint32_t graph, uint32_t to,
                         struct node_edge edge)
{
    struct graph_shape shape = copy(table, graph);
    struct graph_node *node = &shape.nodes[to];
    node->edges = copy_edges(table, node);
    node->edges[node->edge_count++] = edge;
    return number(table, &shape);
}
