/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_PLACE_H
#define MODEL_MACHINE_CORE_PLACE_H

#include "model/machine/core/machine.h"

/* Who stands where: fills lanes, warps, ctas, clusters of a machine whose programs are decoded. */

/* Every column of the test; program i runs body i. */
void place_columns(struct machine *machine);
/* Cluster 'index' of a launch, appended. */
void place_cluster(struct machine *machine, uint32_t launch, uint32_t program, uint32_t index);
uint32_t launch_clusters(const struct launch *launch);
uint32_t launch_cluster_size(const struct launch *launch); /* CTAs */
/* Gives the CTAs of machine cluster 'cluster' the coordinates of cluster 'index' of their launch.
 */
void place_move_cluster(struct machine *machine, uint32_t cluster, uint32_t index);

bool place_moves(enum special special);
/* Address of the cooperative workspace of a launch, or 0. */
uint64_t place_workspace(const struct machine *machine, uint32_t launch);

/* Value of a special register for a lane. */
uint64_t place_special(const struct machine *machine, uint32_t lane, enum special special);

/* Regions of all locations for all CTAs; false after an error in 'diags'. */
bool place_regions(struct machine *machine, struct diag_list *diags);
/* Is it a .local variable with one place a lane? Those of functions are in frames of calls. */
bool place_in_local_memory(const struct test *test, uint32_t location);
/* Where a location begins as the lane sees it. */
uint64_t place_address(const struct machine *machine, uint32_t lane, uint32_t location);

#endif
