/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PROMISES_H
#define LITMUS_PROMISES_H

#include "litmus/test.h"

/* Asserts what test.h and host.h promise of a test that was read: references lie inside of the
 * arrays that they index, counts and pointers agree, nothing is left undecided. Nothing in a
 * release build. */
#ifdef NDEBUG
#define test_promises(test) ((void)(test))
#else
void test_promises(const struct test *test);
#endif

#endif
