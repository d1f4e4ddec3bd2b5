/* SPDX-License-Identifier: MIT */
#ifndef MODEL_THEORY_REASON_H
#define MODEL_THEORY_REASON_H

#include "model/theory/state.h"

/* Reasons for pairs of the execution evaluated last. A member of a set is a pair (a, 0).
 *
 * Every way to derive a pair has a cost, about the number of facts it needs; the reason follows the
 * cheapest. Within a let rec a pair is only ever derived from pairs found in the same or an earlier
 * round of the iteration, so that no reason rests on itself. What is absent from a let rec is
 * explained by all pairs that would have to be there being absent together, which needs no order.
 */

enum { COST_LIMIT = 30000 }; /* costs saturate here */

struct reasons *reasons_new(struct theory *theory);
/* Needs: the pair is there. */
uint32_t reason_cost(struct theory *theory, cat_id node, event_id a, event_id b);
/* Opens a new reason: pairs explained before are explained again. */
void reason_open(struct theory *theory);
/* Adds the facts for one pair, which is there (present) or is not. */
void reason_add(struct theory *theory, cat_id node, event_id a, event_id b, bool present,
                struct fact_sink *sink);

/* The cheapest of the events m with a -> m in 'first' and m -> b in 'second', as 'node' composes
 * them. */
event_id reason_midpoint(struct theory *theory, cat_id node, event_id a, event_id b,
                         uint32_t *cost);
/* The operand of the union 'node' that gives the pair most cheaply. */
cat_id reason_operand(struct theory *theory, cat_id node, event_id a, event_id b, uint32_t *cost);

/* absent.c: reason_add for what is not there. */
void reason_absent(struct theory *theory, cat_id node, event_id a, event_id b,
                   struct fact_sink *sink);

/* round.c: the round in which a pair appeared; 0 outside let rec. */
struct rounds *reason_rounds_new(struct theory *theory);
uint32_t reason_round(struct theory *theory, cat_id node, event_id a, event_id b);
/* The last round whose pairs of 'kid' may serve to derive this pair of 'node': its own when both
 * belong to one group, else UINT32_MAX. */
uint32_t reason_deadline(struct theory *theory, cat_id node, cat_id kid, event_id a, event_id b);

/* path.c: a cheapest path a -> ... -> b of one or more edges of relation 'node' that had
 * appeared by 'deadline', over events of 'within' (NULL: any). Writes its events after a, b
 * included, and returns how many; 0 when there is none. 'path' has room for n events. */
uint32_t reason_path(struct theory *theory, cat_id node, event_id a, event_id b, uint32_t deadline,
                     const uint64_t *within, event_id *path, uint32_t *cost);
/* The cost of such a path from a to each event; UINT32_MAX where there is none. */
void reason_costs_from(struct theory *theory, cat_id node, event_id a, uint32_t deadline,
                       uint32_t *costs);

static inline bool theory_has(const struct rel *value, event_id a, event_id b)
{
    return value->rows < value->n ? set_has(value, a) : rel_has(value, a, b);
}

#endif
