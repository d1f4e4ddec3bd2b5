/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/collective.h"

#include "model/unfold/step/barrier.h"
#include "model/unfold/step/groups.h"
#include "model/unfold/step/operand.h"

/* shfl, vote, match, redux, elect and activemask of one thread: lane-semantics 3 and 4. */

/* Lanes meet at instructions of one operation, type and way to combine. */
static bool same_kind(const struct inst *x, const struct inst *y)
{
    return x->op == y->op && x->type == y->type && x->atom_op == y->atom_op;
}

/* A number for those of the warp that meet each other. */
static uint32_t owner_of(const struct unfold_step *s)
{
    const struct builder *b = s->b;
    uint32_t warp = b->threads.at[s->run->thread].warp;
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *e = &b->exchanges.at[i];
        if (e->op != NONE && b->threads.at[e->thread].warp == warp && same_kind(e->inst, s->inst))
            return b->barriers.at[e->op].owner;
    }
    return b->exchanges.len;
}

static const struct operand *last_operand(const struct unfold_step *s)
{
    return &s->inst->operands[s->inst->operand_count - 1];
}

/* A constant of 32 bits, and operations on them. */
static expr_id word(struct unfold_step *s, uint32_t value)
{
    return expr_const(s->b->exprs, 32, value);
}

static expr_id two(struct unfold_step *s, enum expr_op op, expr_id a, expr_id b)
{
    return expr_binary(s->b->exprs, op, a, b);
}

/* ---- shfl ----------------------------------------------------------------------------------- */

/* The segments of a width that is a power of two: leading ones. */
static void check_width(struct unfold_step *s, expr_id segment)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id low = two(s, EXPR_XOR, segment, word(s, 31));
    expr_id both = two(s, EXPR_AND, low, two(s, EXPR_ADD, low, word(s, 1)));
    step_undefined(s, "shfl-bad-width", "the segment mask is no width that is a power of two",
                   expr_not(exprs, expr_eq(exprs, both, word(s, 0))));
}

/* The lane read from (section 4.2), and whether it is in range: else it is the lane itself. */
static expr_id source_lane(struct unfold_step *s, expr_id b, expr_id c, uint32_t lane,
                           expr_id *in_range)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id self = word(s, lane), all = word(s, 31), offset = two(s, EXPR_AND, b, all);
    expr_id segment = two(s, EXPR_AND, two(s, EXPR_LSHR, c, word(s, 8)), all);
    expr_id rest = two(s, EXPR_XOR, segment, all), least = two(s, EXPR_AND, self, segment);
    expr_id clamp = two(s, EXPR_AND, two(s, EXPR_AND, c, all), rest);
    expr_id most = two(s, EXPR_OR, least, clamp), from;
    check_width(s, segment);
    if (s->inst->op == OP_SHFL_UP)
        from = two(s, EXPR_SUB, self, offset);
    else if (s->inst->op == OP_SHFL_DOWN)
        from = two(s, EXPR_ADD, self, offset);
    else if (s->inst->op == OP_SHFL_BFLY)
        from = two(s, EXPR_XOR, self, offset);
    else
        from = two(s, EXPR_OR, least, two(s, EXPR_AND, offset, rest));
    *in_range = s->inst->op == OP_SHFL_UP ? expr_not(exprs, two(s, EXPR_SLT, from, most))
                                          : expr_not(exprs, two(s, EXPR_SLT, most, from));
    return expr_ite(exprs, *in_range, from, self);
}

/* ---- results -------------------------------------------------------------------------------- */

static void write_result(struct unfold_step *s, expr_id result, expr_id second,
                         const struct deps *deps)
{
    const struct operand *to = &s->inst->operands[0];
    enum type type = op_row(s->inst->op)->result ? op_row(s->inst->op)->result : TYPE_B32;
    bool pair = to->kind == OPERAND_PAIR;
    operand_write(s, pair ? &to->parts[0] : to, type, (struct unfold_value){result, deps});
    if (pair)
        operand_write(s, &to->parts[1], TYPE_PRED, (struct unfold_value){second, deps});
}

/* The second result: of shfl whether the lane was in range, of match.all whether all agree, of elect
 * whether this is the leader. */
static expr_id second_result(struct unfold_step *s, const struct exchange *e, expr_id in_range)
{
    struct expr_pool *exprs = s->b->exprs;
    if (s->inst->op == OP_MATCH_ALL)
        return expr_not(exprs, expr_eq(exprs, e->result, word(s, 0)));
    if (s->inst->op == OP_ELECT)
        return expr_eq(exprs, e->result, word(s, e->lane));
    return in_range;
}

/* What the lane brings; of elect nothing. */
static struct unfold_value brought(struct unfold_step *s)
{
    if (s->inst->op == OP_ELECT)
        return (struct unfold_value){word(s, 0), NULL};
    bool vote = op_operand(s->inst->op, 1) == 'p';
    return operand_value(s, &s->inst->operands[1], vote ? TYPE_PRED : s->inst->type);
}

static struct exchange exchange_of(struct unfold_step *s)
{
    return (struct exchange){.op = NONE,
                             .thread = s->run->thread,
                             .lane = barrier_lane(s->b, s->run->thread) % BARRIER_WARP,
                             .inst = s->inst,
                             .span = s->inst->span,
                             .guard = s->guard};
}

/* ---- activemask ------------------------------------------------------------------------------ */

/* Any set with the lane itself; which others may be in it is said when all are known. */
static void step_activemask(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct exchange e = exchange_of(s);
    const struct thread *t = &b->threads.at[e.thread];
    e.result = word(s, UINT32_C(1) << e.lane);
    for (uint32_t other = 0; other < b->device_threads; other++) {
        uint32_t lane = barrier_lane(b, other) % BARRIER_WARP;
        if (other == e.thread || b->threads.at[other].warp != t->warp)
            continue;
        expr_id active = builder_count(b, builder_choice(b, "active beside it", 1));
        e.result = two(s, EXPR_OR, e.result, two(s, EXPR_SHL, active, word(s, lane)));
    }
    vec_push(b->arena, &b->exchanges, e);
    write_result(s, e.result, 0, NULL);
}

/* ---- the door --------------------------------------------------------------------------------- */

static void step_exchange(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct exchange e = exchange_of(s);
    expr_id mask = operand_value(s, last_operand(s), TYPE_B32).expr, in_range = 0;
    struct unfold_value own = brought(s);
    bool truth = op_row(s->inst->op)->result == TYPE_PRED;
    e.value = own.expr;
    if (exchange_is_shfl(s->inst)) {
        struct unfold_value to = operand_value(s, &s->inst->operands[2], TYPE_B32),
                            how = operand_value(s, &s->inst->operands[3], TYPE_B32);
        e.from = source_lane(s, to.expr, how.expr, e.lane, &in_range);
        own.deps = deps_union(&b->deps, own.deps, deps_union(&b->deps, to.deps, how.deps));
    }
    e.op = barrier_collective(s, owner_of(s), mask);
    e.result = builder_delayed(b, truth ? 1 : 32, &e.delayed);
    vec_push(b->arena, &b->exchanges, e);
    write_result(s, e.result, second_result(s, &e, in_range), own.deps);
}

void step_collective(struct unfold_step *s)
{
    if (s->inst->op == OP_BAR_WARP_SYNC)
        step_warp_barrier(s);
    else if (s->inst->op == OP_ACTIVEMASK)
        step_activemask(s);
    else
        step_exchange(s);
}
