/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/state.h"

#include <string.h>

/* Joins what a thread knows on several ways: what differs is chosen by the branch that parted them. */

struct state state_copy(struct builder *b, uint32_t regs, const struct state *from)
{
    struct state copy = *from;
    copy.regs = ARENA_ARRAY(b->arena, expr_id, regs);
    copy.deps = ARENA_ARRAY(b->arena, const struct deps *, regs);
    if (regs) {
        memcpy(copy.regs, from->regs, regs * sizeof *copy.regs);
        memcpy(copy.deps, from->deps, regs * sizeof *copy.deps);
    }
    return copy;
}

/* Joins y into x: x's values where 'condition' holds. */
static void join(struct builder *b, uint32_t regs, struct state *x, const struct state *y,
                 expr_id condition, expr_id guard)
{
    for (uint32_t i = 0; i < regs; i++) {
        x->regs[i] = expr_ite(b->exprs, condition, x->regs[i], y->regs[i]);
        x->deps[i] = deps_select(&b->deps, condition, x->deps[i], y->deps[i]);
    }
    x->ctrl = deps_select(&b->deps, condition, x->ctrl, y->ctrl);
    x->cluster_arrived = expr_ite(b->exprs, condition, x->cluster_arrived, y->cluster_arrived);
    x->guard = guard;
}

/* Guards (g & c) and (g & !c): the two ways of one branch. Gives g and c. */
static bool complementary(struct builder *b, expr_id x, expr_id y, expr_id *common,
                          expr_id *condition)
{
    const struct expr p = *expr_get(b->exprs, x), q = *expr_get(b->exprs, y);
    if (expr_not(b->exprs, x) == y) {
        *common = expr_true(b->exprs);
        *condition = x;
        return true;
    }
    if (p.op != EXPR_AND || q.op != EXPR_AND)
        return false;
    const expr_id left[2] = {p.a, p.b}, right[2] = {q.a, q.b};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            if (left[i] == right[j] && expr_not(b->exprs, left[1 - i]) == right[1 - j]) {
                *common = left[i];
                *condition = left[1 - i];
                return true;
            }
    return false;
}

/* Joins some pair that came from one branch; false when there is none. */
static bool join_pair(struct builder *b, uint32_t regs, struct state *states, uint32_t *count)
{
    expr_id common, condition;
    for (uint32_t i = 0; i < *count; i++)
        for (uint32_t j = i + 1; j < *count; j++)
            if (complementary(b, states[i].guard, states[j].guard, &common, &condition)) {
                join(b, regs, &states[i], &states[j], condition, common);
                states[j] = states[--*count];
                return true;
            }
    return false;
}

struct state state_merge(struct builder *b, uint32_t regs, struct state *states, uint32_t count)
{
    while (count > 1 && join_pair(b, regs, states, &count)) {
    }
    for (uint32_t i = 1; i < count; i++)
        join(b, regs, &states[0], &states[i], states[0].guard,
             expr_or(b->exprs, states[0].guard, states[i].guard));
    return states[0];
}
