/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/converge.h"
#include "model/unfold/freeze/freeze.h"
#include "model/unfold/step/barrier.h"

/* Barriers when all threads are unfolded: which use of a barrier an operation is, how many arrivals
 * a completion takes, what bar.red hands out, and what is undefined (ptx-model.md 6.1 to 6.3). */

/* Of the arrivals that complete what 'op' waits for. */
static event_tags arrivals_of(const struct builder *b, const struct barrier_op *op)
{
    event_tags class = barrier_class(b, op);
    return class == TAG(CLUSTER_BARRIER) ? class | TAG(ARRIVE) : class;
}

/* ---- how often ------------------------------------------------------------------------------ */

/* 1 when 'other' executes on the barrier of 'op'. */
static expr_id uses_same(struct builder *b, const struct barrier_op *op,
                         const struct barrier_op *other)
{
    expr_id same = expr_eq(b->exprs, op->resource, other->resource);
    return builder_count(b, expr_and(b->exprs, barrier_event(b, other)->guard, same));
}

/* How often the thread does operations of 'kind' on the barrier of 'op', before number 'end'. */
static expr_id uses_by(struct builder *b, const struct barrier_op *op, event_tags kind,
                       uint32_t thread, uint32_t end, uint32_t *bound)
{
    expr_id sum = expr_const(b->exprs, 32, 0);
    for (uint32_t i = b->first_barrier[thread]; i < end && i < b->first_barrier[thread + 1]; i++) {
        const struct barrier_op *other = &b->barriers.at[i];
        if (op->owner != other->owner || event_barrier_kind(barrier_event(b, other)) != kind)
            continue;
        expr_id once = uses_same(b, op, other);
        *bound += !expr_is_const(b->exprs, once, NULL) || once != expr_const(b->exprs, 32, 0);
        sum = expr_binary(b->exprs, EXPR_ADD, sum, once);
    }
    return sum;
}

static void number_operations(struct builder *b)
{
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        struct barrier_op *op = &b->barriers.at[i];
        uint32_t thread = barrier_event(b, op)->thread;
        op->number =
            uses_by(b, op, event_barrier_kind(barrier_event(b, op)), thread, i, &op->ordinal_bound);
    }
}

/* ---- how many ------------------------------------------------------------------------------- */

/* The thread has its use of the barrier with the number that 'op' is of its own. */
static expr_id takes_part(struct builder *b, const struct barrier_op *op, uint32_t thread)
{
    uint32_t bound = 0;
    expr_id uses = uses_by(b, op, arrivals_of(b, op), thread, b->barriers.len, &bound);
    return expr_binary(b->exprs, EXPR_ULT, op->number, uses);
}

expr_id barrier_absent(struct builder *b, uint32_t index, uint32_t thread)
{
    const struct barrier_op *op = &b->barriers.at[index];
    const struct event *event = barrier_event(b, op);
    uint32_t bound = 0;
    expr_id before = uses_by(b, op, event_barrier_kind(event), event->thread, index, &bound);
    expr_id ever = uses_by(b, op, arrivals_of(b, op), thread, b->barriers.len, &bound);
    return expr_not(b->exprs, expr_binary(b->exprs, EXPR_ULT, before, ever));
}

/* The operation does not wait for the thread where this holds. */
static void note_departure(struct builder *b, const struct barrier_op *op, uint32_t thread,
                           expr_id absent)
{
    struct departure d = {op->event, thread, absent};
    if (!expr_is_false(b->exprs, absent))
        vec_push(b->arena, &b->departures, d);
}

/* Does the thread have an operation on the barrier of 'op' from that position on, whether it gets there or not? */
static bool has_behind(const struct builder *b, const struct barrier_op *op, uint32_t thread,
                       uint32_t position)
{
    for (uint32_t i = b->first_barrier[thread]; i < b->first_barrier[thread + 1]; i++) {
        const struct barrier_op *other = &b->barriers.at[i];
        if (barrier_event(b, other)->position >= position && barrier_same_owner(b, op, other) &&
            !expr_is_false(b->exprs, expr_eq(b->exprs, op->resource, other->resource)))
            return true;
    }
    return false;
}

