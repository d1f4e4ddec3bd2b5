/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_DETECT_H
#define TESTS_AGREE_DETECT_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* The race detector on random schedules of a test. False: the executor refuses the test. 'report'
 * becomes the kind and the text of a race it found, in 'arena', or NULL. */
bool detect_races(struct arena *arena, const struct test *test, uint32_t schedules,
                  const char **report);

#endif
