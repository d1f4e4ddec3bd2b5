/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_TAKEN_H
#define MODEL_MACHINE_CORE_TAKEN_H

#include "model/machine/core/heap.h"
#include "model/machine/core/run.h"

/* Memory of device code's heap is there between malloc and free. */

/* Is the region another than the heap, or are the bytes those of a block that is taken? */
static inline bool taken_is(const struct run *run, const struct region *region, uint64_t address,
                            uint64_t bytes)
{
    return !run->heap || region->location != run->machine->heap ||
           heap_holds(run->heap, address, bytes);
}

/* The same for an access of the lane; reports one that is not to be made. */
bool taken_check(struct run *run, uint32_t lane, const struct region *region, uint64_t address,
                 uint64_t bytes);
/* ": …", what is known of the released block that begins at the address, or "". */
const char *taken_released(const struct run *run, uint64_t address);

#endif