/* The thread stays for ever where the barrier is still to come. */
static expr_id stays_before(struct builder *b, const struct barrier_op *op, uint32_t thread)
{
    struct expr_pool *exprs = b->exprs;
    expr_id stays = expr_false(exprs);
    for (uint32_t i = 0; i < b->spins.len; i++) {
        const struct spin *spin = &b->spins.at[i];
        if (spin->thread == thread && has_behind(b, op, thread, spin->position))
            stays = expr_or(exprs, stays, spin->condition);
    }
    for (uint32_t i = b->first_barrier[thread]; i < b->first_barrier[thread + 1]; i++) {
        const struct barrier_op *at = &b->barriers.at[i];
        const struct event *event = barrier_event(b, at);
        if (event->tags & TAG(SYNC) && has_behind(b, op, thread, event->position + 1))
            stays =
                expr_or(exprs, stays, expr_and(exprs, event->guard, expr_not(exprs, at->passed)));
    }
    return stays;
}

/* A thread that does not come to the barrier is waited for nevertheless. Of a column that is one whose text gets there:
 * the executor's rule (model/machine/sync/barrier.c). */
static expr_id keeps_waiting(struct builder *b, const struct barrier_op *op, uint32_t thread)
{
    return op->yields ? stays_before(b, op, thread) : expr_not(b->exprs, b->ended[thread]);
}

/* Exited threads are not waited for, those that exit having used the barrier no more often than
 * this: PTX exit; lane-semantics of barriers after sm_70. */
static expr_id threads_awaited(struct builder *b, const struct barrier_op *op)
{
    struct expr_pool *exprs = b->exprs;
    expr_id sum = expr_const(exprs, 32, 0);
    for (uint32_t t = 0; t < b->device_threads; t++) {
        expr_id member = barrier_member(b, op, t);
        if (expr_is_false(exprs, member))
            continue;
        expr_id comes = takes_part(b, op, t);
        expr_id awaited = expr_or(exprs, comes, keeps_waiting(b, op, t));
        note_departure(b, op, t, expr_and(exprs, member, expr_not(exprs, comes)));
        sum = expr_binary(exprs, EXPR_ADD, sum, builder_count(b, expr_and(exprs, member, awaited)));
    }
    return sum;
}

/* Threads whose barriers can wait for each other: of a CTA, or of a cluster that uses its barrier.
 */
static uint32_t *find_groups(struct builder *b)
{
    uint32_t *groups = ARENA_ARRAY(b->arena, uint32_t, b->device_threads);
    for (uint32_t t = 0; t < b->device_threads; t++)
        groups[t] = b->threads.at[t].cta;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *op = &b->barriers.at[i];
        uint32_t first = groups[barrier_event(b, op)->thread];
        if (barrier_class(b, op) != TAG(CLUSTER_BARRIER))
            continue;
        for (uint32_t t = 0; t < b->device_threads; t++)
            if (b->threads.at[t].cluster == op->owner)
                groups[t] = first;
    }
    return groups;
}

/* For liveness: some thread of the group may go round for ever, and then does not come. */
static bool has_spin(const struct builder *b, const uint32_t *groups, uint32_t group)
{
    for (uint32_t i = 0; b->options->liveness && i < b->spins.len; i++)
        if (b->spins.at[i].thread < b->device_threads && groups[b->spins.at[i].thread] == group)
            return true;
    return false;
}

static bool is_sure(struct builder *b, const uint32_t *groups, const bool *known, uint32_t index)
{
    const struct barrier_op *op = &b->barriers.at[b->whole.at[index].op];
    for (uint32_t i = 0; i < index; i++)
        if (b->barriers.at[b->whole.at[i].op].group == op->group)
            return known[i];
    return !has_spin(b, groups, op->group) &&
           (op->yields || barrier_rehearse(b, groups, op->group) ||
            barrier_converge(b, groups, op->group));
}

/* Without counts: every thread of the CTA, the mask or the cluster. */
static void settle_whole(struct builder *b)
{
    const uint32_t *groups = find_groups(b);
    bool *sure = ARENA_ARRAY(b->arena, bool, b->whole.len);
    for (uint32_t i = 0; i < b->barriers.len; i++)
        b->barriers.at[i].group = groups[barrier_event(b, &b->barriers.at[i])->thread];
    for (uint32_t i = 0; i < b->whole.len; i++)
        sure[i] = is_sure(b, groups, sure, i);
    for (uint32_t i = 0; i < b->whole.len; i++) {
        struct barrier_op *op = &b->barriers.at[b->whole.at[i].op];
        op->passed = sure[i] ? expr_true(b->exprs) : builder_choice(b, "barrier completes", 1);
        b->delayed.at[b->whole.at[i].delayed].value = op->passed;
        op->counted = !sure[i];
    }
    for (uint32_t i = 0; i < b->whole.len; i++) {
        struct barrier_op *op = &b->barriers.at[b->whole.at[i].op];
        if (op->counted)
            op->need = threads_awaited(b, op);
    }
}

