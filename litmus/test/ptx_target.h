/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_PTX_TARGET_H
#define LITMUS_TEST_PTX_TARGET_H

#include "litmus/test/test.h"

enum { PTX_TARGET_OLDEST = 750 };

/* The oldest GPUs whose code may have all instructions of the test and do what its launches ask for: 900 is sm_90; 901 is sm_90a, code
 * for one kind of GPU only, which a newer one has as sm_100a. */
uint32_t ptx_target_of(const struct test *test);

#endif
