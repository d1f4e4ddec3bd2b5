/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/mbarrier.h"

#include <stdlib.h>

#include "model/graph/mbarrier.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* mbarrier.*: the state of an object is taken apart, changed and put together again. */

struct parts {
    expr_id pending, expected, tx; /* 32-bit numbers */
    expr_id phase;                 /* MBARRIER_PHASE_BITS wide */
};

static struct parts unpack(struct expr_pool *exprs, expr_id state)
{
    struct parts p;
    p.pending = expr_extend(exprs, expr_extract(exprs, state, 0, MBARRIER_COUNT_BITS), 32, false);
    p.expected = expr_extend(
        exprs, expr_extract(exprs, state, MBARRIER_COUNT_BITS, MBARRIER_COUNT_BITS), 32, false);
    p.tx =
        expr_extend(exprs, expr_extract(exprs, state, MBARRIER_TX_LOW, MBARRIER_TX_BITS), 32, true);
    p.phase = expr_extract(exprs, state, MBARRIER_PHASE_LOW, MBARRIER_PHASE_BITS);
    return p;
}

static expr_id pack(struct expr_pool *exprs, const struct parts *p)
{
    expr_id low =
        expr_binary(exprs, EXPR_CONCAT, expr_extract(exprs, p->expected, 0, MBARRIER_COUNT_BITS),
                    expr_extract(exprs, p->pending, 0, MBARRIER_COUNT_BITS));
    expr_id high =
        expr_binary(exprs, EXPR_CONCAT, p->phase, expr_extract(exprs, p->tx, 0, MBARRIER_TX_BITS));
    return expr_binary(exprs, EXPR_CONCAT, high, low);
}

static expr_id zero(struct expr_pool *exprs)
{
    return expr_const(exprs, 32, 0);
}

struct mbarrier_change mbarrier_no_change(struct builder *b)
{
    expr_id none = zero(b->exprs);
    return (struct mbarrier_change){none, none, none, none};
}

/* A phase completes when nothing is pending and no byte outstanding; the next one begins at once.
 */
static struct parts change_parts(struct expr_pool *exprs, struct parts p,
                                 const struct mbarrier_change *c, expr_id *completes)
{
    p.pending = expr_binary(exprs, EXPR_ADD, p.pending, c->more);
    p.tx = expr_binary(exprs, EXPR_ADD, p.tx, c->tx);
    p.expected = expr_binary(exprs, EXPR_SUB, p.expected, c->drop);
    p.pending = expr_binary(exprs, EXPR_SUB, p.pending, c->arrivals);
    *completes =
        expr_and(exprs, expr_eq(exprs, p.pending, zero(exprs)), expr_eq(exprs, p.tx, zero(exprs)));
    p.pending = expr_ite(exprs, *completes, p.expected, p.pending);
    expr_id next = expr_binary(exprs, EXPR_ADD, p.phase, expr_const(exprs, MBARRIER_PHASE_BITS, 1));
    p.phase = expr_ite(exprs, *completes, next, p.phase);
    return p;
}

/* What the manual leaves undefined about an operation on an mbarrier object. */
static void check_change(struct unfold_step *s, const struct parts *old,
                         const struct mbarrier_change *c, expr_id completes)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id room = expr_binary(exprs, EXPR_ADD, old->pending, c->more);
    step_undefined(s, "mbarrier-uninitialized", "an operation on an object that is not initialized",
                   expr_eq(exprs, old->expected, zero(exprs)));
    step_undefined(s, "mbarrier-too-many-arrivals", "more arrivals than the phase waits for",
                   expr_binary(exprs, EXPR_ULT, room, c->arrivals));
    if (s->inst->flags & FLAG_NO_COMPLETE)
        step_undefined(s, "mbarrier-no-complete", "an arrival with .noComplete completes the phase",
                       completes);
}

struct unfold_value mbarrier_update(struct unfold_step *s, struct access a,
                                    struct mbarrier_change change)
{
    struct builder *b = s->b;
    event_tags tags = a.tags | TAG(GEN) | TAG(MBARRIER) | TAG(RMW);
    const event_tags semantics = TAG(WEAK) | TAG(RLX) | TAG(ACQ) | TAG(REL);
    a.tags = (tags & ~semantics) | TAG(RLX) | TAG(RED); /* an arrival acquires nothing */
    event_id read = access_add(s, EVENT_READ, &a);
    struct unfold_value old = access_value(s, read);
    struct parts before = unpack(b->exprs, old.expr);
    expr_id completes;
    struct parts after = change_parts(b->exprs, before, &change, &completes);
    check_change(s, &before, &change, completes);
    a.tags = tags;
    a.position++;
    a.value = (struct unfold_value){pack(b->exprs, &after), old.deps};
    access_add_write(s, &a, read);
    return old;
}

/* init and inval write the object like any store; others must be told by a barrier or fence. */
static void initialize(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct access a = access_at(s, &s->inst->operands[0], TAG(WEAK) | TAG(GEN) | TAG(MBARRIER));
    a.position = step_next_position(s->run);
    struct parts p = {zero(b->exprs), zero(b->exprs), zero(b->exprs),
                      expr_const(b->exprs, MBARRIER_PHASE_BITS, 0)};
    if (s->inst->op == OP_MBARRIER_INIT) {
        struct unfold_value count = operand_value(s, &s->inst->operands[1], TYPE_U32);
        p.pending = p.expected = count.expr;
        a.value.deps = count.deps;
        expr_id fits =
            expr_binary(b->exprs, EXPR_ULT,
                        expr_binary(b->exprs, EXPR_SUB, count.expr, expr_const(b->exprs, 32, 1)),
                        expr_const(b->exprs, 32, (1u << MBARRIER_COUNT_BITS) - 1));
        step_undefined(s, "mbarrier-count", "an arrival count outside 1..2^20-1",
                       expr_not(b->exprs, fits));
    }
    a.value.expr = pack(b->exprs, &p);
    access_add(s, EVENT_WRITE, &a);
}

