/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_CLUSTER_H
#define MODEL_MACHINE_SYNC_CLUSTER_H

#include "model/machine/core/run.h"

/* The barrier of a cluster (lane-semantics section 5.5), and the exit of lanes. 'lanes': see
 * collective.h. */

void cluster_arrive(struct run *run, uint32_t warp, uint32_t lanes);
void cluster_wait(struct run *run, uint32_t warp, uint32_t lanes);
/* Exits, and completes what waited for these lanes only. */
void cluster_exit(struct run *run, uint32_t warp, uint32_t lanes);

#endif
