/* SPDX-License-Identifier: MIT */
#include "model/value/expr_fold.h"

#include <stdlib.h>
#include <stddef.h>

enum { CHAIN = 64 }; /* conjuncts looked at before giving up on a simplification */

/* SMT-LIB: a division by zero gives -1 (or 1 for a negative signed dividend), a remainder the
 * dividend. */
static uint64_t fold_division(enum expr_op op, unsigned width, uint64_t a, uint64_t b)
{
    int64_t x = sign_extend(a, width), y = sign_extend(b, width);
    switch (op) {
    case EXPR_UDIV:
        return b ? a / b : UINT64_MAX;
    case EXPR_UREM:
        return b ? a % b : a;
    case EXPR_SDIV:
        if (!y)
            return x < 0 ? 1 : UINT64_MAX;
        return y == -1 ? 0 - a : (uint64_t)(x / y);
    case EXPR_SREM:
        if (!y)
            return a;
        return y == -1 ? 0 : (uint64_t)(x % y);
    default: /* no operation of two operands */
        abort();
    }
}

static uint64_t fold_shift(enum expr_op op, unsigned width, uint64_t a, uint64_t b)
{
    if (op == EXPR_ASHR)
        return (uint64_t)(sign_extend(a, width) >> (b >= width ? width - 1 : b));
    if (b >= width)
        return 0;
    return op == EXPR_SHL ? a << b : a >> b;
}

uint64_t fold_binary(enum expr_op op, unsigned width, uint64_t a, uint64_t b)
{
    switch (op) {
    case EXPR_ADD:
        return a + b;
    case EXPR_SUB:
        return a - b;
    case EXPR_MUL:
        return a * b;
    case EXPR_AND:
        return a & b;
    case EXPR_OR:
        return a | b;
    case EXPR_XOR:
        return a ^ b;
    case EXPR_EQ:
        return a == b;
    case EXPR_ULT:
        return a < b;
    case EXPR_SLT:
        return sign_extend(a, width) < sign_extend(b, width);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
        return fold_shift(op, width, a, b);
    default:
        return fold_division(op, width, a, b);
    }
}

uint64_t expr_apply(const struct expr_pool *pool, const struct expr *expr, uint64_t a, uint64_t b)
{
    unsigned width = expr_get(pool, expr->a)->width;
    uint64_t value;
    switch (expr->op) {
    case EXPR_NOT:
        value = ~a;
        break;
    case EXPR_EXTRACT:
        value = expr->value < 64 ? a >> expr->value : 0;
        break;
    case EXPR_ZEXT:
        value = a;
        break;
    case EXPR_SEXT:
        value = (uint64_t)sign_extend(a, width);
        break;
    case EXPR_CONCAT:
        value = a << expr_get(pool, expr->b)->width | b;
        break;
    default:
        value = fold_binary(expr->op, width, a, b);
    }
    return value & width_mask(expr->width);
}

/* x and y cannot both hold: one is the other's negation, or they fix one value in two ways. */
static bool denies(const struct expr_pool *pool, expr_id x, expr_id y)
{
    const struct expr *a = expr_get(pool, x), *b = expr_get(pool, y);
    if ((a->op == EXPR_NOT && a->a == y) || (b->op == EXPR_NOT && b->a == x))
        return true;
    return a->op == EXPR_EQ && b->op == EXPR_EQ && a->a == b->a && a->b != b->b &&
           expr_is_const(pool, a->b, NULL) && expr_is_const(pool, b->b, NULL);
}

/* The operands of a chain of 'op'; returns how many, at most CHAIN. */
static unsigned flatten(const struct expr_pool *pool, enum expr_op op, expr_id id, expr_id *out)
{
    expr_id stack[CHAIN];
    unsigned depth = 0, count = 0;
    stack[depth++] = id;
    while (depth && count < CHAIN) {
        const struct expr *e = expr_get(pool, stack[--depth]);
        if (e->op == op && e->width == 1 && depth + 2 <= CHAIN) {
            stack[depth++] = e->b;
            stack[depth++] = e->a;
        } else {
            out[count++] = stack[depth];
        }
    }
    return count;
}

