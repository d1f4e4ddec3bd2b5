/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_NODES_H
#define MODEL_CAT_NODES_H

#include "model/cat/cat.h"

/* The graph of operations under construction: equal operations are one node. */
struct cat_nodes {
    struct arena *arena;
    VEC(struct cat_node) nodes;
    VEC(const struct source *) sources; /* a node: where its span lies */
    uint32_t *table;                    /* open hash of node ids + 1 */
    uint32_t table_size;
};

enum { CAT_MAX_NODES = 1 << 14 }; /* evaluators keep a matrix a node */

/* The node equal to 'node' in op, kind, base and kids, made when new: then its place is 'span'. */
cat_id cat_node_intern(struct cat_nodes *nodes, struct cat_node node, const struct source *source,
                       struct span span);
/* A recursive name, equal to no other node. */
cat_id cat_node_recursive(struct cat_nodes *nodes, bool is_set, const char *name,
                          const struct source *source, struct span span);
uint32_t cat_op_kids(enum cat_op op); /* 0, 1 or 2; REC: 0, for its body may be itself */

#endif
