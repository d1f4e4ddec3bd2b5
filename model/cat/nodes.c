/* SPDX-License-Identifier: MIT */
#include "model/cat/nodes.h"

#include <ctype.h>
#include <string.h>

/* Makes nodes, each operation once, and keeps the text that each came from. */

enum { LONGEST_TEXT = 160 };

const char *cat_op_kinds(enum cat_op op)
{
    static const char *const kinds[] = {
#define CAT_OP(name, kinds, notation) kinds,
#include "model/cat/op.def"
    };
    return kinds[op];
}

uint32_t cat_node_kids(const struct cat_node *node, cat_id kids[2])
{
    kids[0] = node->a;
    kids[1] = node->b;
    return (uint32_t)strlen(cat_op_kinds(node->op)) - 1;
}

bool cat_node_depends(const struct cat_nodes *nodes, const struct cat_node *node)
{
    cat_id kids[2];
    bool depends = false;
    for (uint32_t i = cat_node_kids(node, kids); i-- > 0;)
        depends |= nodes->nodes.at[kids[i]].dynamic;
    return depends;
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

static uint64_t hash_of(const struct cat_node *node)
{
    const uint32_t words[] = {(uint32_t)node->op, node->is_set, node->base, node->a, node->b};
    return hash_bytes(words, sizeof words, 0);
}

static bool same(const void *items, uint32_t index, const void *key)
{
    const struct cat_nodes *nodes = items;
    const struct cat_node *a = &nodes->nodes.at[nodes->interned.at[index]], *b = key;
    return a->op == b->op && a->is_set == b->is_set && a->base == b->base && a->a == b->a &&
           a->b == b->b;
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
    uint64_t hash = hash_of(&node);
    uint32_t known = hash_find(&nodes->table, hash, same, nodes, &node);
    if (known != HASH_NONE)
        return nodes->interned.at[known];
    node.dynamic |= cat_node_depends(nodes, &node);
    cat_id id = add(nodes, node, source, span);
    hash_add(nodes->arena, &nodes->table, hash);
    vec_push(nodes->arena, &nodes->interned, id);
    return id;
}

cat_id cat_node_recursive(struct cat_nodes *nodes, bool is_set, const char *name,
                          const struct source *source, struct span span)
{
    struct cat_node node = {.op = CAT_REC, .is_set = is_set, .name = name};
    return add(nodes, node, source, span);
}
