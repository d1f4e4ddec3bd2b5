/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/barrier.h"

/* Do the barriers of a kernel complete, whatever its threads read? Then their completions need not
 * be searched for: operations are grouped by how often their thread used the barrier before. They
 * surely do when there is one barrier only, for which every thread comes or exits; and when every
 * thread surely executes its operations, and these, followed in order, let everybody through. */

struct rehearsal {
    struct builder *b;
    const uint32_t *groups;
    uint32_t group; /* whose threads take part */
    uint32_t *next; /* a thread: the operation it comes to, or the end of its operations */
    uint32_t *arrived, *waited; /* a thread: at the barrier of its cluster */
};

expr_id barrier_member(struct builder *b, const struct barrier_op *op, uint32_t thread)
{
    const struct thread *t = &b->threads.at[thread];
    event_tags class = barrier_class(b, op);
    const struct thread *own = &b->threads.at[barrier_event(b, op)->thread];
    bool there = class == TAG(CTA_BARRIER)       ? t->cta == own->cta
                 : class == TAG(CLUSTER_BARRIER) ? t->cluster == own->cluster
                                                 : t->warp == own->warp;
    if (!there)
        return expr_false(b->exprs);
    return class == TAG(WARP_BARRIER) || class == TAG(COLLECTIVE)
               ? expr_extract(b->exprs, op->resource, barrier_lane(b, thread), 1)
               : expr_true(b->exprs);
}

static bool takes_part(const struct rehearsal *r, uint32_t thread)
{
    return r->groups[thread] == r->group;
}

static bool is_of(const struct rehearsal *r, const struct barrier_op *op)
{
    return takes_part(r, barrier_event(r->b, op)->thread);
}

static bool only_barrier(const struct rehearsal *r)
{
    const struct builder *b = r->b;
    const struct barrier_op *first = NULL;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *op = &b->barriers.at[i];
        if (!is_of(r, op))
            continue;
        first = first ? first : op;
        if (op->counted || !barrier_same_owner(b, op, first) || op->resource != first->resource ||
            !expr_is_const(b->exprs, op->resource, NULL))
            return false;
    }
    return true;
}

/* ---- following every thread ----------------------------------------------------------------- */

/* Guards of operations after a barrier say that it was passed. */
static bool passes(void *context, const struct expr *e, uint64_t *value)
{
    const struct builder *b = context;
    for (uint32_t i = 0; e->op == EXPR_CHOICE && i < b->whole.len; i++)
        if (b->delayed.at[b->whole.at[i].delayed].choice == e->a) {
            *value = 1;
            return true;
        }
    return false;
}

/* False when it is not known whether the operation executes, or on which barrier. */
static bool is_known(const struct rehearsal *r, const struct barrier_op *op, bool *executes)
{
    struct builder *b = r->b;
    uint64_t guard;
    if (op->counted || !expr_is_const(b->exprs, op->resource, NULL) ||
        !expr_eval(b->exprs, barrier_event(b, op)->guard, passes, b, &guard))
        return false;
    *executes = guard;
    return true;
}

static const struct barrier_op *head(const struct rehearsal *r, uint32_t thread)
{
    const struct builder *b = r->b;
    return r->next[thread] < b->first_barrier[thread + 1] ? &b->barriers.at[r->next[thread]] : NULL;
}

/* Goes to the next operation that executes. */
static bool advance(struct rehearsal *r, uint32_t thread, uint32_t from)
{
    bool executes = false;
    for (r->next[thread] = from; head(r, thread) && !executes;)
        if (!is_known(r, head(r, thread), &executes))
            return false;
        else if (!executes)
            r->next[thread]++;
    return true;
}

static bool same_barrier(const struct rehearsal *r, const struct barrier_op *x,
                         const struct barrier_op *y)
{
    return barrier_same_owner(r->b, x, y) && x->resource == y->resource;
}

/* Is the thread there, or gone for good? 'waiting' is of another thread. */
static bool has_come(const struct rehearsal *r, const struct barrier_op *op, uint32_t waiting,
                     uint32_t thread)
{
    const struct barrier_op *at = head(r, thread);
    if (!at)
        return true;
    if (barrier_class(r->b, op) == TAG(CLUSTER_BARRIER))
        return r->arrived[thread] > r->waited[waiting];
    return same_barrier(r, op, at);
}

static bool is_complete(const struct rehearsal *r, uint32_t waiting)
{
    const struct barrier_op *op = head(r, waiting);
    for (uint32_t t = 0; t < r->b->device_threads; t++)
        if (expr_is_true(r->b->exprs, barrier_member(r->b, op, t)) && !has_come(r, op, waiting, t))
            return false;
    return true;
}

/* Lets the thread, and who waits with it, through; false when what follows is not known. */
static bool let_through(struct rehearsal *r, uint32_t thread)
{
    const struct barrier_op *op = head(r, thread);
    if (barrier_class(r->b, op) == TAG(CLUSTER_BARRIER)) {
        bool arrives = barrier_event(r->b, op)->tags & TAG(ARRIVE);
        ++*(arrives ? &r->arrived[thread] : &r->waited[thread]);
        return advance(r, thread, r->next[thread] + 1);
    }
    for (uint32_t t = 0; t < r->b->device_threads; t++)
        if ((t == thread || expr_is_true(r->b->exprs, barrier_member(r->b, op, t))) && head(r, t) &&
            same_barrier(r, op, head(r, t)) && !advance(r, t, r->next[t] + 1))
            return false;
    return true;
}

static bool may_go_on(const struct rehearsal *r, uint32_t thread)
{
    const struct barrier_op *op = head(r, thread);
    return op && ((barrier_event(r->b, op)->tags & TAG(ARRIVE)) || is_complete(r, thread));
}

static bool everybody_ends(struct rehearsal *r)
{
    bool moved = true, ended = true;
    for (uint32_t t = 0; t < r->b->device_threads; t++)
        if (takes_part(r, t) && !advance(r, t, r->b->first_barrier[t]))
            return false;
    while (moved) {
        moved = false;
        for (uint32_t t = 0; t < r->b->device_threads; t++) {
            if (!takes_part(r, t) || !may_go_on(r, t))
                continue;
            if (!let_through(r, t))
                return false;
            moved = true;
        }
    }
    for (uint32_t t = 0; t < r->b->device_threads; t++)
        ended &= !takes_part(r, t) || !head(r, t);
    return ended;
}

bool barrier_rehearse(struct builder *b, const uint32_t *groups, uint32_t group)
{
    struct rehearsal r = {b,
                          groups,
                          group,
                          ARENA_ARRAY(b->arena, uint32_t, b->device_threads),
                          ARENA_ARRAY(b->arena, uint32_t, b->device_threads),
                          ARENA_ARRAY(b->arena, uint32_t, b->device_threads)};
    return only_barrier(&r) || everybody_ends(&r);
}
