/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_DIRECTED_H
#define MODEL_MACHINE_KERNEL_DIRECTED_H

#include "model/machine/kernel/direction.h"
#include "model/machine/kernel/worker.h"

/* Runs the launch until an access that is held back, and another one meanwhile, have happened in this
 * order, or the other one while the thread of the first waits behind it: then w->v.direction->done. Where
 * they race the detector has seen it. The cluster goes on as far as it can, as what follows may race as
 * well. Ends before that where nothing else can go on, or a bound is reached. Clusters start in their
 * order, but for the two that matter. */
void directed_work(struct grid_worker *w);

#endif
