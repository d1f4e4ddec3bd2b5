/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_GRID_LOCKSTEP_H
#define MODEL_MACHINE_KERNEL_GRID_LOCKSTEP_H

#include "model/machine/kernel/grid.h"

/* The test's one launch with warps as before sm_70: a pc and a stack of sides each, warps in a
 * random order, all blocks at once. So it is for small launches: NULL after an error in 'diags'
 * when there are more than MACHINE_MAX_LANES threads. A count of micros ends it, not
 * options->seconds. */
struct grid_result *grid_run_lockstep(struct arena *arena, const struct test *test, uint32_t launch,
                                      const struct grid_options *options, struct diag_list *diags);

#endif
