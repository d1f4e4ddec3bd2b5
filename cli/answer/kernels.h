/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_KERNELS_H
#define CLI_ANSWER_KERNELS_H

#include "litmus/base/diag.h"
#include "litmus/test/test.h"

/* The kernels among the bodies, a line each: "  _Z4copyPji (copy in C++): .u64 _Z4copyPji_param_0, .s32 …".
 * Of those only whose name holds 'part'; NULL: all. */
const char *kernels_list(struct arena *arena, const struct body *bodies, uint32_t count,
                         const char *part);
/* Says which options would launch a kernel of the module. */
void kernels_ask(struct arena *arena, const struct source *module, struct diag_list *diags);

#endif
