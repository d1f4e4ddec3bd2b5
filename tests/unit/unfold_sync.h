/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_UNFOLD_SYNC_H
#define TESTS_UNIT_UNFOLD_SYNC_H

void add_sync_tests(void);

#endif
