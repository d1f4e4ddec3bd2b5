/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_WEAK_RUNS_H
#define MODEL_MACHINE_KERNEL_WEAK_RUNS_H

#include "model/machine/kernel/worker.h"

/* All random runs of a launch on weak memory, or those within the bound on the steps of lanes; NULL after errors in
 * 'diags'. The first outcome is the result's. */
struct grid_result *weak_runs(struct arena *arena, struct grid *grid, struct diag_list *diags);

#endif
