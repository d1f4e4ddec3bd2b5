/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_LEFT_OUT_H
#define CLI_ANSWER_LEFT_OUT_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* A program of CUDA C++ that could not be unfolded because the axioms do not model what 'fault' names: the program
 * with kernels that do nothing, whose question depends on code that is not modelled (host.h). NULL: another test, or
 * another fault. */
const struct test *left_out_kernels(struct arena *arena, const struct test *test,
                                    const struct diag *fault);

#endif
