/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_DISTURBED_H
#define MODEL_MACHINE_KERNEL_DISTURBED_H

#include "model/machine/kernel/worker.h"

/* Other schedules of a launch, for the race detector. In the usual one clusters run one after the other,
 * so that the order of their fences, locks and atomics orders accesses that another schedule leaves
 * unordered. Here clusters and warps are chosen at random, several clusters are on their way at a time,
 * and turns end at what synchronizes. A schedule depends on its seed alone. */

struct disturbance;

/* Might another schedule have other races? Not where barriers alone synchronize and no register tells
 * of what other threads did. */
bool disturbed_differs(const struct program *program);
/* Schedule 'index', from 1 on, of a seed, for so many clusters; in 'arena'. */
struct disturbance *disturbed_new(struct arena *arena, uint64_t seed, uint32_t index,
                                  uint32_t total);
/* Draws from the same seed. */
struct chooser *disturbed_chooser(struct disturbance *disturbance);
/* Runs the launch so, until it is over, nothing moves or a bound is reached. On weak memory the clusters that
 * do not move stay parked: newer values may let them. */
void disturbed_work(struct grid_worker *w);

#endif
