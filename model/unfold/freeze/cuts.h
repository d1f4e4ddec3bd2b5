/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_FREEZE_CUTS_H
#define MODEL_UNFOLD_FREEZE_CUTS_H

#include "model/graph/graph.h"

/* Where accesses cut memory into granules. */

struct cuts;
struct cuts *cuts_new(struct arena *arena);
/* An access of [physical, physical + bytes). */
void cuts_add(struct cuts *cuts, uint64_t physical, uint32_t bytes);
/* A cut at 'physical'; a range that is covered stays so. */
void cuts_point(struct cuts *cuts, uint64_t physical);
/* Makes the cuts inside two ranges of 'bytes' the same; true when that added one. */
bool cuts_align(struct cuts *cuts, uint64_t a, uint64_t b, uint32_t bytes);
/* The pieces between neighbouring cuts that some access covers; 'init' and 'location' unset. */
struct granule *cuts_granules(struct cuts *cuts, uint32_t *count);

#endif
