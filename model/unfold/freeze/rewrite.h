/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_REWRITE_H
#define MODEL_UNFOLD_FREEZE_REWRITE_H

#include "model/unfold/freeze/addresses.h"

/* Expressions of the builder as those of the graph. */

struct rewrite {
    struct builder *b;
    const struct graph *graph;
    const event_id *number; /* the new number of each event */
    const struct addresses *addresses;
    struct expr_pool *pool; /* the graph's */
    VEC(struct choice) choices;
    expr_id *done;        /* an old expression: the new one + 1; UINT32_MAX: being made */
    expr_id *delayed;     /* an old choice: what it stands for + 1 */
    uint32_t *renumbered; /* an old choice: its new number + 1 */
    unsigned depth;
};
/* Reads become concatenations of their pieces (0 outside of their addresses), delayed choices their
 * values, and choices that nothing names disappear. */
struct rewrite *rewrite_new(struct builder *b, const struct graph *graph, const event_id *number,
                            const struct addresses *addresses);
/* b->failed is set when a delayed choice depends on itself, or expressions are too deep. */
expr_id rewrite_expr(struct rewrite *rewrite, expr_id id);

#endif
