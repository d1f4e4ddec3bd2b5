/* SPDX-License-Identifier: MIT */
#include "model/builder.h"

/* bar, barrier, bar.warp.sync, barrier.cluster: ptx-model.md 6.1 to 6.3.
 *
 * A kernel's barrier without a count waits for every thread of the CTA that has not exited. That is
 * uncounted, and never in the way, when the CTA uses no other barrier; else it is counted, and
 * needs as many arrivals as there are threads that did not exit before using it as often. Which of
 * the two is known when all threads are unfolded: until then 'passed' and 'need' are delayed. */

enum { WARP = 32 };

static uint32_t lane_of(const struct builder *b, uint32_t thread)
{
    const struct thread *t = &b->threads.at[thread];
    if (t->launch != NONE)
        return t->linear_tid % WARP;
    if (b->test->columns[t->column].lane != NONE)
        return b->test->columns[t->column].lane;
    uint32_t lane = 0;
    for (uint32_t i = 0; i < thread; i++)
        lane += b->threads.at[i].warp == t->warp;
    return lane;
}

/* Arrivals a thread stands for: PTX counts whole warps, so the last thread of a warp brings those
 * that are not there. */
static uint32_t weight_of(const struct step *s)
{
    const struct builder *b = s->b;
    uint32_t warp = b->threads.at[s->run->thread].warp, members = 0, later = 0;
    if (s->inst->flags & FLAG_COUNT_THREADS)
        return 1;
    for (uint32_t i = 0; i < b->device_threads; i++) {
        members += b->threads.at[i].warp == warp;
        later += b->threads.at[i].warp == warp && i > s->run->thread;
    }
    return later || members > WARP ? 1 : WARP - (members - 1);
}

static uint32_t add_barrier(struct step *s, uint32_t tags, enum scope scope, struct barrier_op op)
{
    struct builder *b = s->b;
    struct event e = {.kind = EVENT_BARRIER,
                      .tags = tags,
                      .thread = NONE,
                      .position = next_position(s->run),
                      .guard = s->guard,
                      .scope = scope,
                      .rmw = NONE,
                      .barrier = b->barriers.len};
    e.address = e.value = expr_const(b->exprs, 64, 0);
    op.event = add_event(s, e);
    op.number = expr_const(b->exprs, 32, 0);
    vec_push(b->arena, &b->barriers, op);
    return b->barriers.len - 1;
}

static struct barrier_op uncounted(struct step *s, uint32_t owner, expr_id resource)
{
    return (struct barrier_op){.owner = owner,
                               .resource = resource,
                               .weight = 1,
                               .need = expr_const(s->b->exprs, 32, 0),
                               .passed = expr_true(s->b->exprs)};
}

/* What follows a waiting operation runs only when it is let through. */
static void wait_for(struct step *s, expr_id passed)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id through = expr_or(exprs, expr_not(exprs, s->predicate), passed);
    s->state->guard = expr_and(exprs, s->state->guard, through);
}

/* The dialect's quorum: met, or met already (quorum.c). Returns how many arrivals it takes. */
static expr_id join_quorum(struct builder *b, expr_id count)
{
    expr_id late = new_choice(b, "arrives after the quorum", 1);
    struct quorum q = {b->barriers.len, late, count};
    vec_push(b->arena, &b->quorums, q);
    return expr_ite(b->exprs, late, expr_const(b->exprs, 32, 1), count);
}

/* ---- bar and barrier.cta -------------------------------------------------------------------- */

static struct barrier_op cta_operation(struct step *s, const struct operand *number,
                                       const struct operand *count)
{
    struct builder *b = s->b;
    const struct thread *t = &b->threads.at[s->run->thread];
    struct barrier_op op = uncounted(s, t->cta, operand_value(s, number, TYPE_U32).expr);
    if (count) {
        op.counted = true;
        op.need = operand_value(s, count, TYPE_U32).expr;
        op.weight = weight_of(s);
        op.passed = new_choice(b, "barrier completes", 1);
        if (s->inst->flags & FLAG_COUNT_THREADS)
            op.need = join_quorum(b, op.need);
    } else if (t->launch != NONE) {
        uint32_t delayed;
        op.passed = new_delayed(b, 1, &delayed);
        struct whole_cta whole = {b->barriers.len, delayed};
        vec_push(b->arena, &b->whole_ctas, whole);
    }
    return op;
}

static void reduce(struct step *s, uint32_t op, const struct operand *operand)
{
    struct builder *b = s->b;
    bool popc = s->inst->atom_op == ATOM_POPC;
    struct reduction r = {.op = op, .how = s->inst->atom_op};
    struct value p = operand_value(s, operand, TYPE_PRED);
    r.operand = p.expr;
    p.expr = new_delayed(b, popc ? 32 : 1, &r.delayed);
    vec_push(b->arena, &b->reductions, r);
    write_operand(s, &s->inst->operands[0], popc ? TYPE_U32 : TYPE_PRED, p);
}

