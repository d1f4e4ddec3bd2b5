/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/barrier.h"

#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* bar, barrier, bar.warp.sync, barrier.cluster: ptx-model.md 6.1 to 6.3.
 *
 * A kernel's barrier without a count waits for every thread of the CTA (the mask, the cluster) that
 * has not exited. That is uncounted, and never in the way, when it surely completes (rehearsal.c);
 * else it is counted, and needs as many arrivals as there are threads that did not exit before
 * using it as often. Which of the two is known when all threads are unfolded: until then 'passed'
 * and 'need' are delayed. */

uint32_t barrier_lane(const struct builder *b, uint32_t thread)
{
    const struct thread *t = &b->threads.at[thread];
    return t->launch != NONE ? t->linear_tid % BARRIER_WARP : b->test->columns[t->column].lane;
}

static uint32_t add_barrier(struct unfold_step *s, event_tags tags, enum scope scope,
                            struct barrier_op op)
{
    struct builder *b = s->b;
    struct event e = step_event(s, EVENT_BARRIER, tags);
    e.scope = scope;
    e.barrier = b->barriers.len;
    op.event = step_add_event(s, e);
    op.number = expr_const(b->exprs, 32, 0);
    vec_push(b->arena, &b->barriers, op);
    return b->barriers.len - 1;
}

static struct barrier_op uncounted(struct unfold_step *s, uint32_t owner, expr_id resource)
{
    return (struct barrier_op){.owner = owner,
                               .resource = resource,
                               .party = s->run->thread,
                               .weight = 1,
                               .need = expr_const(s->b->exprs, 32, 0),
                               .gathered = expr_true(s->b->exprs),
                               .passed = expr_true(s->b->exprs)};
}

/* Of everybody there is: known in a kernel, while columns may not show every thread. For liveness those that they show
 * count, too: a thread that goes round for ever keeps the others waiting. */
static struct barrier_op whole(struct unfold_step *s, uint32_t owner, expr_id resource)
{
    struct builder *b = s->b;
    struct barrier_op op = uncounted(s, owner, resource);
    uint32_t delayed;
    bool column = b->threads.at[s->run->thread].launch == NONE;
    if (column && !b->options->liveness)
        return op;
    op.yields = column;
    op.passed = builder_delayed(b, 1, &delayed);
    struct whole_barrier whole = {b->barriers.len, delayed};
    vec_push(b->arena, &b->whole, whole);
    return op;
}

/* What follows a waiting operation runs only when it is let through. */
static void wait_for(struct unfold_step *s, expr_id passed)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id through = expr_implies(exprs, s->predicate, passed);
    s->state->guard = expr_and(exprs, s->state->guard, through);
}

/* The dialect's quorum: met, or met already (quorum.c). Returns how many arrivals it takes. */
static expr_id join_quorum(struct builder *b, expr_id count)
{
    expr_id late = builder_choice(b, "arrives after the quorum", 1);
    struct quorum q = {b->barriers.len, late, count};
    vec_push(b->arena, &b->quorums, q);
    return expr_ite(b->exprs, late, expr_const(b->exprs, 32, 1), count);
}

/* ---- bar and barrier.cta -------------------------------------------------------------------- */

/* PTX counts whole warps, so a count that is no multiple of their size is undefined. */
static void check_count(struct unfold_step *s, expr_id count)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id zero = expr_const(exprs, 32, 0), within = expr_const(exprs, 32, BARRIER_WARP - 1);
    expr_id rest = expr_binary(exprs, EXPR_AND, count, within);
    expr_id good =
        expr_and(exprs, expr_eq(exprs, rest, zero), expr_not(exprs, expr_eq(exprs, count, zero)));
    step_undefined(s, "barrier-bad-count", "the thread count is no positive multiple of 32",
                   expr_not(exprs, good));
}

static bool gives_count(const struct inst *inst, const struct operand *number)
{
    return (inst->op == OP_BAR_SYNC || inst->op == OP_BAR_ARRIVE) && inst->operand_count > 1 &&
           !(inst->flags & FLAG_COUNT_THREADS) && inst->operands[1].kind == OPERAND_IMM &&
           inst->operands[0].kind == OPERAND_IMM && inst->operands[0].value == number->value;
}

/* The count that another column of the CTA gives for this barrier. An operation without a count
 * waits for the whole CTA, which columns may not show: as two counts on one barrier are undefined,
 * the CTA has that many threads. NULL when nobody gives one. */
static const struct operand *count_elsewhere(const struct builder *b, uint32_t cta,
                                             const struct operand *number)
{
    for (uint32_t i = 0; number->kind == OPERAND_IMM && i < b->device_threads; i++) {
        const struct thread *t = &b->threads.at[i];
        if (t->cta != cta || t->launch != NONE)
            continue;
        const struct body *body = &b->test->bodies[b->test->columns[t->column].body];
        for (uint32_t k = 0; k < body->inst_count; k++)
            if (gives_count(&body->insts[k], number))
                return &body->insts[k].operands[1];
    }
    return NULL;
}

