/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_BARRIER_H
#define MODEL_MACHINE_SYNC_BARRIER_H

#include "model/machine/core/run.h"

/* CTA barriers: lane-semantics section 5. */

/* 'lanes': see collective.h. */
void barrier_arrive(struct run *run, uint32_t warp, uint32_t lanes); /* MICRO_BARRIER */
/* After an exit in the warp. */
void barrier_retry(struct run *run, uint32_t warp);
/* How many threads the arrivals of this generation stand for: whole warps, or single ones. */
uint32_t barrier_threads(const struct barrier *barrier);
/* Columns only: completes barriers that no thread shown can come to any more. False: none. */
bool barrier_settle_open(struct run *run);
/* Columns only, when nothing can move: lets a barrier complete that waits for threads the test does
 * not show. */
bool barrier_release_open(struct run *run);

#endif
