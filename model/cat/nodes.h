/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_NODES_H
#define MODEL_CAT_NODES_H

#include "litmus/base/hash.h"
#include "model/cat/cat.h"

/* The graph of operations under construction: equal operations are one node. */
struct cat_nodes {
    struct arena *arena;
    VEC(struct cat_node) nodes;
    VEC(const struct source *) sources; /* a node: where its span lies */
    VEC(cat_id) interned;               /* those that are found again: all but recursive names */
    struct hash_table table;            /* of 'interned' */
};

enum { CAT_MAX_NODES = 1 << 14 }; /* evaluators keep a matrix a node */

/* The node equal to 'node' in op, kind, base and kids, made when new: then its place is 'span'. */
cat_id cat_node_intern(struct cat_nodes *nodes, struct cat_node node, const struct source *source,
                       struct span span);
/* A recursive name, equal to no other node. */
cat_id cat_node_recursive(struct cat_nodes *nodes, bool is_set, const char *name,
                          const struct source *source, struct span span);
/* As op.def writes them. */
const char *cat_op_kinds(enum cat_op op);
/* Is an operand dynamic? */
bool cat_node_depends(const struct cat_nodes *nodes, const struct cat_node *node);

#endif
