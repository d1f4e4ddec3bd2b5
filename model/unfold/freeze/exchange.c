/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/converge.h"
#include "model/unfold/freeze/freeze.h"

/* What warp collectives hand out when all threads are unfolded: lane-semantics 4. Nothing here orders memory. */

static expr_id word(struct builder *b, uint32_t value)
{
    return expr_const(b->exprs, 32, value);
}

/* Does 'other' take part in the completion of 'e'? */
static expr_id meets(struct builder *b, const struct exchange *e, const struct exchange *other)
{
    return e->op == NONE || other->op == NONE ? expr_false(b->exprs)
                                              : barrier_together(b, e->op, other->op);
}

/* ---- what they compute ----------------------------------------------------------------------- */

/* The value of the lane read from, if that takes part: 'found'. */
static expr_id value_read(struct builder *b, const struct exchange *e, expr_id *found)
{
    struct expr_pool *exprs = b->exprs;
    expr_id value = word(b, 0);
    *found = expr_false(exprs);
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id here = expr_eq(exprs, e->from, word(b, other->lane));
        if (!expr_is_false(exprs, here))
            here = expr_and(exprs, here, meets(b, e, other));
        if (expr_is_false(exprs, here))
            continue;
        value = expr_ite(exprs, here, other->value, value);
        *found = expr_or(exprs, *found, here);
    }
    return value;
}

/* One that takes no part has no value. */
static void check_source(struct builder *b, const struct exchange *e)
{
    struct expr_pool *exprs = b->exprs;
    expr_id waits = expr_and(exprs, e->guard, b->barriers.at[e->op].passed), found;
    value_read(b, e, &found);
    builder_undefined(b, "shfl-source-inactive", "reads a lane that does not take part",
                      expr_and(exprs, waits, expr_not(exprs, found)), e->span, e->thread);
}

static expr_id lane_bit(struct builder *b, const struct exchange *other, expr_id set)
{
    return expr_binary(b->exprs, EXPR_SHL, builder_count(b, set), word(b, other->lane));
}

/* The lanes that take part and, of match, bring the same; of a ballot, something true. */
static expr_id lanes(struct builder *b, const struct exchange *e)
{
    struct expr_pool *exprs = b->exprs;
    expr_id set = word(b, 0);
    bool votes = expr_get(exprs, e->value)->width == 1;
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id counts = meets(b, e, other);
        if (expr_is_false(exprs, counts))
            continue;
        expr_id same = votes ? other->value : expr_eq(exprs, e->value, other->value);
        set = expr_binary(exprs, EXPR_OR, set, lane_bit(b, other, expr_and(exprs, counts, same)));
    }
    return set;
}

/* Do all that take part bring 'value'? */
static expr_id all_bring(struct builder *b, const struct exchange *e, expr_id value)
{
    expr_id all = expr_true(b->exprs);
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id counts = meets(b, e, other);
        if (expr_is_false(b->exprs, counts))
            continue;
        expr_id same = expr_eq(b->exprs, value, other->value);
        all = expr_and(b->exprs, all, expr_implies(b->exprs, counts, same));
    }
    return all;
}

static expr_id voted(struct builder *b, const struct exchange *e)
{
    struct expr_pool *exprs = b->exprs;
    expr_id all = all_bring(b, e, expr_true(exprs)), none = all_bring(b, e, expr_false(exprs));
    if (e->inst->op == OP_VOTE_ALL)
        return all;
    return e->inst->op == OP_VOTE_ANY ? expr_not(exprs, none) : expr_or(exprs, all, none);
}

/* All of those that take part, or none where they do not bring the same. */
static expr_id matched(struct builder *b, const struct exchange *e)
{
    return expr_ite(b->exprs, all_bring(b, e, e->value), lanes(b, e), word(b, 0));
}

static expr_id combined(struct builder *b, const struct inst *inst, expr_id x, expr_id y)
{
    static const enum expr_op ops[] = {
        [ATOM_ADD] = EXPR_ADD, [ATOM_AND] = EXPR_AND, [ATOM_OR] = EXPR_OR, [ATOM_XOR] = EXPR_XOR};
    bool is_signed = type_is_signed(inst->type);
    if (inst->atom_op != ATOM_MIN && inst->atom_op != ATOM_MAX)
        return expr_binary(b->exprs, ops[inst->atom_op], x, y);
    expr_id less = expr_binary(b->exprs, is_signed ? EXPR_SLT : EXPR_ULT, x, y);
    bool least = inst->atom_op == ATOM_MIN;
    return expr_ite(b->exprs, less, least ? x : y, least ? y : x);
}

static expr_id reduced(struct builder *b, const struct exchange *e)
{
    expr_id result = e->value;
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id counts = other == e ? expr_false(b->exprs) : meets(b, e, other);
        if (expr_is_false(b->exprs, counts))
            continue;
        expr_id more = combined(b, e->inst, result, other->value);
        result = expr_ite(b->exprs, counts, more, result);
    }
    return result;
}

/* ---- the leader of elect ---------------------------------------------------------------------- */