/* A warp arrives when all of its threads that have not exited are there. */
static void gather_warps(struct builder *b)
{
    struct expr_pool *exprs = b->exprs;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        struct barrier_op *op = &b->barriers.at[i];
        const struct event *event = barrier_event(b, op);
        const struct thread *threads = b->threads.at;
        if (!op->counted || op->weight < BARRIER_WARP)
            continue;
        for (uint32_t t = 0; t < b->device_threads; t++) {
            if (threads[t].warp != threads[event->thread].warp || t == event->thread)
                continue;
            expr_id comes = takes_part(b, op, t);
            op->gathered = expr_and(exprs, op->gathered, expr_or(exprs, comes, b->ended[t]));
            note_departure(b, op, t, expr_not(exprs, comes));
        }
        builder_assume(b, ASSUME_PLAIN, expr_implies(exprs, op->passed, op->gathered), event->span,
                       event->thread);
    }
}

/* ---- what bar.red hands out ----------------------------------------------------------------- */

expr_id barrier_together(struct builder *b, uint32_t x, uint32_t y)
{
    const struct barrier_op *p = &b->barriers.at[x], *q = &b->barriers.at[y];
    struct expr_pool *exprs = b->exprs;
    if (x == y)
        return barrier_event(b, p)->guard;
    if (!barrier_same_owner(b, p, q) ||
        barrier_event(b, p)->thread == barrier_event(b, q)->thread || p->counted != q->counted)
        return expr_false(exprs);
    if (!p->counted) {
        expr_id as_often = expr_eq(exprs, p->number, q->number);
        return expr_is_false(exprs, as_often)
                   ? as_often
                   : expr_and(exprs, barrier_event(b, q)->guard,
                              expr_and(exprs, expr_eq(exprs, p->resource, q->resource), as_often));
    }
    for (uint32_t i = 0; i < b->companions.len; i++) {
        const struct companions *c = &b->companions.at[i];
        if ((c->a == p->event && c->b == q->event) || (c->a == q->event && c->b == p->event))
            return c->together;
    }
    struct companions c = {p->event, q->event, builder_choice(b, "in one completion", 1)};
    vec_push(b->arena, &b->companions, c);
    return c.together;
}

/* What the operand of another operation adds. */
static expr_id contribution(struct builder *b, const struct reduction *r,
                            const struct reduction *other)
{
    expr_id same = barrier_together(b, r->op, other->op);
    if (r->how == ATOM_POPC)
        return builder_count(b, expr_and(b->exprs, same, other->operand));
    return r->how == ATOM_AND ? expr_implies(b->exprs, same, other->operand)
                              : expr_and(b->exprs, same, other->operand);
}

expr_id barrier_reduced(struct builder *b, const struct reduction *r)
{
    bool popc = r->how == ATOM_POPC;
    enum expr_op op = popc ? EXPR_ADD : r->how == ATOM_AND ? EXPR_AND : EXPR_OR;
    expr_id sum = expr_const(b->exprs, popc ? 32 : 1, r->how == ATOM_AND);
    for (uint32_t i = 0; i < b->reductions.len; i++)
        sum = expr_binary(b->exprs, op, sum, contribution(b, r, &b->reductions.at[i]));
    return sum;
}

/* Some thread reduces twice at counted barriers of this owner: what is handed out to it may come
 * back to others in its next operand, as far as one can see before completions are chosen. */
static bool may_feed_back(const struct builder *b, const struct barrier_op *op)
{
    for (uint32_t i = 0; op->counted && i < b->reductions.len; i++) {
        const struct barrier_op *x = &b->barriers.at[b->reductions.at[i].op];
        for (uint32_t j = 0; j < i; j++) {
            const struct barrier_op *y = &b->barriers.at[b->reductions.at[j].op];
            if (barrier_same_owner(b, op, x) && barrier_same_owner(b, op, y) &&
                barrier_event(b, x)->thread == barrier_event(b, y)->thread)
                return true;
        }
    }
    return false;
}

