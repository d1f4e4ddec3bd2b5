/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_PLACE_H
#define MODEL_MACHINE_CORE_PLACE_H

#include "model/machine/core/machine.h"

/* Places the threads: fills the lanes, warps, CTAs and clusters of a machine whose programs are
 * decoded. */

/* Every column of the test; program i runs body i. */
void place_columns(struct machine *machine);
/* Cluster 'index' of a launch on a device, appended. */
void place_cluster(struct machine *machine, uint32_t launch, uint32_t index, uint32_t gpu);
uint32_t place_clusters(const struct launch *launch); /* of a launch */
struct dim3 place_first_cta(const struct launch *launch, uint32_t cluster);
/* A lane in a CTA and cluster of its own, appended; nobody's but for its program. */
struct lane_place *place_alone(struct machine *machine, uint32_t program, uint32_t gpu);
/* The number of a CTA in its grid. */
uint32_t place_linear_cta(const struct machine *machine, uint32_t cta);
/* Gives the CTAs of machine cluster 'cluster' the coordinates of cluster 'index' of their launch.
 */
void place_move_cluster(struct machine *machine, uint32_t cluster, uint32_t index);

bool place_moves(enum special special);
/* Address of the cooperative workspace of a launch, or 0. */
uint64_t place_workspace(const struct machine *machine, uint32_t launch);

/* Value of a special register for a lane. */
uint64_t place_special(const struct machine *machine, uint32_t lane, enum special special);

#endif
