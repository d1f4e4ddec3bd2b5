/* SPDX-License-Identifier: MIT */
#ifndef MODEL_VALUE_REFUTE_H
#define MODEL_VALUE_REFUTE_H

#include "model/value/expr.h"

/* Is a truth value false whatever the reads return? Tries every combination of the comparisons it
 * is made of, but for those that fix one read to two values or deny what a fixed read makes of
 * them. Gives up (false) on conditions of too many comparisons: "no" means "not plainly". */
bool expr_refuted(const struct expr_pool *pool, expr_id condition);
/* The same by the comparisons alone that the condition is a conjunction of: "r = 1 and not r < 3 …". */
bool expr_conjuncts_refuted(const struct expr_pool *pool, expr_id condition);

#endif