static struct barrier_op cta_operation(struct unfold_step *s, const struct operand *number,
                                       const struct operand *count)
{
    struct builder *b = s->b;
    const struct thread *t = &b->threads.at[s->run->thread];
    expr_id resource = operand_value(s, number, TYPE_U32).expr;
    if (!count && t->launch == NONE)
        count = count_elsewhere(b, t->cta, number);
    if (!count)
        return whole(s, t->cta, resource);
    struct barrier_op op = uncounted(s, t->cta, resource);
    op.counted = true;
    op.need = operand_value(s, count, TYPE_U32).expr;
    op.passed = builder_choice(b, "barrier completes", 1);
    if (s->inst->flags & FLAG_COUNT_THREADS) {
        op.need = join_quorum(b, op.need);
        return op;
    }
    op.weight = BARRIER_WARP;
    op.party = b->device_threads + t->warp;
    check_count(s, op.need);
    return op;
}

static void reduce(struct unfold_step *s, uint32_t op, const struct operand *operand)
{
    struct builder *b = s->b;
    bool popc = s->inst->atom_op == ATOM_POPC;
    struct reduction r = {.op = op, .how = s->inst->atom_op};
    struct unfold_value p = operand_value(s, operand, TYPE_PRED);
    r.operand = p.expr;
    p.expr = builder_delayed(b, popc ? 32 : 1, &r.delayed);
    vec_push(b->arena, &b->reductions, r);
    operand_write(s, &s->inst->operands[0], popc ? TYPE_U32 : TYPE_PRED, p);
}

void step_cta_barrier(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    bool red = inst->op == OP_BAR_RED, arrive = inst->op == OP_BAR_ARRIVE;
    uint32_t first = red ? 1 : 0, count = red ? 3 : 1;
    struct barrier_op op = cta_operation(
        s, &inst->operands[first], inst->operand_count > count ? &inst->operands[count] : NULL);
    event_tags tags = TAG(CTA_BARRIER) | (arrive ? TAG(ARRIVE) : TAG(SYNC));
    uint32_t index = add_barrier(s, tags, SCOPE_CTA, op);
    if (red)
        reduce(s, index, &inst->operands[2]);
    if (!arrive)
        wait_for(s, op.passed);
}

/* ---- bar.warp.sync -------------------------------------------------------------------------- */

/* Waits for the lanes that the mask names; gives the number of the operation. */
static uint32_t meet(struct unfold_step *s, event_tags class, uint32_t owner, expr_id mask)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id own = expr_extract(exprs, mask, barrier_lane(s->b, s->run->thread) % BARRIER_WARP, 1);
    step_undefined(s, "bad-member-mask", "the member mask leaves out the thread that executes it",
                   expr_not(exprs, own));
    struct barrier_op op = whole(s, owner, mask);
    uint32_t index = add_barrier(s, class | TAG(SYNC), SCOPE_CTA, op);
    wait_for(s, op.passed);
    return index;
}

void step_warp_barrier(struct unfold_step *s)
{
    const struct thread *t = &s->b->threads.at[s->run->thread];
    meet(s, TAG(WARP_BARRIER), t->warp, operand_value(s, &s->inst->operands[0], TYPE_B32).expr);
}

uint32_t barrier_collective(struct unfold_step *s, uint32_t owner, expr_id mask)
{
    return meet(s, TAG(COLLECTIVE), owner, mask);
}

/* ---- barrier.cluster ------------------------------------------------------------------------ */

void step_cluster_barrier(struct unfold_step *s)
{
    struct expr_pool *exprs = s->b->exprs;
    bool arrive = s->inst->op == OP_CLUSTER_ARRIVE;
    const struct thread *t = &s->b->threads.at[s->run->thread];
    event_tags tags = TAG(CLUSTER_BARRIER) | (arrive ? TAG(ARRIVE) : TAG(SYNC));
    if (arrive && s->inst->sem == SEM_RELAXED)
        tags |= TAG(RLX);
    if (arrive)
        step_undefined(s, "cluster-barrier-double-arrive",
                       "a second arrival without a wait between", s->state->cluster_arrived);
    else
        step_undefined(s, "cluster-barrier-wait-without-arrive",
                       "a wait without an arrival before it",
                       expr_not(exprs, s->state->cluster_arrived));
    struct barrier_op op = whole(s, t->cluster, expr_const(exprs, 32, 0));
    op.weight = arrive;
    add_barrier(s, tags, SCOPE_CLUSTER, op);
    if (!arrive)
        wait_for(s, op.passed);
    s->state->cluster_arrived =
        expr_ite(exprs, s->predicate, arrive ? expr_true(exprs) : expr_false(exprs),
                 s->state->cluster_arrived);
}