/* A choice of that value. */
static expr_id guessed(struct builder *b, const struct barrier_op *op, expr_id value)
{
    struct expr_pool *exprs = b->exprs;
    const struct event *event = barrier_event(b, op);
    unsigned width = expr_get(exprs, value)->width, bits = 1;
    while (width > 1 && b->reductions.len >> bits)
        bits++;
    expr_id choice = builder_guess(b, expr_extract(exprs, value, 0, bits), event->guard,
                                   event->span, event->thread);
    return expr_extend(exprs, choice, width, false);
}

static void settle_reductions(struct builder *b)
{
    for (uint32_t i = 0; i < b->reductions.len; i++) {
        const struct reduction *r = &b->reductions.at[i];
        const struct barrier_op *op = &b->barriers.at[r->op];
        expr_id value = barrier_reduced(b, r);
        b->delayed.at[r->delayed].value = may_feed_back(b, op) ? guessed(b, op, value) : value;
    }
}

/* ---- what is undefined ---------------------------------------------------------------------- */

/* What must be alike in one generation (lane-semantics: barrier.red mixes with nothing else). */
static uint32_t reduction_of(const struct builder *b, uint32_t op)
{
    for (uint32_t i = 0; i < b->reductions.len; i++)
        if (b->reductions.at[i].op == op)
            return 1 + b->reductions.at[i].how;
    return 0;
}

static expr_id waits(struct builder *b, const struct barrier_op *op)
{
    return expr_and(b->exprs, barrier_event(b, op)->guard, expr_not(b->exprs, op->passed));
}

static expr_id wait_together(struct builder *b, const struct barrier_op *x,
                             const struct barrier_op *y)
{
    expr_id same = expr_eq(b->exprs, x->resource, y->resource);
    return expr_and(b->exprs, same, expr_and(b->exprs, waits(b, x), waits(b, y)));
}

static bool is_whole(const struct builder *b, uint32_t op)
{
    for (uint32_t i = 0; i < b->whole.len; i++)
        if (b->whole.at[i].op == op)
            return true;
    return false;
}

/* Two counts on one barrier at a time (barrier, 9.7.13.1): both wait, for different ones. */
static expr_id counts_differ(struct builder *b, uint32_t i, uint32_t j)
{
    const struct barrier_op *x = &b->barriers.at[i], *y = &b->barriers.at[j];
    if (!x->counted || !y->counted || (is_whole(b, i) && is_whole(b, j)))
        return expr_false(b->exprs);
    expr_id differ = expr_not(b->exprs, expr_eq(b->exprs, x->need, y->need));
    return expr_and(b->exprs, differ, wait_together(b, x, y));
}

/* barrier.red beside another reduction or another operation, complete or waiting. */
static expr_id kinds_differ(struct builder *b, uint32_t i, uint32_t j)
{
    const struct barrier_op *x = &b->barriers.at[i], *y = &b->barriers.at[j];
    if (reduction_of(b, i) == reduction_of(b, j))
        return expr_false(b->exprs);
    expr_id waiting = x->counted && y->counted ? wait_together(b, x, y) : expr_false(b->exprs);
    return expr_or(b->exprs,
                   expr_and(b->exprs, barrier_event(b, x)->guard, barrier_together(b, i, j)),
                   waiting);
}

static void find_mismatches(struct builder *b)
{
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *x = &b->barriers.at[i];
        expr_id counts = expr_false(b->exprs), kinds = counts;
        if (barrier_class(b, x) != TAG(CTA_BARRIER))
            continue;
        for (uint32_t j = 0; j < b->barriers.len; j++) {
            if (i == j || !barrier_same_owner(b, x, &b->barriers.at[j]))
                continue;
            counts = expr_or(b->exprs, counts, counts_differ(b, i, j));
            kinds = expr_or(b->exprs, kinds, kinds_differ(b, i, j));
        }
        const struct event *event = barrier_event(b, x);
        builder_undefined(b, "barrier-count-mismatch",
                          "waits on a barrier where others gave another count", counts, event->span,
                          event->thread);
        builder_undefined(b, "barrier-red-mixed",
                          "barrier.red meets another barrier operation in one generation", kinds,
                          event->span, event->thread);
    }
}

void freeze_barriers(struct builder *b)
{
    number_operations(b);
    settle_whole(b);
    freeze_departs(b);
    gather_warps(b);
    find_mismatches(b);
    settle_reductions(b);
}
