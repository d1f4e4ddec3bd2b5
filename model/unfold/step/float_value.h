/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_FLOAT_VALUE_H
#define MODEL_UNFOLD_STEP_FLOAT_VALUE_H

#include "model/unfold/builder/step.h"

/* Arithmetic of IEEE 754 on the bits of numbers, rounded to the nearest, halves to even. What is no
 * number is the NaN of PTX (9.7.3): 0x7fffffff, of 16 bits 0x7fff. Of 64 bits a NaN that goes in comes out quiet, the first
 * of two; another one is 0xfff8000000000000. */

/* a + b, or 'less': a - b, of .f16, .bf16, .f32, .f64, or each of two halves. */
expr_id float_sum(struct expr_pool *pool, enum type type, expr_id a, expr_id b, bool less);
/* Of 32 bits. */
expr_id float_product(struct expr_pool *pool, expr_id a, expr_id b);
/* a * b + c of 32 bits, rounded once. */
expr_id float_fused(struct expr_pool *pool, expr_id a, expr_id b, expr_id c);

#endif
