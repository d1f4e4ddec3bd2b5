/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_ADDRESSES_H
#define MODEL_UNFOLD_FREEZE_ADDRESSES_H

#include "model/graph/values.h"
#include "model/unfold/builder/builder.h"

/* Where accesses can fall. */

struct addresses {
    uint64_t *at; /* ascending */
    uint32_t count;
    expr_id inside; /* width 1: the address is one of these */
};
/* An event of the builder: its addresses. From then on it executes only inside of them; what happens
 * elsewhere is among b->undefined. After an error, and where memory escapes that is in registers
 * (step/private.h), b->failed is set. */
struct addresses *addresses_find(struct builder *b, const struct graph *graph);
/* values_of, of values that are found when they are asked for first. */
const uint64_t *addresses_values(struct builder *b, const struct graph *graph, expr_id expr,
                                 uint32_t *count);

#endif
