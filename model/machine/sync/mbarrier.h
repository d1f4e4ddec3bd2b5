/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_MBARRIER_H
#define MODEL_MACHINE_SYNC_MBARRIER_H

#include "model/machine/core/run.h"

/* mbarrier objects: lane-semantics section 12. */

bool mbarrier_waits(enum op op); /* test_wait, try_wait */

/* MICRO_MBARRIER; this and the next: false: not possible now. */
bool mbarrier_execute(struct run *run, uint32_t lane);
/* By the lane's copies: an arrival, or mbarrier.complete_tx of 'value' bytes. */
bool mbarrier_of_copy(struct run *run, uint32_t lane, enum op op, uint64_t value, uint64_t address);

/* What the object at the address waits for in its present phase: arrivals of 'expected', and bytes.
 * False: no object is there. */
struct mbarrier_missing {
    uint32_t pending, expected;
    int64_t bytes;
};
bool mbarrier_find_missing(struct run *run, uint32_t lane, uint64_t address,
                           struct mbarrier_missing *missing);

#endif
