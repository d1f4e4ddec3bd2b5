/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_PLACE_H
#define LITMUS_GENERATE_PLACE_H

#include "litmus/generate/program.h"

/* Where threads are. */

/* Called when the program's threads have places; false ends it. */
typedef bool generate_placed(void *context);
/* Gives the program's threads every places that they may have, up to names of CTAs, clusters and devices: 'apart' has the bits of enum
 * scope that threads may share or not; empty: none shares a CTA. False when 'visit' ended it. */
bool generate_places(struct generated_program *program, uint32_t apart, generate_placed *visit,
                     void *context);

#endif
