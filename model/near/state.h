/* SPDX-License-Identifier: MIT */
#ifndef MODEL_NEAR_STATE_H
#define MODEL_NEAR_STATE_H

#include "model/near/near.h"

/* What the files of near share: for each node of the model what each pair costs (of a set each event),
 * COST_NEVER when nothing could make it hold. An edge that is there costs 1, so that the shortest of
 * equal ways is taken, and no way leads in a circle. */
enum { COST_EDGE = 1, COST_LACK = 1000, COST_NEVER = 1 << 24 };

struct nearness {
    struct arena *arena;
    const struct theory *theory;
    const struct cat_model *model;
    const struct execution *execution;
    uint32_t n;
    uint32_t **cost; /* a node: n * n of a relation, n of a set */
};

static inline uint32_t cost_of(const struct nearness *near, cat_id node, event_id a, event_id b)
{
    return near->cost[node][near->model->nodes[node].is_set ? a : a * near->n + b];
}
static inline uint32_t cost_sum(uint32_t a, uint32_t b)
{
    return a + b < COST_NEVER ? a + b : COST_NEVER;
}

/* leaf.c: what a pair (of a set an event, given twice) of a base name costs, and what it lacks. */
uint32_t leaf_cost(const struct nearness *near, cat_id node, event_id a, event_id b,
                   enum lack_kind *kind);
/* What it costs that a base set does not hold an event that it holds. */
uint32_t leaf_excess(const struct nearness *near, cat_id node, event_id a, enum lack_kind *kind);
/* Is the base relation program order? */
bool leaf_is_order(const struct nearness *near, cat_id node);

/* cost.c: fills near->cost. */
void cost_evaluate(struct nearness *near);
/* Of a relation: the cheapest paths of one edge or more. */
uint32_t *cost_closed(const struct nearness *near, cat_id relation);

/* derive.c: what makes up the cost of a pair, each lack once, and the edges of program order that are used,
 * those that are missing included. */
struct po_edge {
    event_id a, b;
};
struct lack_list {
    VEC(struct lack) items;
    VEC(struct po_edge) po;
};
void derive_lacks(const struct nearness *near, cat_id node, event_id a, event_id b,
                  struct lack_list *lacks);
/* Is there a place in its thread for each fence that would have to be moved? */
bool derive_fits(const struct nearness *near, const struct lack_list *lacks);

#endif
