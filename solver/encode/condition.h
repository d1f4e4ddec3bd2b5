/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ENCODE_CONDITION_H
#define SOLVER_ENCODE_CONDITION_H

#include "solver/encode/encode.h"

/* A literal that holds exactly in the final states that satisfy 'condition' (NULL: all). What a
 * comparison means is asked of outcome_satisfies, value by value, so there is one definition of it.
 */
lit encode_condition(struct encoding *encoding, const struct cond *condition);
/* A literal for: the observed values are not exactly these. */
lit encode_differs(struct encoding *encoding, const uint64_t *observed);

#endif
