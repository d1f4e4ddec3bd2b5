/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_UNFOLD_LOOPS_H
#define TESTS_UNIT_UNFOLD_LOOPS_H

void add_loop_tests(void);

#endif
