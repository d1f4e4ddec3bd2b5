/* SPDX-License-Identifier: MIT */
#include "model/value/expr_bits.h"

#include <stdlib.h>

#include "litmus/base/arena.h"

#define UNKNOWN UINT32_MAX

enum {
    MAX_LEAVES = 1024,
    MAX_WIDTH = 128,
};

/* The bits of one version of an expression, as far as they were asked for. */
struct vector {
    bdd *bits;
    bdd *carries; /* ADD and SUB: into a bit */
};

struct expr_bits {
    struct arena *arena;
    struct expr_bits_options options;
    struct bdd_pool *pool;
    struct vector *vectors[2];
    VEC(expr_id) leaves;
};

void expr_bits_attempt(unsigned attempt, struct expr_bits_options *options)
{
    static const uint32_t limits[] = {1 << 11, 1 << 14, 1 << 17};
    options->order = (enum expr_bits_order)(attempt % EXPR_BITS_ORDERS);
    options->limit = limits[attempt / EXPR_BITS_ORDERS];
}

struct expr_bits *expr_bits_new(struct arena *arena, const struct expr_bits_options *options)
{
    struct expr_bits *b = ARENA_NEW(arena, struct expr_bits);
    uint32_t count = expr_count(options->exprs);
    b->arena = arena;
    b->options = *options;
    b->pool = bdd_pool_new(arena, options->limit);
    b->vectors[0] = ARENA_ARRAY(arena, struct vector, count);
    b->vectors[1] = ARENA_ARRAY(arena, struct vector, count);
    return b;
}

struct bdd_pool *expr_bits_pool(struct expr_bits *bits)
{
    return bits->pool;
}

static const struct expr *get(const struct expr_bits *b, expr_id id)
{
    return expr_get(b->options.exprs, id);
}

static bdd *unknown_bits(struct expr_bits *b, unsigned width)
{
    bdd *bits = ARENA_ARRAY(b->arena, bdd, width);
    for (unsigned i = 0; i < width; i++)
        bits[i] = UNKNOWN;
    return bits;
}

static struct vector *vector_of(struct expr_bits *b, expr_id id, bool second)
{
    struct vector *v = &b->vectors[second][id];
    if (!v->bits) {
        v->bits = unknown_bits(b, get(b, id)->width);
        v->carries = unknown_bits(b, get(b, id)->width);
    }
    return v;
}

/* The variable of a leaf's bit: variables are ordered by bit, lower ones first, or leaf by leaf. */
static uint32_t variable_of(const struct expr_bits *b, uint32_t leaf, unsigned bit)
{
    return b->options.order == EXPR_BITS_BY_BIT ? bit * MAX_LEAVES + leaf : leaf * MAX_WIDTH + bit;
}

/* The variable of one bit of a read or a choice. Where a second value of it is asked for, that is a
 * variable of its own. */