static bool chain_has(const struct expr_pool *pool, enum expr_op op, expr_id chain, expr_id item)
{
    expr_id items[CHAIN];
    unsigned count = flatten(pool, op, chain, items);
    for (unsigned i = 0; i < count; i++)
        if (items[i] == item)
            return true;
    return false;
}

bool expr_excludes(const struct expr_pool *pool, expr_id a, expr_id b)
{
    expr_id x[CHAIN], y[CHAIN];
    unsigned m = flatten(pool, EXPR_AND, a, x), n = flatten(pool, EXPR_AND, b, y);
    if (expr_is_false(pool, a) || expr_is_false(pool, b) || denies(pool, a, b))
        return true;
    for (unsigned i = 0; i < m; i++)
        for (unsigned j = 0; j < n; j++)
            if (denies(pool, x[i], y[j]))
                return true;
    return false;
}

static expr_id simplify_and(struct expr_pool *pool, expr_id a, expr_id b)
{
    if (expr_excludes(pool, a, b))
        return expr_false(pool);
    if (chain_has(pool, EXPR_AND, b, a) || chain_has(pool, EXPR_OR, a, b))
        return b;
    if (chain_has(pool, EXPR_AND, a, b) || chain_has(pool, EXPR_OR, b, a))
        return a;
    return EXPR_NONE;
}

/* g of (g & c) | (g & !c): how the two ways of a branch meet again. */
static expr_id rejoin(struct expr_pool *pool, expr_id a, expr_id b)
{
    const struct expr x = *expr_get(pool, a), y = *expr_get(pool, b);
    if (x.op != EXPR_AND || y.op != EXPR_AND)
        return EXPR_NONE;
    const expr_id p[2] = {x.a, x.b}, q[2] = {y.a, y.b};
    for (unsigned i = 0; i < 2; i++)
        for (unsigned j = 0; j < 2; j++)
            if (p[i] == q[j] && expr_not(pool, p[1 - i]) == q[1 - j])
                return p[i];
    return EXPR_NONE;
}

static expr_id simplify_or(struct expr_pool *pool, expr_id a, expr_id b)
{
    if (expr_not(pool, a) == b)
        return expr_true(pool);
    if (chain_has(pool, EXPR_OR, b, a) || chain_has(pool, EXPR_AND, a, b))
        return b;
    if (chain_has(pool, EXPR_OR, a, b) || chain_has(pool, EXPR_AND, b, a))
        return a;
    return rejoin(pool, a, b);
}

static expr_id simplify_logic(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    unsigned width = expr_get(pool, a)->width;
    uint64_t y;
    bool known = expr_is_const(pool, b, &y);
    bool zero = known && y == 0, ones = known && y == width_mask(width);
    if (op == EXPR_XOR) {
        if (a == b && width <= 64)
            return expr_const(pool, width, 0);
        if (zero)
            return a;
        if (ones)
            return expr_not(pool, a);
        return EXPR_NONE;
    }
    if (a == b || (op == EXPR_AND ? ones : zero))
        return a;
    if (op == EXPR_AND ? zero : ones)
        return b;
    if (width == 1)
        return (op == EXPR_AND ? simplify_and : simplify_or)(pool, a, b);
    return EXPR_NONE;
}

/* Constants are on the right, and sums of them are one constant. */
static expr_id simplify_arithmetic(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    const struct expr x = *expr_get(pool, a);
    uint64_t y, z;
    if (op == EXPR_SUB && a == b && x.width <= 64)
        return expr_const(pool, x.width, 0);
    if (!expr_is_const(pool, b, &y))
        return EXPR_NONE;
    if (op == EXPR_SUB)
        return expr_binary(pool, EXPR_ADD, a, expr_const(pool, x.width, 0 - y));
    if (y == 0)
        return op == EXPR_MUL ? b : a;
    if (op == EXPR_MUL && y == 1)
        return a;
    if (op == EXPR_ADD && x.op == EXPR_ADD && expr_is_const(pool, x.b, &z))
        return expr_binary(pool, EXPR_ADD, x.a, expr_const(pool, x.width, y + z));
    return EXPR_NONE;
}

