/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/step/barrier.h"

/* The dialect's "bar.cta.sync A, B, C": a phase completes when C threads have arrived, and a thread
 * that comes when the quorum was met without it is not held up: three threads with a quorum of two
 * all pass, whichever two met. (PTX's own counts leave the third one waiting.) Fewer than C come
 * late, else they would be a phase of their own; what met the quorum happened before them. */

/* Both execute, as the same use of one barrier. */
static expr_id same_use(struct builder *b, const struct quorum *x, const struct quorum *y)
{
    const struct barrier_op *p = &b->barriers.at[x->op], *q = &b->barriers.at[y->op];
    if (p->owner != q->owner)
        return expr_false(b->exprs);
    expr_id both = expr_and(b->exprs, barrier_event(b, p)->guard, barrier_event(b, q)->guard);
    expr_id same = expr_and(b->exprs, expr_eq(b->exprs, p->resource, q->resource),
                            expr_eq(b->exprs, p->number, q->number));
    return expr_and(b->exprs, both, same);
}

/* How many operations of this use, q included, are late or are not. */
static expr_id count_uses(struct builder *b, const struct quorum *q, bool late)
{
    struct expr_pool *exprs = b->exprs;
    expr_id sum = expr_const(exprs, 32, 0);
    for (uint32_t i = 0; i < b->quorums.len; i++) {
        const struct quorum *other = &b->quorums.at[i];
        expr_id kind = late ? other->late : expr_not(exprs, other->late);
        expr_id counts = expr_and(exprs, same_use(b, q, other), kind);
        sum = expr_binary(exprs, EXPR_ADD, sum, builder_count(b, counts));
    }
    return sum;
}

static void order_late(struct builder *b, const struct quorum *late)
{
    struct expr_pool *exprs = b->exprs;
    const struct barrier_op *to = &b->barriers.at[late->op];
    const struct event *waiting = barrier_event(b, to);
    for (uint32_t i = 0; i < b->quorums.len; i++) {
        const struct quorum *other = &b->quorums.at[i];
        const struct barrier_op *from = &b->barriers.at[other->op];
        if (barrier_event(b, from)->thread == waiting->thread || !(waiting->tags & TAG(SYNC)))
            continue;
        expr_id guard = expr_and(exprs, same_use(b, late, other),
                                 expr_and(exprs, late->late, expr_not(exprs, other->late)));
        builder_edge(b, FIXED_sync_quorum, from->event, to->event, guard,
                     "the quorum was met before");
    }
}

void freeze_quorums(struct builder *b)
{
    struct expr_pool *exprs = b->exprs;
    for (uint32_t i = 0; i < b->quorums.len; i++) {
        const struct quorum *q = &b->quorums.at[i];
        const struct event *event = barrier_event(b, &b->barriers.at[q->op]);
        expr_id met = count_uses(b, q, false), late = count_uses(b, q, true);
        expr_id short_of = expr_binary(exprs, EXPR_ULT, met, q->count);
        expr_id may_be_late = expr_and(exprs, expr_not(exprs, short_of),
                                       expr_binary(exprs, EXPR_ULT, late, q->count));
        expr_id if_late = expr_and(exprs, event->guard, may_be_late);
        builder_assume(b, ASSUME_PLAIN, expr_implies(exprs, q->late, if_late), event->span,
                       event->thread);
        expr_id through =
            expr_or(exprs, b->barriers.at[q->op].passed, expr_not(exprs, event->guard));
        builder_assume(b, ASSUME_PLAIN, expr_or(exprs, through, short_of), event->span,
                       event->thread);
        order_late(b, q);
    }
}
