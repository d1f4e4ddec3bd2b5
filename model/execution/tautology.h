/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_TAUTOLOGY_H
#define MODEL_EXECUTION_TAUTOLOGY_H

#include "litmus/test/test.h"

/* Is the condition of the test, or, with 'negate', its negation, false whatever the final values are, as 'x=1 /\\ x=2' is?
 * Then no execution is needed to know it. False: not known, as where it compares two values of the end. */
bool tautology_excludes(struct arena *arena, const struct test *test, bool negate);

#endif
