/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_SHAPE_H
#define LITMUS_GENERATE_SHAPE_H

#include "litmus/generate/enumerate.h"

/* Programs without strengths: every program that the bounds allow, with weak accesses (relaxed ones where they are
 * atomic operations) and no fences. What is known of one may be reused for all that are stronger. The
 * number-th of every 'count' of them is visited. False when 'visit' ended it. */
bool generate_shapes(const struct generate_bounds *bounds, struct generate_share share,
                     generate_visit *visit, void *context);

#endif