static void cta_barrier(struct step *s)
{
    const struct inst *inst = s->inst;
    bool red = inst->op == OP_BAR_RED, arrive = inst->op == OP_BAR_ARRIVE;
    uint32_t first = red ? 1 : 0, count = red ? 3 : 1;
    if (red && inst->operand_count > 3) {
        refuse(s, DIAG_unfold_unsupported,
               "'barrier.red' with a thread count has no value in the axioms");
        return;
    }
    struct barrier_op op = cta_operation(
        s, &inst->operands[first], inst->operand_count > count ? &inst->operands[count] : NULL);
    uint32_t tags = TAG_CTA_BARRIER | (arrive ? TAG_ARRIVE : TAG_SYNC);
    uint32_t index = add_barrier(s, tags, SCOPE_CTA, op);
    if (red)
        reduce(s, index, &inst->operands[2]);
    if (!arrive)
        wait_for(s, op.passed);
}

/* ---- bar.warp.sync -------------------------------------------------------------------------- */

static void warp_barrier(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct thread *t = &s->b->threads.at[s->run->thread];
    expr_id mask = operand_value(s, &s->inst->operands[0], TYPE_B32).expr;
    expr_id own = expr_extract(exprs, mask, lane_of(s->b, s->run->thread) % WARP, 1);
    add_undefined(s, "bad-member-mask", "the member mask leaves out the thread that executes it",
                  expr_not(exprs, own));
    add_barrier(s, TAG_WARP_BARRIER | TAG_SYNC, SCOPE_CTA, uncounted(s, t->warp, mask));
}

/* ---- barrier.cluster ------------------------------------------------------------------------ */

static void cluster_barrier(struct step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    bool arrive = s->inst->op == OP_CLUSTER_ARRIVE;
    const struct thread *t = &s->b->threads.at[s->run->thread];
    uint32_t tags = TAG_CLUSTER_BARRIER | (arrive ? TAG_ARRIVE : TAG_SYNC);
    if (arrive && s->inst->sem == SEM_RELAXED)
        tags |= TAG_RLX;
    if (arrive)
        add_undefined(s, "cluster-barrier-double-arrive", "a second arrival without a wait between",
                      s->state->cluster_arrived);
    else
        add_undefined(s, "cluster-barrier-wait-without-arrive",
                      "a wait without an arrival before it",
                      expr_not(exprs, s->state->cluster_arrived));
    add_barrier(s, tags, SCOPE_CLUSTER, uncounted(s, t->cluster, expr_const(exprs, 32, 0)));
    s->state->cluster_arrived =
        expr_ite(exprs, s->predicate, arrive ? expr_true(exprs) : expr_false(exprs),
                 s->state->cluster_arrived);
}

void step_barrier(struct step *s)
{
    switch (s->inst->op) {
    case OP_BAR_WARP_SYNC:
        warp_barrier(s);
        return;
    case OP_CLUSTER_ARRIVE:
    case OP_CLUSTER_WAIT:
        cluster_barrier(s);
        return;
    default:
        cta_barrier(s);
        return;
    }
}

/* ---- when all threads are unfolded ---------------------------------------------------------- */

static const struct event *event_of(const struct builder *b, const struct barrier_op *op)
{
    return &b->events.at[op->event];
}

/* Kinds of operations that are numbered together. */
static uint32_t kind_of(const struct builder *b, const struct barrier_op *op)
{
    uint32_t classes = TAG_CTA_BARRIER | TAG_WARP_BARRIER | TAG_CLUSTER_BARRIER;
    uint32_t tags = event_of(b, op)->tags;
    return tags & (tags & TAG_CLUSTER_BARRIER ? classes | TAG_ARRIVE : classes);
}

static bool numbered_together(const struct builder *b, const struct barrier_op *x,
                              const struct barrier_op *y)
{
    return x->owner == y->owner && kind_of(b, x) == kind_of(b, y);
}

/* 1 when 'other' executes on the barrier of 'op'. */
static expr_id uses_same(struct builder *b, const struct barrier_op *op,
                         const struct barrier_op *other)
{
    expr_id same = expr_eq(b->exprs, op->resource, other->resource);
    return as_count(b, expr_and(b->exprs, event_of(b, other)->guard, same));
}

/* How often the thread uses the barrier of 'op', counting operations before number 'end'. */
static expr_id uses_by(struct builder *b, const struct barrier_op *op, uint32_t thread,
                       uint32_t end, uint32_t *bound)
{
    expr_id sum = expr_const(b->exprs, 32, 0);
    for (uint32_t i = b->first_barrier[thread]; i < end && i < b->first_barrier[thread + 1]; i++) {
        const struct barrier_op *other = &b->barriers.at[i];
        if (!numbered_together(b, op, other))
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
        op->number = uses_by(b, op, event_of(b, op)->thread, i, &op->ordinal_bound);
    }
}

/* The CTA uses one barrier, without counts. */
static bool only_barrier(const struct builder *b, const struct barrier_op *op)
{
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *other = &b->barriers.at[i];
        bool cta = event_of(b, other)->tags & TAG_CTA_BARRIER;
        if (cta && other->owner == op->owner && (other->counted || other->resource != op->resource))
            return false;
    }
    return expr_is_const(b->exprs, op->resource, NULL);
}

