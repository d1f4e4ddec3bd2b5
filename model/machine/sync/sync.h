/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_SYNC_H
#define MODEL_MACHINE_SYNC_SYNC_H

#include "model/machine/core/memory.h"

/* Who waits for whom: warp collectives (lane-semantics sections 3, 4), CTA and cluster barriers
 * (section 5), mbarriers and copies (section 12). They change only the state block and tell the
 * memory what synchronizes. Called by lane_step. */

/* 'lanes' are running lanes of the warp that stand at the same micro with their guard true; one
 * lane alone is an ordinary case. */
void collective_arrive(struct run *run, uint32_t warp, uint32_t lanes); /* MICRO_COLLECTIVE */
/* Completes what the lanes of the warp wait at, after one has exited. */
void collective_retry(struct run *run, uint32_t warp);
bool collective_same(const struct micro *a, const struct micro *b);
void activemask_take(struct run *run, uint32_t warp, uint32_t lanes);
void barrier_arrive(struct run *run, uint32_t warp, uint32_t lanes); /* MICRO_BARRIER */
void barrier_retry(struct run *run, uint32_t warp);
void cluster_retry(struct run *run, uint32_t cluster);
void cluster_arrive(struct run *run, uint32_t warp, uint32_t lanes);
void cluster_wait(struct run *run, uint32_t warp, uint32_t lanes);
bool mbarrier_execute(struct run *run, uint32_t lane); /* MICRO_MBARRIER */
void copy_execute(struct run *run, uint32_t lane);
/* cp.async.wait_group and its like: what they wait for is performed now, at the latest moment. */
bool copy_wait(struct run *run, uint32_t lane);
/* Copies on their way are steps of their own. */
/* The first one on its way in the lane's queue from entry 'from' on, or NONE. */
uint32_t copy_next(const struct run *run, uint32_t lane, uint32_t from);
#define EACH_COPY(i, run, lane)                                                                    \
    for (uint32_t i = copy_next(run, lane, 0); i != NONE; i = copy_next(run, lane, i + 1))
bool copy_perform(struct run *run, uint32_t lane, uint32_t which);
/* mbarrier.complete_tx by a copy. */
bool mbarrier_complete_tx(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes);
/* Exits, and completes what waited for these lanes only. */
void warp_exit(struct run *run, uint32_t warp, uint32_t lanes);

/* After the last step: no lane can run. Reports what every waiting lane waits for and why it never
 * comes (section 6). False when all lanes have exited. 'spinning' (or NULL) has, by lane, whether
 * it goes round a loop that cannot end. */
bool hang_explain(struct run *run, const bool *spinning);
/* Columns only: completes barriers that no thread shown can come to any more. False: none. */
bool barrier_settle_open(struct run *run);
/* Columns only, when nothing can move: lets a barrier complete that waits for threads the test does
 * not show. */
bool barrier_release_open(struct run *run);

#endif
