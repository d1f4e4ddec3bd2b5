/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "litmus/base/arena.h"
#include "model/value/expr_fold.h"

/* Concrete evaluation of expressions: what is known already is not computed again, nor is what was found unknown just
 * now, as expressions share their parts. */

struct evaluation {
    const struct expr_pool *pool;
    struct expr_memo *memo;
    expr_leaf *leaf;
    void *context;
};

static bool eval(const struct evaluation *ev, expr_id id, uint64_t *value);

/* One known operand can decide: 0 & x, ones | x, 0 * x. */
static bool eval_absorbed(const struct expr *e, unsigned width, uint64_t known, uint64_t *value)
{
    *value = known;
    if (e->op == EXPR_AND || e->op == EXPR_MUL)
        return known == 0;
    return e->op == EXPR_OR && known == width_mask(width);
}

/* One unknown operand does no harm where the other decides. */
static bool eval_binary(const struct evaluation *ev, const struct expr *e, uint64_t *value)
{
    unsigned width = expr_get(ev->pool, e->a)->width;
    uint64_t a, b;
    bool a_known = eval(ev, e->a, &a);
    if (a_known && eval_absorbed(e, width, a, value))
        return true;
    bool b_known = eval(ev, e->b, &b);
    if (b_known && eval_absorbed(e, width, b, value))
        return true;
    if (!a_known || !b_known)
        return false;
    *value = fold_binary(e->op, width, a, b);
    return true;
}

/* Of a value wider than 64 bits only the low ones are computed. */
static bool eval_wide(const struct evaluation *ev, const struct expr *e, uint64_t *value)
{
    uint64_t high;
    unsigned low_width = expr_get(ev->pool, e->b)->width;
    if (!eval(ev, e->b, value))
        return false;
    if (low_width >= 64)
        return true;
    if (!eval(ev, e->a, &high))
        return false;
    *value |= high << low_width;
    return true;
}

/* Bits of a value wider than 64 bits: from the half of a concatenation that holds them. */
static bool eval_extract(const struct evaluation *ev, const struct expr *e, uint64_t *value)
{
    const struct expr *from = expr_get(ev->pool, e->a);
    unsigned low = (unsigned)e->value;
    expr_id id = e->a;
    while (from->width > 64 && from->op == EXPR_CONCAT) {
        unsigned cut = expr_get(ev->pool, from->b)->width;
        bool is_high = low >= cut;
        if (!is_high && low + e->width > cut)
            return false;
        low -= is_high ? cut : 0;
        id = is_high ? from->a : from->b;
        from = expr_get(ev->pool, id);
    }
    if (!eval(ev, id, value))
        return false;
    *value = low >= 64 ? 0 : *value >> low;
    return true;
}

static bool eval_node(const struct evaluation *ev, const struct expr *e, uint64_t *value)
{
    uint64_t condition;
    switch (e->op) {
    case EXPR_CONST:
        *value = e->value;
        return true;
    case EXPR_READ:
    case EXPR_CHOICE:
        return ev->leaf(ev->context, e, value);
    case EXPR_ITE:
        return eval(ev, e->a, &condition) && eval(ev, condition ? e->b : e->c, value);
    case EXPR_EXTRACT:
        return eval_extract(ev, e, value);
    case EXPR_CONCAT:
        return eval_wide(ev, e, value);
    case EXPR_NOT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
        if (!eval(ev, e->a, value))
            return false;
        *value = expr_apply(ev->pool, e, *value, 0);
        return true;
    default:
        return eval_binary(ev, e, value);
    }
}

static bool eval(const struct evaluation *ev, expr_id id, uint64_t *value)
{
    const struct expr *e = expr_get(ev->pool, id);
    if (ev->memo->known[id]) {
        *value = ev->memo->value[id];
        return true;
    }
    if (ev->memo->missed[id] == ev->memo->turn)
        return false;
    if (!eval_node(ev, e, value)) {
        ev->memo->missed[id] = ev->memo->turn;
        return false;
    }
    *value &= width_mask(e->width);
    ev->memo->known[id] = true;
    ev->memo->value[id] = *value;
    return true;
}

struct expr_memo expr_memo_new(struct arena *arena, const struct expr_pool *pool)
{
    uint32_t count = expr_count(pool);
    return (struct expr_memo){.known = ARENA_ARRAY(arena, bool, count),
                              .value = ARENA_ARRAY(arena, uint64_t, count),
                              .missed = ARENA_ARRAY(arena, uint32_t, count)};
}

bool expr_eval_memo(const struct expr_pool *pool, struct expr_memo *memo, expr_id id,
                    expr_leaf *leaf, void *context, uint64_t *value)
{
    struct evaluation ev = {pool, memo, leaf, context};
    memo->turn++;
    return eval(&ev, id, value);
}

bool expr_eval(const struct expr_pool *pool, expr_id id, expr_leaf *leaf, void *context,
               uint64_t *value)
{
    struct expr_memo memo = {.known = g_new0(bool, id + 1),
                             .value = g_new(uint64_t, id + 1),
                             .missed = g_new0(uint32_t, id + 1)};
    bool known = expr_eval_memo(pool, &memo, id, leaf, context, value);
    g_free(memo.known);
    g_free(memo.value);
    g_free(memo.missed);
    return known;
}
