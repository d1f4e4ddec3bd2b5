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
/* Of the barriers of all threads in CTAs whose threads are not all shown (columns): completes those
 * that nobody shown can come to any more, or, 'forced', when nothing can move, the first that
 * somebody waits at. False: none. */
bool barrier_finish_open(struct run *run, bool forced);

#endif
