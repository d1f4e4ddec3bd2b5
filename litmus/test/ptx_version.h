/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_PTX_VERSION_H
#define LITMUS_TEST_PTX_VERSION_H

#include "litmus/test/test.h"

/* The PTX version (84: 8.4) that a test needs for the forms of its instructions; *newest is an
 * instruction that needs it, or NULL. */
uint32_t ptx_version_of(const struct test *test, const struct inst **newest);
/* The first CUDA release (1207: 12.7) whose ptxas has it; false when none is known. */
bool ptx_version_cuda(uint32_t ptx, uint32_t *cuda);

#endif
