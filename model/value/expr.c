/* SPDX-License-Identifier: MIT */
#include "model/value/expr.h"

#include <assert.h>

#include "litmus/base/hash.h"
#include "model/value/expr_fold.h"

struct expr_pool {
    struct arena *arena;
    VEC(struct expr) exprs;
    struct hash_table table;
};

struct expr_pool *expr_pool_new(struct arena *arena)
{
    struct expr_pool *pool = ARENA_NEW(arena, struct expr_pool);
    pool->arena = arena;
    return pool;
}

uint32_t expr_count(const struct expr_pool *pool)
{
    return pool->exprs.len;
}

const struct expr *expr_get(const struct expr_pool *pool, expr_id id)
{
    assert(id < pool->exprs.len);
    return &pool->exprs.at[id];
}

static bool same_expr(const void *items, uint32_t index, const void *key)
{
    const struct expr *a = (const struct expr *)items + index, *b = key;
    return a->op == b->op && a->width == b->width && a->a == b->a && a->b == b->b && a->c == b->c &&
           a->value == b->value;
}

static expr_id intern(struct expr_pool *pool, struct expr e)
{
    const uint64_t words[] = {(uint64_t)e.op << 32 | e.width, (uint64_t)e.a << 32 | e.b, e.c,
                              e.value};
    uint64_t hash = hash_bytes(words, sizeof words, 0);
    expr_id known = hash_find(&pool->table, hash, same_expr, pool->exprs.at, &e);
    if (known != HASH_NONE)
        return known;
    vec_push(pool->arena, &pool->exprs, e);
    return hash_add(pool->arena, &pool->table, hash);
}

static uint16_t depth_over(const struct expr_pool *pool, unsigned kids, const expr_id *kid)
{
    uint16_t deepest = 0;
    for (unsigned i = 0; i < kids; i++) {
        uint16_t depth = expr_get(pool, kid[i])->depth;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest == UINT16_MAX ? deepest : (uint16_t)(deepest + 1);
}

static expr_id make(struct expr_pool *pool, enum expr_op op, unsigned width, unsigned kids,
                    const expr_id *kid, uint64_t value)
{
    struct expr e = {.op = op, .width = (uint8_t)width, .value = value};
    e.a = kids > 0 ? kid[0] : 0;
    e.b = kids > 1 ? kid[1] : 0;
    e.c = kids > 2 ? kid[2] : 0;
    e.depth = depth_over(pool, kids, kid);
    return intern(pool, e);
}

expr_id expr_const(struct expr_pool *pool, unsigned width, uint64_t value)
{
    assert(width >= 1 && width <= 64);
    struct expr e = {.op = EXPR_CONST, .width = (uint8_t)width, .value = value & width_mask(width)};
    return intern(pool, e);
}

expr_id expr_read(struct expr_pool *pool, unsigned width, uint32_t granule, uint32_t event)
{
    struct expr e = {.op = EXPR_READ, .width = (uint8_t)width, .a = granule, .b = event};
    return intern(pool, e);
}

expr_id expr_choice(struct expr_pool *pool, unsigned width, uint32_t choice)
{
    struct expr e = {.op = EXPR_CHOICE, .width = (uint8_t)width, .a = choice};
    return intern(pool, e);
}

bool expr_is_const(const struct expr_pool *pool, expr_id id, uint64_t *value)
{
    const struct expr *e = expr_get(pool, id);
    if (e->op == EXPR_CONST && value)
        *value = e->value;
    return e->op == EXPR_CONST;
}

bool expr_is_true(const struct expr_pool *pool, expr_id id)
{
    const struct expr *e = expr_get(pool, id);
    return e->op == EXPR_CONST && e->width == 1 && e->value == 1;
}

bool expr_is_false(const struct expr_pool *pool, expr_id id)
{
    const struct expr *e = expr_get(pool, id);
    return e->op == EXPR_CONST && e->width == 1 && e->value == 0;
}

expr_id expr_not(struct expr_pool *pool, expr_id a)
{
    const struct expr *e = expr_get(pool, a);
    if (e->op == EXPR_CONST)
        return expr_const(pool, e->width, ~e->value);
    if (e->op == EXPR_NOT)
        return e->a;
    return make(pool, EXPR_NOT, e->width, 1, &a, 0);
}

static bool is_commutative(enum expr_op op)
{
    return op == EXPR_ADD || op == EXPR_MUL || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR ||
           op == EXPR_EQ;
}

static bool is_comparison(enum expr_op op)
{
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_SLT;
}

static expr_id concat(struct expr_pool *pool, expr_id high, expr_id low)
{
    expr_id simpler = expr_fold_concat(pool, high, low);
    if (simpler != EXPR_NONE)
        return simpler;
    unsigned width = expr_get(pool, high)->width + expr_get(pool, low)->width;
    assert(width <= 128);
    return make(pool, EXPR_CONCAT, width, 2, (expr_id[]){high, low}, 0);
}

expr_id expr_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b)
{
    if (op == EXPR_CONCAT)
        return concat(pool, a, b);
    uint64_t x, y;
    unsigned width = expr_get(pool, a)->width;
    assert(width == expr_get(pool, b)->width);
    unsigned result_width = is_comparison(op) ? 1 : width;
    bool a_known = expr_is_const(pool, a, &x), b_known = expr_is_const(pool, b, &y);
    if (a_known && b_known)
        return expr_const(pool, result_width, fold_binary(op, width, x, y));
    if (is_commutative(op) && (a_known || (!b_known && a > b))) {
        expr_id swap = a;
        a = b;
        b = swap;
    }
    expr_id simpler = expr_fold_binary(pool, op, a, b);
    if (simpler != EXPR_NONE)
        return simpler;
    return make(pool, op, result_width, 2, (expr_id[]){a, b}, 0);
}