/* Threads of the CTA but for those that exit having used the barrier no more often than this. */
static expr_id threads_awaited(struct builder *b, const struct barrier_op *op)
{
    expr_id sum = expr_const(b->exprs, 32, 0);
    uint32_t bound = 0;
    for (uint32_t t = 0; t < b->device_threads; t++) {
        if (b->threads.at[t].cta != op->owner)
            continue;
        expr_id uses = uses_by(b, op, t, b->barriers.len, &bound);
        expr_id takes_part = expr_binary(b->exprs, EXPR_ULT, op->number, uses);
        expr_id awaited = expr_or(b->exprs, takes_part, expr_not(b->exprs, b->ended[t]));
        sum = expr_binary(b->exprs, EXPR_ADD, sum, as_count(b, awaited));
    }
    return sum;
}

static void settle_whole_ctas(struct builder *b)
{
    bool *alone = ARENA_ARRAY(b->arena, bool, b->whole_ctas.len);
    for (uint32_t i = 0; i < b->whole_ctas.len; i++)
        alone[i] = only_barrier(b, &b->barriers.at[b->whole_ctas.at[i].op]);
    for (uint32_t i = 0; i < b->whole_ctas.len; i++) {
        struct barrier_op *op = &b->barriers.at[b->whole_ctas.at[i].op];
        expr_id passed = alone[i] ? expr_true(b->exprs) : new_choice(b, "barrier completes", 1);
        b->delayed.at[b->whole_ctas.at[i].delayed].value = passed;
        op->passed = passed;
        if (!alone[i]) {
            op->counted = true;
            op->need = threads_awaited(b, op);
        }
    }
}

/* The operand of another operation, where that belongs to the same completion. */
static expr_id contribution(struct builder *b, const struct reduction *r,
                            const struct reduction *other)
{
    const struct barrier_op *x = &b->barriers.at[r->op], *y = &b->barriers.at[other->op];
    expr_id same = expr_and(b->exprs, event_of(b, y)->guard,
                            expr_and(b->exprs, expr_eq(b->exprs, x->resource, y->resource),
                                     expr_eq(b->exprs, x->number, y->number)));
    if (r->how == ATOM_POPC)
        return as_count(b, expr_and(b->exprs, same, other->operand));
    return r->how == ATOM_AND ? expr_or(b->exprs, expr_not(b->exprs, same), other->operand)
                              : expr_and(b->exprs, same, other->operand);
}

static void settle_reductions(struct builder *b)
{
    for (uint32_t i = 0; i < b->reductions.len; i++) {
        const struct reduction *r = &b->reductions.at[i];
        bool popc = r->how == ATOM_POPC;
        expr_id sum = expr_const(b->exprs, popc ? 32 : 1, r->how == ATOM_AND);
        for (uint32_t j = 0; j < b->reductions.len; j++) {
            const struct reduction *other = &b->reductions.at[j];
            if (!numbered_together(b, &b->barriers.at[r->op], &b->barriers.at[other->op]))
                continue;
            enum expr_op op = popc ? EXPR_ADD : r->how == ATOM_AND ? EXPR_AND : EXPR_OR;
            sum = expr_binary(b->exprs, op, sum, contribution(b, r, other));
        }
        b->delayed.at[r->delayed].value = sum;
    }
}

/* Two counts on one barrier at a time are undefined (barrier, 9.7.13.1): both wait, for different
 * ones. */
static void find_mismatches(struct builder *b)
{
    struct expr_pool *exprs = b->exprs;
    for (uint32_t i = 0; i < b->barriers.len; i++) {
        const struct barrier_op *x = &b->barriers.at[i];
        const struct event *event = event_of(b, x);
        expr_id mismatch = expr_false(exprs);
        for (uint32_t j = 0; j < b->barriers.len; j++) {
            const struct barrier_op *y = &b->barriers.at[j];
            if (!x->counted || !y->counted || i == j || !numbered_together(b, x, y))
                continue;
            expr_id differ = expr_not(exprs, expr_eq(exprs, x->need, y->need));
            expr_id waits = expr_and(exprs, event_of(b, y)->guard, expr_not(exprs, y->passed));
            expr_id same = expr_eq(exprs, x->resource, y->resource);
            mismatch =
                expr_or(exprs, mismatch, expr_and(exprs, differ, expr_and(exprs, waits, same)));
        }
        expr_id waits = expr_and(exprs, event->guard, expr_not(exprs, x->passed));
        struct undefined u = {"barrier-count-mismatch",
                              "waits on a barrier where others gave another count",
                              expr_and(exprs, waits, mismatch), event->span, event->thread};
        if (!expr_is_false(exprs, u.condition))
            vec_push(b->arena, &b->undefined, u);
    }
}

void finish_barriers(struct builder *b)
{
    number_operations(b);
    find_mismatches(b);
    settle_whole_ctas(b);
    settle_reductions(b);
}
