/* SPDX-License-Identifier: MIT */
#include "model/cat/nodes.h"

#include <ctype.h>

enum { LONGEST_TEXT = 160 };

uint32_t cat_op_kids(enum cat_op op)
{
    switch (op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
    case CAT_EMPTY:
    case CAT_REC:
        return 0;
    case CAT_COMPLEMENT:
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPTION:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE:
        return 1;
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
    case CAT_COMPOSE:
    case CAT_PRODUCT:
        return 2;
    }
    return 0;
}

/* The end of the blank or comment at 'at', or 'at'. */
static uint32_t skip_blank(const char *text, uint32_t at, uint32_t end)
{
    uint32_t depth = 0, from;
    do {
        from = at;
        bool opens = end - at > 1 && text[at] == '(' && text[at + 1] == '*';
        bool closes = depth && end - at > 1 && text[at] == '*' && text[at + 1] == ')';
        if (opens || closes) {
            depth += opens ? 1 : -1u;
            at += 2;
        } else if (!depth && end - at > 1 && text[at] == '/' && text[at + 1] == '/') {
            while (at < end && text[at] != '\n')
                at++;
        } else if (at < end && (depth || isspace((unsigned char)text[at]))) {
            at++;
        }
    } while (at != from);
    return at;
}

/* A piece of source on one line, comments left out, long ones cut. */
static const char *quote(struct arena *arena, const struct source *source, struct span span)
{
    char text[LONGEST_TEXT + 8];
    uint32_t length = 0, at = span.offset, end = span.offset + span.length;
    while (at < end && length < LONGEST_TEXT) {
        uint32_t next = skip_blank(source->text, at, end);
        if (next != at && length && next < end)
            text[length++] = ' ';
        if (next < end)
            text[length++] = source->text[next++];
        at = next;
    }
    return arena_printf(arena, "%.*s%s", (int)length, text, at < end ? "…" : "");
}

static uint32_t hash(const struct cat_node *node)
{
    uint32_t words[] = {(uint32_t)node->op, node->is_set, node->base, node->a, node->b};
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        h = (h ^ words[i]) * 16777619u ^ h >> 15;
    return h;
}

static bool same(const struct cat_node *a, const struct cat_node *b)
{
    return a->op == b->op && a->is_set == b->is_set && a->base == b->base && a->a == b->a &&
           a->b == b->b;
}

/* The slot of the table that holds the node or is free for it. */
static uint32_t slot(const struct cat_nodes *nodes, const struct cat_node *node)
{
    uint32_t i = hash(node) & (nodes->table_size - 1);
    while (nodes->table[i] && !same(&nodes->nodes.at[nodes->table[i] - 1], node))
        i = (i + 1) & (nodes->table_size - 1);
    return i;
}

static void grow_table(struct cat_nodes *nodes)
{
    nodes->table_size = nodes->table_size ? 2 * nodes->table_size : 256;
    nodes->table = ARENA_ARRAY(nodes->arena, uint32_t, nodes->table_size);
    for (uint32_t i = 0; i < nodes->nodes.len; i++)
        if (nodes->nodes.at[i].op != CAT_REC)
            nodes->table[slot(nodes, &nodes->nodes.at[i])] = i + 1;
}

static cat_id add(struct cat_nodes *nodes, struct cat_node node, const struct source *source,
                  struct span span)
{
    node.span = span;
    node.text = quote(nodes->arena, source, span);
    node.group = UINT32_MAX;
    vec_push(nodes->arena, &nodes->sources, source);
    vec_push(nodes->arena, &nodes->nodes, node);
    return nodes->nodes.len - 1;
}

cat_id cat_node_intern(struct cat_nodes *nodes, struct cat_node node, const struct source *source,
                       struct span span)
{
    if (2 * nodes->nodes.len >= nodes->table_size)
        grow_table(nodes);
    uint32_t i = slot(nodes, &node);
    if (!nodes->table[i]) {
        if (cat_op_kids(node.op) > 0)
            node.dynamic |= nodes->nodes.at[node.a].dynamic;
        if (cat_op_kids(node.op) > 1)
            node.dynamic |= nodes->nodes.at[node.b].dynamic;
        nodes->table[i] = add(nodes, node, source, span) + 1;
    }
    return nodes->table[i] - 1;
}

cat_id cat_node_recursive(struct cat_nodes *nodes, bool is_set, const char *name,
                          const struct source *source, struct span span)
{
    struct cat_node node = {.op = CAT_REC, .is_set = is_set, .name = name};
    return add(nodes, node, source, span);
}
