/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_CELLS_H
#define MODEL_MACHINE_RACE_CELLS_H

#include "model/machine/race/shadow.h"

/* A region in cells of one size, each the accesses to its bytes. Every access so far covers whole
 * cells: they are large where accesses are, and split before the first that is smaller. {0}: none yet. */
struct cells {
    struct cell *at;
    uint32_t count, shift; /* log2 of a cell's bytes */
};

void cells_start(struct cells *cells, uint32_t bytes, uint32_t shift);
/* Into cells of 1 << shift bytes, no more than they have. */
void cells_split(struct cells *cells, uint32_t shift);
/* As if nothing had been accessed; the size stays. */
void cells_clear(struct cells *cells);
void cells_free(struct cells *cells);

#endif
