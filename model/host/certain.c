/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"

/* Does a thread that ends come to an instruction, whatever it reads? A loop that waits is left, so what denies its
 * last round is a fact for what stands behind it. */

struct facts {
    const struct builder *b;
    VEC(expr_id) known;
};

static bool is_fact(const struct facts *f, expr_id id)
{
    const struct expr *expr = expr_get(f->b->exprs, id);
    if (expr_is_true(f->b->exprs, id))
        return true;
    for (uint32_t i = 0; i < f->known.len; i++)
        if (f->known.at[i] == id)
            return true;
    return expr->op == EXPR_AND && expr->width == 1 && is_fact(f, expr->a) && is_fact(f, expr->b);
}

static void add(struct facts *f, expr_id id)
{
    const struct expr expr = *expr_get(f->b->exprs, id);
    if (expr.op == EXPR_AND && expr.width == 1) {
        add(f, expr.a);
        add(f, expr.b);
    } else
        vec_push(f->b->arena, &f->known, id);
}

/* The one conjunct of the round that is no fact, or NONE when there is not exactly one. */
static expr_id open_part(const struct facts *f, expr_id round)
{
    const struct expr *expr = expr_get(f->b->exprs, round);
    if (expr->op != EXPR_AND || expr->width != 1)
        return round;
    bool a = is_fact(f, expr->a), b = is_fact(f, expr->b);
    return a && !b ? open_part(f, expr->b) : b && !a ? open_part(f, expr->a) : NONE;
}

bool host_is_certain(const struct builder *b, uint32_t thread, expr_id guard)
{
    struct facts facts = {.b = b};
    if (expr_is_true(b->exprs, guard))
        return true;
    for (uint32_t i = 0; i < b->assumptions.len; i++) {
        const struct assumption *assumed = &b->assumptions.at[i];
        if (assumed->kind != ASSUME_SPIN_EXIT || assumed->thread != thread)
            continue;
        add(&facts, assumed->condition);
        expr_id open = open_part(&facts, expr_not(b->exprs, assumed->condition));
        if (open != NONE)
            add(&facts, expr_not(b->exprs, open));
    }
    return is_fact(&facts, guard);
}
