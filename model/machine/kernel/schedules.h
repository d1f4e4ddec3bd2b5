/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_SCHEDULES_H
#define MODEL_MACHINE_KERNEL_SCHEDULES_H

#include "model/machine/kernel/worker.h"

/* Races of a launch that its usual schedule does not show: of others, drawn from a seed (disturbed.h),
 * and of such as hold a thread back so that two accesses meet that are predicted to race (directed.h). */

/* Runs them, within a bound on their steps, and adds the races that they show to the result of the
 * usual schedule, with the number of the schedule. */
void schedules_run(struct grid *grid, struct grid_result *result);

#endif
