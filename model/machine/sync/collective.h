/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_COLLECTIVE_H
#define MODEL_MACHINE_SYNC_COLLECTIVE_H

#include "model/machine/core/run.h"

/* Warp collectives: lane-semantics sections 3 and 4. 'lanes' are running lanes of the warp that stand
 * at the same micro with their guard true; one lane alone is an ordinary case. */

void collective_arrive(struct run *run, uint32_t warp, uint32_t lanes); /* MICRO_COLLECTIVE */
/* Completes what the lanes of the warp wait at, after one has exited. */
void collective_retry(struct run *run, uint32_t warp);
/* Same opcode with all qualifiers; the mask is compared apart. */
bool collective_same(const struct micro *a, const struct micro *b);
void collective_activemask(struct run *run, uint32_t warp, uint32_t lanes); /* MICRO_ACTIVEMASK */

#endif
