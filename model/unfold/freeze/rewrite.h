/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_REWRITE_H
#define MODEL_UNFOLD_FREEZE_REWRITE_H

#include "model/unfold/freeze/addresses.h"

/* Expressions of the builder as those of the graph. */

struct rewrite;
/* 'number': the new number of each event; reads become concatenations of their pieces (0 outside of
 * their addresses), delayed choices their values, and choices that nothing names disappear. */
struct rewrite *rewrite_new(struct builder *b, const struct graph *graph, const event_id *number,
                            const struct addresses *addresses);
expr_id rewrite_expr(struct rewrite *rewrite, expr_id id);
struct expr_pool *rewrite_pool(struct rewrite *rewrite);
struct choice *rewrite_choices(struct rewrite *rewrite, uint32_t *count);
/* A delayed choice depends on itself, or expressions are too deep: a diagnostic was added. */
bool rewrite_failed(const struct rewrite *rewrite);

#endif