expr_id expr_ite(struct expr_pool *pool, expr_id condition, expr_id then, expr_id otherwise)
{
    assert(expr_get(pool, then)->width == expr_get(pool, otherwise)->width);
    expr_id simpler = expr_fold_ite(pool, condition, then, otherwise);
    if (simpler != EXPR_NONE)
        return simpler;
    return make(pool, EXPR_ITE, expr_get(pool, then)->width, 3,
                (expr_id[]){condition, then, otherwise}, 0);
}

expr_id expr_extract(struct expr_pool *pool, expr_id a, unsigned low_bit, unsigned width)
{
    assert(width >= 1 && low_bit + width <= expr_get(pool, a)->width);
    expr_id simpler = expr_fold_extract(pool, a, low_bit, width);
    if (simpler != EXPR_NONE)
        return simpler;
    return make(pool, EXPR_EXTRACT, width, 1, &a, low_bit);
}

expr_id expr_extend(struct expr_pool *pool, expr_id a, unsigned width, bool is_signed)
{
    const struct expr *e = expr_get(pool, a);
    if (width <= e->width)
        return expr_extract(pool, a, 0, width);
    if (e->op == EXPR_CONST && width <= 64)
        return expr_const(pool, width,
                          is_signed ? (uint64_t)sign_extend(e->value, e->width) : e->value);
    if (e->op == EXPR_ZEXT) /* the inner extension left a zero sign bit */
        return make(pool, EXPR_ZEXT, width, 1, &e->a, 0);
    if (e->op == EXPR_SEXT && is_signed)
        return make(pool, EXPR_SEXT, width, 1, &e->a, 0);
    return make(pool, is_signed ? EXPR_SEXT : EXPR_ZEXT, width, 1, &a, 0);
}

expr_id expr_build(struct expr_pool *pool, const struct expr *like, expr_id a, expr_id b, expr_id c)
{
    switch (like->op) {
    case EXPR_CONST:
        return expr_const(pool, like->width, like->value);
    case EXPR_READ:
        return expr_read(pool, like->width, like->a, like->b);
    case EXPR_CHOICE:
        return expr_choice(pool, like->width, like->a);
    case EXPR_NOT:
        return expr_not(pool, a);
    case EXPR_ITE:
        return expr_ite(pool, a, b, c);
    case EXPR_EXTRACT:
        return expr_extract(pool, a, (unsigned)like->value, like->width);
    case EXPR_ZEXT:
    case EXPR_SEXT:
        return expr_extend(pool, a, like->width, like->op == EXPR_SEXT);
    default: /* of two operands */
        return expr_binary(pool, like->op, a, b);
    }
}

unsigned expr_kids(const struct expr *expr, expr_id kids[3])
{
    static const unsigned char counts[] = {
#define EXPR_OP(name, kids, meaning) kids,
#include "model/value/op.def"
    };
    kids[0] = expr->a;
    kids[1] = expr->b;
    kids[2] = expr->c;
    return counts[expr->op];
}
