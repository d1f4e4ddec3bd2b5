/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_SAME_TEST_H
#define TESTS_AGREE_SAME_TEST_H

#include "litmus/test/host.h"

/* What differs between two tests, in words, or NULL when they mean the same: the same threads run
 * the same instructions on the same memory, and the same is asked. Numbers of bodies, locations and
 * registers may differ, for they are matched by name; names of temporaries, comments and places in
 * the text do not matter. In the arena. */
const char *test_difference(struct arena *arena, const struct test *a, const struct test *b);

#endif
