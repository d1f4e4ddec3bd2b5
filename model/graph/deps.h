/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_DEPS_H
#define MODEL_GRAPH_DEPS_H

#include "model/graph/graph.h"

/* Syntactic dependencies: the reads that a value (or a path) depends on, each with the condition
 * under which it does. They stay when the expression folds to a constant: xor r,r depends on r.
 * Sets are immutable and sorted by event; NULL is the empty set. */
struct dep {
    event_id event;
    expr_id guard;
};

struct deps {
    uint32_t count;
    struct dep items[];
};

struct deps_context {
    struct arena *arena;
    struct expr_pool *exprs;
};

const struct deps *deps_of(struct deps_context *c, event_id event);
const struct deps *deps_union(struct deps_context *c, const struct deps *a, const struct deps *b);
/* Those of 'a' where 'condition' holds, those of 'b' where it does not. */
const struct deps *deps_select(struct deps_context *c, expr_id condition, const struct deps *a,
                               const struct deps *b);

#endif