/* One of those that take part: which is left open, but for all of a completion it is the same. */
static expr_id elected(struct builder *b, const struct exchange *e)
{
    struct expr_pool *exprs = b->exprs;
    expr_id leader = builder_choice(b, "leader", 5), wide = expr_extend(exprs, leader, 32, false);
    expr_id is_one = expr_false(exprs);
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id here = expr_eq(exprs, wide, word(b, other->lane));
        is_one = expr_or(exprs, is_one, expr_and(exprs, here, meets(b, e, other)));
    }
    expr_id waits = expr_and(exprs, e->guard, b->barriers.at[e->op].passed);
    expr_id none = expr_eq(exprs, wide, word(b, 0));
    builder_assume(b, ASSUME_PLAIN, expr_ite(exprs, waits, is_one, none), e->span, e->thread);
    return wide;
}

static void agree_on_leaders(struct builder *b)
{
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *x = &b->exchanges.at[i];
        for (uint32_t j = 0; j < i && x->inst->op == OP_ELECT; j++) {
            const struct exchange *y = &b->exchanges.at[j];
            expr_id both = meets(b, x, y);
            if (expr_is_false(b->exprs, both))
                continue;
            expr_id same =
                expr_eq(b->exprs, b->delayed.at[x->delayed].value, b->delayed.at[y->delayed].value);
            builder_assume(b, ASSUME_PLAIN, expr_implies(b->exprs, both, same), x->span, x->thread);
        }
    }
}

/* ---- activemask -------------------------------------------------------------------------------- */

/* The execution of the instruction by 'other' that is as late among its thread's as 'e' among its own. */
static expr_id same_turn(struct builder *b, const struct exchange *e, const struct exchange *other)
{
    struct expr_pool *exprs = b->exprs;
    expr_id turn[2] = {word(b, 0), word(b, 0)};
    const struct exchange *of[2] = {e, other};
    if (e->op != NONE || other->op != NONE || e->inst != other->inst ||
        b->threads.at[e->thread].warp != b->threads.at[other->thread].warp)
        return expr_false(exprs);
    for (int k = 0; k < 2; k++)
        for (const struct exchange *before = b->exchanges.at; before < of[k]; before++)
            if (before->thread == of[k]->thread && before->inst == e->inst && before->op == NONE)
                turn[k] = expr_binary(exprs, EXPR_ADD, turn[k], builder_count(b, before->guard));
    return expr_and(exprs, expr_and(exprs, e->guard, other->guard),
                    expr_eq(exprs, turn[0], turn[1]));
}

static expr_id has_lane(struct builder *b, const struct exchange *e, uint32_t lane)
{
    return expr_extract(b->exprs, e->result, lane, 1);
}

/* Converged lanes see each other, and the same set. */
static void settle_activemask(struct builder *b, const struct exchange *e)
{
    struct expr_pool *exprs = b->exprs;
    expr_id may[BARRIER_WARP];
    for (uint32_t lane = 0; lane < BARRIER_WARP; lane++)
        may[lane] = lane == e->lane ? expr_true(exprs) : expr_false(exprs);
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        expr_id both = other->thread == e->thread ? expr_false(exprs) : same_turn(b, e, other);
        if (expr_is_false(exprs, both))
            continue;
        may[other->lane] = expr_or(exprs, may[other->lane], both);
        expr_id sees = expr_and(exprs, both, has_lane(b, e, other->lane));
        builder_assume(b, ASSUME_PLAIN,
                       expr_implies(exprs, sees, expr_eq(exprs, e->result, other->result)), e->span,
                       e->thread);
    }
    for (uint32_t lane = 0; lane < BARRIER_WARP; lane++)
        builder_assume(b, ASSUME_PLAIN, expr_implies(exprs, has_lane(b, e, lane), may[lane]),
                       e->span, e->thread);
}

/* ---- the door ---------------------------------------------------------------------------------- */

expr_id exchange_value(struct builder *b, const struct exchange *e)
{
    expr_id found;
    switch (e->inst->op) {
    case OP_VOTE_BALLOT:
    case OP_MATCH_ANY:
        return lanes(b, e);
    case OP_MATCH_ALL:
        return matched(b, e);
    case OP_REDUX:
        return reduced(b, e);
    default:
        return exchange_is_shfl(e->inst) ? value_read(b, e, &found) : voted(b, e);
    }
}

/* Could what a lane receives come back to it, as far as one can see before completions are chosen? Not where all
 * surely meet, each thread once. */
static bool may_feed_back(struct builder *b, const struct exchange *e)
{
    if (b->barriers.at[e->op].counted)
        return true;
    uint32_t lanes_met = 0;
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *other = &b->exchanges.at[i];
        if (expr_is_false(b->exprs, meets(b, e, other)))
            continue;
        if (lanes_met >> other->lane & 1)
            return true;
        lanes_met |= UINT32_C(1) << other->lane;
    }
    return false;
}

void freeze_activemasks(struct builder *b)
{
    for (uint32_t i = 0; i < b->exchanges.len; i++)
        if (b->exchanges.at[i].op == NONE)
            settle_activemask(b, &b->exchanges.at[i]);
}

void freeze_exchanges(struct builder *b)
{
    for (uint32_t i = 0; i < b->exchanges.len; i++) {
        const struct exchange *e = &b->exchanges.at[i];
        if (e->op == NONE)
            continue;
        if (exchange_is_shfl(e->inst))
            check_source(b, e);
        expr_id value = e->inst->op == OP_ELECT ? elected(b, e) : exchange_value(b, e);
        b->delayed.at[e->delayed].value =
            may_feed_back(b, e) ? builder_guess(b, value, e->guard, e->span, e->thread) : value;
    }
    agree_on_leaders(b);
}