static expr_id simplify_order(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    uint64_t y;
    bool below_zero = op == EXPR_ULT && expr_is_const(pool, b, &y) && y == 0;
    if (a != b && !below_zero)
        return EXPR_NONE;
    return expr_false(pool);
}

/* An extension equals a constant only when the bits it adds do. */
static expr_id equal_extended(struct expr_pool *pool, const struct expr *x, uint64_t y)
{
    unsigned width = expr_get(pool, x->a)->width;
    uint64_t low = y & width_mask(width);
    uint64_t again =
        x->op == EXPR_SEXT ? (uint64_t)sign_extend(low, width) & width_mask(x->width) : low;
    if (again != y)
        return expr_false(pool);
    return expr_eq(pool, x->a, expr_const(pool, width, low));
}

/* Takes the constant through what the other side is made of. */
static expr_id equal_const(struct expr_pool *pool, expr_id a, expr_id b, uint64_t y)
{
    const struct expr x = *expr_get(pool, a);
    uint64_t z;
    if (x.width == 1)
        return y ? a : expr_not(pool, a);
    if (x.op == EXPR_ZEXT || x.op == EXPR_SEXT)
        return equal_extended(pool, &x, y);
    if (x.op == EXPR_ADD && expr_is_const(pool, x.b, &z))
        return expr_eq(pool, x.a, expr_const(pool, x.width, y - z));
    if (x.op == EXPR_ITE && (expr_is_const(pool, x.b, NULL) || expr_is_const(pool, x.c, NULL)))
        return expr_ite(pool, x.a, expr_eq(pool, x.b, b), expr_eq(pool, x.c, b));
    return EXPR_NONE;
}

static expr_id simplify_equal(struct expr_pool *pool, expr_id a, expr_id b)
{
    const struct expr x = *expr_get(pool, a), z = *expr_get(pool, b);
    uint64_t y;
    if (a == b)
        return expr_true(pool);
    if (expr_is_const(pool, b, &y))
        return equal_const(pool, a, b, y);
    if (x.op == z.op && (x.op == EXPR_ZEXT || x.op == EXPR_SEXT) &&
        expr_get(pool, x.a)->width == expr_get(pool, z.a)->width)
        return expr_eq(pool, x.a, z.a);
    return EXPR_NONE;
}

expr_id expr_fold_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    uint64_t y;
    switch (op) {
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
        return simplify_logic(pool, op, a, b);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
        return simplify_arithmetic(pool, op, a, b);
    case EXPR_EQ:
        return simplify_equal(pool, a, b);
    case EXPR_ULT:
    case EXPR_SLT:
        return simplify_order(pool, op, a, b);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
        return expr_is_const(pool, b, &y) && y == 0 ? a : EXPR_NONE;
    default:
        return EXPR_NONE;
    }
}

static expr_id simplify_ite_truth(struct expr_pool *pool, expr_id c, expr_id t, expr_id e)
{
    if (expr_is_true(pool, t))
        return expr_or(pool, c, e);
    if (expr_is_false(pool, t))
        return expr_and(pool, expr_not(pool, c), e);
    if (expr_is_false(pool, e))
        return expr_and(pool, c, t);
    if (expr_is_true(pool, e))
        return expr_or(pool, expr_not(pool, c), t);
    return EXPR_NONE;
}

expr_id expr_fold_ite(struct expr_pool *pool, expr_id c, expr_id t, expr_id e)
{
    const struct expr condition = *expr_get(pool, c), x = *expr_get(pool, t),
                      y = *expr_get(pool, e);
    if (condition.op == EXPR_CONST)
        return condition.value ? t : e;
    if (t == e)
        return t;
    if (condition.op == EXPR_NOT)
        return expr_ite(pool, condition.a, e, t);
    if (x.op == EXPR_ITE && x.a == c)
        return expr_ite(pool, c, x.b, e);
    if (y.op == EXPR_ITE && y.a == c)
        return expr_ite(pool, c, t, y.c);
    if (x.width == 1)
        return simplify_ite_truth(pool, c, t, e);
    return EXPR_NONE;
}

