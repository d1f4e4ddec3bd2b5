/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_MBARRIER_H
#define MODEL_MACHINE_SYNC_MBARRIER_H

#include "model/machine/core/run.h"

/* mbarrier objects: lane-semantics section 12. */

bool mbarrier_waits(enum op op); /* test_wait, try_wait */

/* MICRO_MBARRIER; this and the next two: false: not possible now. */
bool mbarrier_execute(struct run *run, uint32_t lane);
/* By the lane's copies: an arrival, and mbarrier.complete_tx. */
bool mbarrier_arrive(struct run *run, uint32_t lane, uint64_t address);
bool mbarrier_complete_tx(struct run *run, uint32_t lane, uint64_t address, uint32_t bytes);

#endif
