/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_BARRIER_H
#define MODEL_UNFOLD_STEP_BARRIER_H

#include "model/unfold/builder/step.h"

/* What the files about barriers share: barrier.c gives instructions their operations, completions.c
 * numbers them when all threads are unfolded, rehearsal.c finds those that need no counting. */

enum { BARRIER_WARP = 32 };

static inline const struct event *barrier_event(const struct builder *b,
                                                const struct barrier_op *op)
{
    return &b->events.at[op->event];
}
static inline event_tags barrier_class(const struct builder *b, const struct barrier_op *op)
{
    return event_barrier_class(barrier_event(b, op));
}
static inline bool barrier_same_owner(const struct builder *b, const struct barrier_op *x,
                                      const struct barrier_op *y)
{
    return x->owner == y->owner && barrier_class(b, x) == barrier_class(b, y);
}
/* The thread's lane in its warp. */
uint32_t barrier_lane(const struct builder *b, uint32_t thread);
/* Adds the operation of a warp collective, which waits for the lanes of the mask and orders nothing: its number.
 * 'owner': of those that meet each other. */
uint32_t barrier_collective(struct unfold_step *s, uint32_t owner, expr_id mask);
/* Width 1: are the operations, by their numbers, in one completion? Where arrivals are counted that is a
 * choice. Of one and the same: does it execute? */
expr_id barrier_together(struct builder *b, uint32_t x, uint32_t y);
/* Width 1: the barrier waits for the thread unless it exits. */
expr_id barrier_member(struct builder *b, const struct barrier_op *op, uint32_t thread);
/* Do the operations of the group complete in every execution in which every thread ends? 'groups':
 * the group (graph.h) of each thread. Needs operations without 'passed' in b->whole. */
bool barrier_rehearse(struct builder *b, const uint32_t *groups, uint32_t group);

/* bar.red: what barrier 'op' hands out is made of the operands of its completion. */
struct reduction {
    uint32_t op, delayed;
    expr_id operand; /* width 1 */
    enum atom_op how;
};

/* A barrier operation of the dialect, with a quorum: see quorum.c. */
struct quorum {
    uint32_t op;
    expr_id late, count; /* late: arrives when the quorum was met without it */
};

/* A barrier operation of a kernel that waits for everybody: its 'passed' is settled at the end. */
struct whole_barrier {
    uint32_t op, delayed;
};

#endif
