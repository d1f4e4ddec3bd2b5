/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_COMPILE_H
#define CLI_REPAIR_COMPILE_H

#include "cli/repair/repair.h"
#include "cli/repair/variant.h"

/* Compiles the edited CUDA C++ of the variant by nvcc, and judges once more what comes of it. False: nvcc refuses it
 * (repair->refused), or the compiled kernel does not do what was asked. proposal->compiled says what was judged, and the
 * verdict and observation are those of the compiled kernel where there is one. */
bool compile_judge(struct repair *repair, const struct variant *variant,
                   struct repair_proposal *proposal);
/* The variant with edits of the CUDA C++ that change nothing in the PTX: read from what nvcc makes of them. False: nvcc is
 * not there. Without variant->job.test it refuses them, or the result cannot be read. To be freed in any case. */
bool compile_edit(struct repair *repair, const struct edit *edits, uint32_t count,
                  struct variant *variant);

#endif
