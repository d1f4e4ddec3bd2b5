/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_EXPR_FOLD_H
#define MODEL_VALUE_EXPR_FOLD_H

#include "model/value/expr.h"

/* Constant folding and rewriting, for expr.c only: what the builders of expr.h simplify. */

static inline uint64_t width_mask(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}
static inline int64_t sign_extend(uint64_t value, unsigned width)
{
    return width >= 64 ? (int64_t)value : (int64_t)(value << (64 - width)) >> (64 - width);
}

/* 'op' on known operands of 'width' bits (1..64); the result is not yet cut to its width. */
uint64_t fold_binary(enum expr_op op, unsigned width, uint64_t a, uint64_t b);

#define EXPR_NONE UINT32_MAX

/* A simpler expression equal to the operation, or EXPR_NONE. Operands of commutative operations come
 * with a constant on the right. Both operands constant: never asked. */
expr_id expr_fold_binary(struct expr_pool *pool, enum expr_op op, expr_id a, expr_id b);
expr_id expr_fold_ite(struct expr_pool *pool, expr_id condition, expr_id then, expr_id otherwise);
expr_id expr_fold_extract(struct expr_pool *pool, expr_id a, unsigned low_bit, unsigned width);
expr_id expr_fold_concat(struct expr_pool *pool, expr_id high, expr_id low);

#endif