static bdd leaf_bit(struct expr_bits *b, expr_id id, unsigned bit, bool second)
{
    uint32_t index = 0;
    while (index < b->leaves.len && b->leaves.at[index] != id)
        index++;
    if (index == b->leaves.len)
        vec_push(b->arena, &b->leaves, id);
    if (index >= MAX_LEAVES)
        bdd_give_up(b->pool);
    return bdd_variable(b->pool, variable_of(b, index, bit) * 2 +
                                     (second && b->options.varied && b->options.varied[id]));
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

static bdd majority(struct expr_bits *b, bdd x, bdd y, bdd z)
{
    return bdd_if(b->pool, x, bdd_or(b->pool, y, z), bdd_and(b->pool, y, z));
}

static bdd addend(struct expr_bits *b, const struct expr *e, unsigned bit, bool second)
{
    bdd y = expr_bit(b, e->b, bit, second);
    return e->op == EXPR_SUB ? bdd_not(b->pool, y) : y;
}

/* Carries are kept: bit by bit, a sum is built once. */
static bdd sum_bit(struct expr_bits *b, const struct expr *e, struct vector *v, unsigned bit,
                   bool second)
{
    for (unsigned i = 0; i <= bit; i++) {
        if (v->carries[i] != UNKNOWN)
            continue;
        v->carries[i] = i ? majority(b, expr_bit(b, e->a, i - 1, second),
                                     addend(b, e, i - 1, second), v->carries[i - 1])
                          : e->op == EXPR_SUB;
    }
    bdd sum = bdd_xor(b->pool, expr_bit(b, e->a, bit, second), addend(b, e, bit, second));
    return bdd_xor(b->pool, sum, v->carries[bit]);
}

/* to[0..count) += from[0..count) where 'when' holds. */
static void add_when(struct expr_bits *b, bdd *to, const bdd *from, unsigned count, bdd when)
{
    bdd carry = BDD_FALSE;
    for (unsigned i = 0; i < count; i++) {
        bdd x = to[i], y = bdd_and(b->pool, from[i], when);
        to[i] = bdd_xor(b->pool, bdd_xor(b->pool, x, y), carry);
        carry = majority(b, x, y, carry);
    }
}

/* Schoolbook multiplication, up to the bit asked for; by a power of two the bits are moved. */
static bdd product_bit(struct expr_bits *b, const struct expr *e, struct vector *v, unsigned bit,
                       bool second)
{
    bdd sum[MAX_WIDTH], x[MAX_WIDTH];
    uint64_t by;
    if (expr_is_const(b->options.exprs, e->b, &by) && by && (by & (by - 1)) == 0) {
        unsigned shift = (unsigned)__builtin_ctzll(by);
        return bit < shift ? BDD_FALSE : expr_bit(b, e->a, bit - shift, second);
    }
    for (unsigned i = 0; i <= bit; i++) {
        sum[i] = BDD_FALSE;
        x[i] = expr_bit(b, e->a, i, second);
    }
    for (unsigned i = 0; i <= bit && !bdd_full(b->pool); i++)
        add_when(b, sum + i, x, bit + 1 - i, expr_bit(b, e->b, i, second));
    for (unsigned i = 0; i <= bit; i++)
        v->bits[i] = sum[i];
    return sum[bit];
}

static void negate_when(struct expr_bits *b, bdd *x, unsigned width, bdd when)
{
    bdd carry = when;
    for (unsigned i = 0; i < width; i++) {
        bdd flipped = bdd_xor(b->pool, x[i], when);
        x[i] = bdd_xor(b->pool, flipped, carry);
        carry = bdd_and(b->pool, flipped, carry);
    }
}

/* One step of long division: rest = 2 * rest + next, less y if that is no more than it. */
static bdd divide_step(struct expr_bits *b, bdd *rest, const bdd *y, unsigned width, bdd next)
{
    bdd less[MAX_WIDTH + 1], carry = BDD_TRUE;
    for (unsigned i = width; i > 0; i--)
        rest[i] = rest[i - 1];
    rest[0] = next;
    for (unsigned i = 0; i <= width; i++) {
        bdd minus = bdd_not(b->pool, i < width ? y[i] : BDD_FALSE);
        less[i] = bdd_xor(b->pool, bdd_xor(b->pool, rest[i], minus), carry);
        carry = majority(b, rest[i], minus, carry);
    }
    for (unsigned i = 0; i <= width; i++)
        rest[i] = bdd_if(b->pool, carry, less[i], rest[i]);
    return carry;
}

/* By zero: SMT-LIB's results come out by themselves. */
static bdd quotient_bit(struct expr_bits *b, const struct expr *e, struct vector *v, unsigned bit,
                        bool second)
{
    bdd x[MAX_WIDTH], y[MAX_WIDTH], quotient[MAX_WIDTH], rest[MAX_WIDTH + 1] = {BDD_FALSE};
    bool is_signed = e->op == EXPR_SDIV || e->op == EXPR_SREM;
    for (unsigned i = 0; i < e->width; i++) {
        x[i] = expr_bit(b, e->a, i, second);
        y[i] = expr_bit(b, e->b, i, second);
    }
    bdd x_negative = is_signed ? x[e->width - 1] : BDD_FALSE;
    bdd y_negative = is_signed ? y[e->width - 1] : BDD_FALSE;
    negate_when(b, x, e->width, x_negative);
    negate_when(b, y, e->width, y_negative);
    for (unsigned i = e->width; i-- > 0 && !bdd_full(b->pool);)
        quotient[i] = divide_step(b, rest, y, e->width, x[i]);
    if (bdd_full(b->pool))
        return BDD_FALSE;
    negate_when(b, quotient, e->width, bdd_xor(b->pool, x_negative, y_negative));
    negate_when(b, rest, e->width, x_negative);
    bool is_rest = e->op == EXPR_UREM || e->op == EXPR_SREM;
    for (unsigned i = 0; i < e->width; i++)
        v->bits[i] = is_rest ? rest[i] : quotient[i];
    return v->bits[bit];
}

/* ---- shifts and comparisons ----------------------------------------------------------------- */

static bdd equals_number(struct expr_bits *b, expr_id id, uint64_t number, bool second)
{
    bdd all = BDD_TRUE;
    for (unsigned i = 0; i < get(b, id)->width && all != BDD_FALSE; i++) {
        bdd bit = expr_bit(b, id, i, second);
        bool one = i < 64 && number >> i & 1;
        all = bdd_and(b->pool, all, one ? bit : bdd_not(b->pool, bit));
    }
    return all;
}

/* PTX clamps: what is shifted further than the width is gone, or all sign. */
static bdd shifted_bit(struct expr_bits *b, const struct expr *e, unsigned bit, bool second)
{
    bdd result = BDD_FALSE, within = BDD_FALSE;
    for (unsigned by = 0; by < e->width && !bdd_full(b->pool); by++) {
        bool inside = e->op == EXPR_SHL ? by <= bit : bit + by < e->width;
        bdd here = equals_number(b, e->b, by, second);
        within = bdd_or(b->pool, within, here);
        if (!inside && e->op != EXPR_ASHR)
            continue;
        unsigned from = e->op == EXPR_SHL ? bit - by : inside ? bit + by : e->width - 1u;
        result = bdd_or(b->pool, result, bdd_and(b->pool, here, expr_bit(b, e->a, from, second)));
    }
    if (e->op != EXPR_ASHR)
        return result;
    return bdd_if(b->pool, within, result, expr_bit(b, e->a, e->width - 1u, second));
}

/* From the lowest bit to the highest: the last that differs decides, and a sign bit the other way
 * round. */
static bdd compared(struct expr_bits *b, const struct expr *e, bool second)
{
    unsigned width = get(b, e->a)->width;
    bdd result = e->op == EXPR_EQ;
    for (unsigned i = 0; i < width && !bdd_full(b->pool); i++) {
        bdd x = expr_bit(b, e->a, i, second), y = expr_bit(b, e->b, i, second);
        bdd differ = bdd_xor(b->pool, x, y);
        bdd less = e->op == EXPR_SLT && i == width - 1 ? x : y;
        result = bdd_if(b->pool, differ, e->op == EXPR_EQ ? BDD_FALSE : less, result);
    }
    return result;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static bdd logic_bit(struct expr_bits *b, const struct expr *e, unsigned bit, bool second)
{
    bdd x = expr_bit(b, e->a, bit, second);
    if (e->op == EXPR_AND)
        return x == BDD_FALSE ? x : bdd_and(b->pool, x, expr_bit(b, e->b, bit, second));
    if (e->op == EXPR_OR)
        return x == BDD_TRUE ? x : bdd_or(b->pool, x, expr_bit(b, e->b, bit, second));
    return bdd_xor(b->pool, x, expr_bit(b, e->b, bit, second));
}

/* Operands of AND and OR that are constants decide alone. */
static bool decided(struct expr_bits *b, const struct expr *e, unsigned bit, bool *value)
{
    uint64_t constant;
    if ((e->op != EXPR_AND && e->op != EXPR_OR) || e->width > 64 ||
        !expr_is_const(b->options.exprs, e->b, &constant))
        return false;
    *value = constant >> bit & 1;
    return *value == (e->op == EXPR_OR);
}

static bdd moved_bit(struct expr_bits *b, const struct expr *e, unsigned bit, bool second)
{
    unsigned low = get(b, e->op == EXPR_CONCAT ? e->b : e->a)->width;
    switch (e->op) {
    case EXPR_EXTRACT:
        return expr_bit(b, e->a, (unsigned)e->value + bit, second);
    case EXPR_CONCAT:
        return bit < low ? expr_bit(b, e->b, bit, second) : expr_bit(b, e->a, bit - low, second);
    case EXPR_ZEXT:
        return bit < low ? expr_bit(b, e->a, bit, second) : BDD_FALSE;
    case EXPR_SEXT:
        return expr_bit(b, e->a, bit < low ? bit : low - 1, second);
    default: /* moves no bits */
        abort();
    }
}

static bdd compute(struct expr_bits *b, expr_id id, unsigned bit, bool second)
{
    const struct expr *e = get(b, id);
    struct vector *v = vector_of(b, id, second);
    bool value;
    switch (e->op) {
    case EXPR_CONST:
        return e->value >> bit & 1;
    case EXPR_READ:
    case EXPR_CHOICE:
        return leaf_bit(b, id, bit, second);
    case EXPR_NOT:
        return bdd_not(b->pool, expr_bit(b, e->a, bit, second));
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
        return decided(b, e, bit, &value) ? value : logic_bit(b, e, bit, second);
    case EXPR_ADD:
    case EXPR_SUB:
        return sum_bit(b, e, v, bit, second);
    case EXPR_MUL:
        return product_bit(b, e, v, bit, second);
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM:
        return quotient_bit(b, e, v, bit, second);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
        return shifted_bit(b, e, bit, second);
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_SLT:
        return compared(b, e, second);
    case EXPR_ITE:
        return bdd_if(b->pool, expr_bit(b, e->a, 0, second), expr_bit(b, e->b, bit, second),
                      expr_bit(b, e->c, bit, second));
    case EXPR_EXTRACT:
    case EXPR_CONCAT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
        return moved_bit(b, e, bit, second);
    }
    return BDD_FALSE;
}

bdd expr_bit(struct expr_bits *bits, expr_id expr, unsigned bit, bool second)
{
    expr_id id = bits->options.leaf_of ? bits->options.leaf_of[expr] : expr;
    bdd *known = &vector_of(bits, id, second)->bits[bit];
    if (*known == UNKNOWN && !bdd_full(bits->pool)) {
        bdd result = compute(bits, id, bit, second);
        *known = result;
    }
    return *known == UNKNOWN ? BDD_FALSE : *known;
}

bdd expr_bits_equal(struct expr_bits *bits, expr_id first, expr_id second)
{
    bdd all = BDD_TRUE;
    for (unsigned i = 0; i < get(bits, first)->width && all != BDD_FALSE; i++) {
        bdd differ =
            bdd_xor(bits->pool, expr_bit(bits, first, i, false), expr_bit(bits, second, i, true));
        all = bdd_and(bits->pool, all, bdd_not(bits->pool, differ));
    }
    return all;
}
