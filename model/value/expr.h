/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_EXPR_H
#define MODEL_VALUE_EXPR_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

/* Values a program computes, as a hash-consed graph over the values its reads return. Every
 * expression has a width in bits, 1..128; width 1 is a truth value. Building folds constants, so an
 * expression that is EXPR_CONST is known whatever the reads return. */
typedef uint32_t expr_id;

enum expr_op {
#define EXPR_OP(name, kids, meaning) EXPR_##name,
#include "model/value/op.def"
};

struct expr {
    enum expr_op op;
    uint8_t width;
    /* longest way to a leaf; saturates. Unfolding refuses depths over EXPR_MAX_DEPTH */
    uint16_t depth;
    expr_id a, b, c;
    uint64_t value;
};

enum { EXPR_MAX_DEPTH = 8000 };

struct expr_pool;

struct expr_pool *expr_pool_new(struct arena *arena);
uint32_t expr_count(const struct expr_pool *pool);
/* Kids have smaller ids than their parents, so a loop from 0 visits kids first. */
const struct expr *expr_get(const struct expr_pool *pool, expr_id id);
/* The operands of an expression; returns how many. */
unsigned expr_kids(const struct expr *expr, expr_id kids[3]);

expr_id expr_const(struct expr_pool *pool, unsigned width, uint64_t value);
expr_id expr_read(struct expr_pool *pool, unsigned width, uint32_t granule, uint32_t event);
expr_id expr_choice(struct expr_pool *pool, unsigned width, uint32_t choice);
expr_id expr_not(struct expr_pool *pool, expr_id a);
expr_id expr_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b);
expr_id expr_ite(struct expr_pool *pool, expr_id condition, expr_id then, expr_id otherwise);
expr_id expr_extract(struct expr_pool *pool, expr_id a, unsigned low_bit, unsigned width);
expr_id expr_extend(struct expr_pool *pool, expr_id a, unsigned width,
                    bool is_signed); /* or truncates */

/* The same operation with kids from this pool: how another pool's expressions are brought over. */
expr_id expr_build(struct expr_pool *pool, const struct expr *like, expr_id a, expr_id b,
                   expr_id c);

static inline expr_id expr_and(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_binary(pool, EXPR_AND, a, b);
}
static inline expr_id expr_or(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_binary(pool, EXPR_OR, a, b);
}
static inline expr_id expr_implies(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_or(pool, expr_not(pool, a), b);
}
static inline expr_id expr_eq(struct expr_pool *pool, expr_id a, expr_id b)
{
    return expr_binary(pool, EXPR_EQ, a, b);
}
static inline expr_id expr_true(struct expr_pool *pool)
{
    return expr_const(pool, 1, 1);
}
static inline expr_id expr_false(struct expr_pool *pool)
{
    return expr_const(pool, 1, 0);
}
bool expr_is_const(const struct expr_pool *pool, expr_id id, uint64_t *value);
bool expr_is_true(const struct expr_pool *pool, expr_id id);
bool expr_is_false(const struct expr_pool *pool, expr_id id);
/* The conjunction of two truth values is plainly false: some conjunct of one denies one of the other. */
bool expr_excludes(const struct expr_pool *pool, expr_id a, expr_id b);

/* The operation (neither a leaf nor EXPR_ITE) on known operands of up to 64 bits; 'b' of one operand is
 * ignored. */
uint64_t expr_apply(const struct expr_pool *pool, const struct expr *expr, uint64_t a, uint64_t b);

/* Concrete evaluation. 'leaf' gives READ and CHOICE values and returns false when one is unknown;
 * then the result is unknown too (returns false) unless it does not matter. Widths up to 64 only;
 * division by zero gives all ones (unsigned reading), remainder by zero the dividend, as SMT-LIB. */
typedef bool expr_leaf(void *context, const struct expr *leaf, uint64_t *value);
bool expr_eval(const struct expr_pool *pool, expr_id id, expr_leaf *leaf, void *context,
               uint64_t *value);

/* Known results kept between evaluations over the same leaves: one entry an expression, zeroed. During an evaluation a leaf
 * stays known or unknown. */
struct expr_memo {
    bool *known;
    uint64_t *value;
    uint32_t *missed; /* the last evaluation that did not find it out */
    uint32_t turn;    /* of the evaluation */
};
struct expr_memo expr_memo_new(struct arena *arena, const struct expr_pool *pool);
bool expr_eval_memo(const struct expr_pool *pool, struct expr_memo *memo, expr_id id,
                    expr_leaf *leaf, void *context, uint64_t *value);

#endif
