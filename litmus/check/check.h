/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CHECK_CHECK_H
#define LITMUS_CHECK_CHECK_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* Completes and checks a parsed test: places its threads, decides the types of locations and
 * registers, refuses what PTX does not allow, sorts what is observed. Errors go to 'diags'. */
void check_test(struct arena *arena, struct test *test, struct diag_list *diags);

/* Sorts what is observed of a checked test, without repeats. */
void check_observed(struct test *test);

#endif