static void operate(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct builder *b = s->b;
    bool arrive = inst->op == OP_MBARRIER_ARRIVE || inst->op == OP_MBARRIER_ARRIVE_DROP;
    uint32_t object = arrive ? 1 : 0;
    struct mbarrier_change change = mbarrier_no_change(b);
    expr_id one = expr_const(b->exprs, 32, 1), number = one;
    if (inst->operand_count > object + 1)
        number = operand_value(s, &inst->operands[object + 1], TYPE_U32).expr;
    if (arrive && (inst->flags & FLAG_EXPECT_TX))
        change.tx = number;
    if (arrive)
        change.arrivals = inst->flags & FLAG_EXPECT_TX ? one : number;
    if (inst->op == OP_MBARRIER_ARRIVE_DROP)
        change.drop = change.arrivals;
    if (inst->op == OP_MBARRIER_EXPECT_TX)
        change.tx = number;
    if (inst->op == OP_MBARRIER_COMPLETE_TX)
        change.tx = expr_binary(b->exprs, EXPR_SUB, zero(b->exprs), number);
    struct access a = access_at(s, &inst->operands[object], access_semantics_tag(inst->sem, false));
    a.position = step_next_position(s->run);
    step_next_position(s->run); /* the write half's */
    struct unfold_value old = mbarrier_update(s, a, change);
    if (arrive)
        operand_write(s, &inst->operands[0], TYPE_B64, old);
}

/* The phase that the last operand names, by token or parity, is over in this state. */
static expr_id phase_over(struct unfold_step *s, const struct operand *which, expr_id state)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id phase = unpack(exprs, state).phase;
    if (s->inst->flags & FLAG_PARITY) {
        expr_id parity = expr_extract(exprs, operand_value(s, which, TYPE_B32).expr, 0, 1);
        return expr_not(exprs, expr_eq(exprs, expr_extract(exprs, phase, 0, 1), parity));
    }
    expr_id token = operand_value(s, which, TYPE_B64).expr;
    return expr_not(exprs, expr_eq(exprs, phase, unpack(exprs, token).phase));
}

static event_id wait_read(struct unfold_step *s, struct access *a, uint32_t semantics, expr_id when)
{
    struct expr_pool *exprs = s->b->exprs;
    a->tags = semantics | TAG(GEN) | TAG(MBARRIER);
    a->guard = expr_and(exprs, s->guard, when);
    event_id read = access_add(s, EVENT_READ, a);
    struct parts p = unpack(exprs, s->b->events.at[read].value);
    step_undefined(s, "mbarrier-uninitialized", "a wait on an object that is not initialized",
                   expr_and(exprs, when, expr_eq(exprs, p.expected, zero(exprs))));
    return read;
}

/* Whether the wait succeeds is a choice: it reads the object with its own semantics when it
 * does, relaxed when it does not. try_wait may fail although the phase is over. */
static void wait_phase(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct expr_pool *exprs = b->exprs;
    const struct operand *which = &s->inst->operands[2];
    expr_id over = builder_choice(b, "wait returns true", 1), pending = expr_not(exprs, over);
    struct access a = access_at(s, &s->inst->operands[1], 0);
    a.position = step_next_position(s->run);
    event_id hit = wait_read(s, &a, access_semantics_tag(s->inst->sem, true), over);
    event_id miss = wait_read(s, &a, TAG(RLX), pending);
    expr_id hit_state = b->events.at[hit].value, miss_state = b->events.at[miss].value;
    expr_id hit_over = phase_over(s, which, hit_state),
            miss_over = phase_over(s, which, miss_state);
    expr_id true_rightly = expr_implies(exprs, b->events.at[hit].guard, hit_over);
    builder_assume(b, ASSUME_PLAIN, true_rightly, s->inst->span, s->run->thread);
    expr_id false_rightly = expr_not(exprs, expr_and(exprs, b->events.at[miss].guard, miss_over));
    if (s->inst->op == OP_MBARRIER_TEST_WAIT)
        builder_assume(b, ASSUME_PLAIN, false_rightly, s->inst->span, s->run->thread);
    struct mbarrier_wait wait = {miss, false_rightly};
    vec_push(b->arena, &b->waits, wait);
    struct unfold_value result = {
        over, deps_union(&b->deps, deps_of(&b->deps, hit), deps_of(&b->deps, miss))};
    operand_write(s, &s->inst->operands[0], TYPE_PRED, result);
}

void step_mbarrier(struct unfold_step *s)
{
    enum op op = s->inst->op;
    if (op == OP_MBARRIER_INIT || op == OP_MBARRIER_INVAL)
        initialize(s);
    else if (op == OP_MBARRIER_TEST_WAIT || op == OP_MBARRIER_TRY_WAIT)
        wait_phase(s);
    else if (op == OP_MBARRIER_ARRIVE || op == OP_MBARRIER_ARRIVE_DROP ||
             op == OP_MBARRIER_EXPECT_TX || op == OP_MBARRIER_COMPLETE_TX)
        operate(s);
    else
        abort(); /* no operation on an mbarrier */
}
