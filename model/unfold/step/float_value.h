/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_FLOAT_VALUE_H
#define MODEL_UNFOLD_STEP_FLOAT_VALUE_H

#include "model/unfold/builder/step.h"

/* Arithmetic of IEEE 754 on the bits of numbers of 32 or 64 bits, rounded to the nearest, halves to even. What is no
 * number is the NaN of PTX (9.7.3): 0x7fffffff. Of 64 bits a NaN that goes in comes out quiet, the first of two; another one
 * is 0xfff8000000000000. */

/* a + b, or 'less': a - b. */
expr_id float_sum(struct expr_pool *pool, unsigned width, expr_id a, expr_id b, bool less);
/* Of 32 bits. */
expr_id float_product(struct expr_pool *pool, expr_id a, expr_id b);
/* a * b + c of 32 bits, rounded once. */
expr_id float_fused(struct expr_pool *pool, expr_id a, expr_id b, expr_id c);

#endif
