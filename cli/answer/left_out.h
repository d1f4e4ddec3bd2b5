/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_LEFT_OUT_H
#define CLI_ANSWER_LEFT_OUT_H

#include "litmus/read/read.h"

/* Adds the kernel of a program of CUDA C++ that could not be unfolded because the axioms do not model what 'fault'
 * names, for litmus_parse_opaque. False: another test, or another fault. */
bool left_out_kernel(struct arena *arena, const struct test *test, const struct diag *fault,
                     struct opaque_list *opaque);

#endif