static expr_id extract_extended(struct expr_pool *pool, const struct expr *x, unsigned low,
                                unsigned width)
{
    unsigned inner = expr_get(pool, x->a)->width;
    if (low + width <= inner)
        return expr_extract(pool, x->a, low, width);
    if (x->op == EXPR_ZEXT && low >= inner && width <= 64)
        return expr_const(pool, width, 0);
    if (low == 0)
        return expr_extend(pool, x->a, width, x->op == EXPR_SEXT);
    return EXPR_NONE;
}

/* Bits of a set that is put together one member after the other, as those of a ballot are: in the last one, which is a
 * number or something moved by one, they are known at once. */
static expr_id extract_joined(struct expr_pool *pool, const struct expr *x, unsigned low,
                              unsigned width)
{
    const struct expr last = *expr_get(pool, x->b);
    bool is_moved = last.op == EXPR_SHL && expr_is_const(pool, last.b, NULL) &&
                    expr_get(pool, last.a)->op == EXPR_ZEXT;
    if (last.op != EXPR_CONST && last.op != EXPR_ZEXT && !is_moved)
        return EXPR_NONE;
    return expr_binary(pool, x->op, expr_extract(pool, x->a, low, width),
                       expr_extract(pool, x->b, low, width));
}

/* Bits of what is moved up by less than its width; below it there are zeros. */
static expr_id extract_moved(struct expr_pool *pool, const struct expr *x, unsigned low,
                             unsigned width)
{
    uint64_t by;
    if (!expr_is_const(pool, x->b, &by) || width > 64)
        return EXPR_NONE;
    if (low + width <= by)
        return expr_const(pool, width, 0);
    return by <= low ? expr_extract(pool, x->a, low - (unsigned)by, width) : EXPR_NONE;
}

expr_id expr_fold_extract(struct expr_pool *pool, expr_id a, unsigned low, unsigned width)
{
    const struct expr x = *expr_get(pool, a);
    if (width == x.width)
        return a;
    if (x.op == EXPR_CONST)
        return expr_const(pool, width, x.value >> low);
    if (x.op == EXPR_EXTRACT)
        return expr_extract(pool, x.a, low + (unsigned)x.value, width);
    if (x.op == EXPR_ZEXT || x.op == EXPR_SEXT)
        return extract_extended(pool, &x, low, width);
    if (x.op == EXPR_SHL)
        return extract_moved(pool, &x, low, width);
    if (x.op == EXPR_OR || x.op == EXPR_AND || x.op == EXPR_XOR)
        return extract_joined(pool, &x, low, width);
    unsigned cut = x.op == EXPR_CONCAT ? expr_get(pool, x.b)->width : 0;
    if (x.op == EXPR_CONCAT && low + width <= cut)
        return expr_extract(pool, x.b, low, width);
    if (x.op == EXPR_CONCAT && low >= cut)
        return expr_extract(pool, x.a, low - cut, width);
    if (x.op == EXPR_ITE && (expr_is_const(pool, x.b, NULL) || expr_is_const(pool, x.c, NULL)))
        return expr_ite(pool, x.a, expr_extract(pool, x.b, low, width),
                        expr_extract(pool, x.c, low, width));
    return EXPR_NONE;
}

expr_id expr_fold_concat(struct expr_pool *pool, expr_id high, expr_id low)
{
    const struct expr x = *expr_get(pool, high), y = *expr_get(pool, low);
    unsigned width = x.width + y.width;
    if (x.op == EXPR_CONST && y.op == EXPR_CONST && width <= 64)
        return expr_const(pool, width, x.value << y.width | y.value);
    if (x.op == EXPR_CONST && x.value == 0)
        return expr_extend(pool, low, width, false);
    if (x.op == EXPR_EXTRACT && y.op == EXPR_EXTRACT && x.a == y.a && x.value == y.value + y.width)
        return expr_extract(pool, x.a, (unsigned)y.value, width);
    return EXPR_NONE;
}
