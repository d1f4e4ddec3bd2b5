/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_COMPILE_H
#define CLI_REPAIR_COMPILE_H

#include "cli/repair/repair.h"

/* Compiles the edited CUDA C++ of the variant by nvcc, and judges once more what comes of it. False: nvcc refuses it
 * (repair->refused), or the compiled kernel does not do what was asked. proposal->compiled says what was judged, and the
 * verdict and observation are those of the compiled kernel where there is one. */
bool compile_judge(struct repair *repair, const struct variant *variant,
                   struct repair_proposal *proposal);

#endif
