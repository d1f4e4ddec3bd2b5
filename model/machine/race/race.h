/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_RACE_H
#define MODEL_MACHINE_RACE_RACE_H

#include "model/machine/core/run.h"

/* Finds data races of a run on the sc memory by happens-before: two accesses of different lanes to
 * one byte, one of them a write, not both strong with scopes that hold each other, and no
 * synchronization orders them. Of the schedule that ran; what it reports is a race (docs/machine.md
 * says how it may overlook one). Barriers, warp syncs, release and acquire patterns, fences and
 * mbarriers order. An asynchronous copy runs beside its lane until somebody waits for it. */

struct race_detector;
/* Reports go to run->reports of the accesses. */
struct race_detector *race_new(const struct machine *machine);
void race_free(struct race_detector *race); /* accepts NULL */

/* One access of a lane, before it is done. */
void race_access(struct race_detector *race, struct run *run, const struct memory_access *access);
/* The same for the active lanes of a warp (first: machine lane of position 0), all in 'region'. */
void race_access_lanes(struct race_detector *race, struct run *run, uint32_t first,
                       const struct micro *micro, uint32_t active, const struct region *region,
                       const uint64_t *address);
void race_fence(struct race_detector *race, uint32_t lane, const struct micro *micro);
/* The same of all lanes of a warp (first: machine lane of position 0). */
void race_fence_warp(struct race_detector *race, uint32_t first, uint32_t lanes,
                     const struct micro *micro);
void race_sync(struct race_detector *race, const struct sync *sync);
void race_mbarrier(struct race_detector *race, struct run *run, uint32_t lane,
                   const struct memory_access *at, const struct mbarrier_order *order);
/* What a lane does about its copies, and one that is made now. */
void race_copy_step(struct race_detector *race, struct run *run, uint32_t lane, enum copy_step step,
                    const struct copy *copy, uint32_t group);
void race_copied(struct race_detector *race, struct run *run, uint32_t lane,
                 const struct copy *copy);
/* Forgets the accesses of the last run. */
void race_reset(struct race_detector *race);
/* The machine now stands for that cluster of the launch, for the first time or again. A detector
 * that is new stands for cluster 0. */
void race_enter_cluster(struct race_detector *race, uint32_t index);
/* It has ended: forgets what belongs to it. */
void race_leave_cluster(struct race_detector *race, uint32_t index);

#endif
