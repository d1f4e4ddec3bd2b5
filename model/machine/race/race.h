/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_RACE_H
#define MODEL_MACHINE_RACE_RACE_H

#include "model/machine/core/memory.h"

/* Finds data races of a run on the sc memory by happens-before: two accesses of different lanes to
 * one byte, one of them a write, not both strong with scopes that hold each other, and no
 * synchronization orders them. Of the schedule that ran; what it reports is a race (docs/machine.md
 * says how it may overlook one). Barriers, warp syncs, release and acquire patterns, fences and
 * mbarriers order. */

struct race;
/* Reports go to run->reports of the accesses. */
struct race *race_new(const struct machine *machine);
void race_free(struct race *race); /* accepts NULL */

/* One access of a lane, before it is done. */
void race_access(struct race *race, struct run *run, const struct access *access);
/* The same for the active lanes of a warp (first: machine lane of position 0), all in 'region'. */
void race_access_lanes(struct race *race, struct run *run, uint32_t first,
                       const struct micro *micro, uint32_t active, const struct region *region,
                       const uint64_t *address);
void race_fence(struct race *race, uint32_t lane, const struct micro *micro);
void race_sync(struct race *race, const struct sync *sync);
void race_mbarrier(struct race *race, uint32_t lane, const struct access *at,
                   const struct mbarrier_order *order);
void race_copy(struct race *race, struct run *run, uint32_t lane, const struct copy *copy);
/* A new run. */
void race_reset(struct race *race);
/* The machine now stands for another cluster of the launch: one that starts, or one parked before.
 */
void race_start_cluster(struct race *race, uint32_t index);
void race_park_cluster(struct race *race, uint32_t index);
void race_resume_cluster(struct race *race, uint32_t index);

#endif
