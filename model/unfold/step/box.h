/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_BOX_H
#define MODEL_UNFOLD_STEP_BOX_H

#include "litmus/test/tensor_map.h"

/* Which elements a tensor copy moves, and where they lie (PTX 5.5). */

struct box {
    struct tensor_map map;
    int64_t at[TENSOR_RANK]; /* coordinates of its first element */
};

/* Neighbours that are moved together: of at most 8 bytes, and all inside the tensor or all outside. */
struct box_chunk {
    uint64_t shared; /* bytes from the beginning of the box in shared memory, before swizzling */
    uint64_t global; /* from the beginning of the tensor */
    uint32_t bytes;
    bool inside;
};

struct box_chunk *box_chunks(struct arena *arena, const struct box *box, uint32_t *count);
/* Where a byte of shared memory is that would be at this address without swizzling. */
uint64_t box_swizzled(uint64_t address, uint32_t swizzle);

#endif
