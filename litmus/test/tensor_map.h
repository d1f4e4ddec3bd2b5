/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_TENSOR_MAP_H
#define LITMUS_TEST_TENSOR_MAP_H

#include "litmus/test/test.h"

/* A tensor map as cuTensorMapEncodeTiled makes one (PTX 5.5.8): how a tensor lies in global memory, and which box of it a
 * copy moves. CUDA keeps its 128 bytes to itself; ours hold the same facts in words of our own. */

enum { TENSOR_RANK = 5, TENSOR_WORDS = 16, TENSOR_BYTES = 8 * TENSOR_WORDS };

/* Dimension 0 is the innermost one. */
struct tensor_map {
    enum type type; /* of an element */
    uint32_t rank;
    uint64_t
        offset; /* of the first element, in bytes, from the location that word 0 is the address of */
    uint64_t dims[TENSOR_RANK];
    uint64_t strides[TENSOR_RANK]; /* in bytes; [0]: an element's size */
    uint32_t box[TENSOR_RANK];
    uint32_t steps[TENSOR_RANK]; /* of the box, every which element is moved: elementStrides */
    uint32_t swizzle;            /* 0, 32, 64 or 128 bytes */
    bool nans; /* a load fills with NaN what the box has outside of the tensor, not with zeros */
};

/* Word 0, the address, is left 0. */
void tensor_map_pack(const struct tensor_map *map, uint64_t words[TENSOR_WORDS]);
/* False: these are not the words of a tensor map. */
bool tensor_map_unpack(const uint64_t words[TENSOR_WORDS], struct tensor_map *map);
bool tensor_map_same(const struct tensor_map *a, const struct tensor_map *b);
/* What cuTensorMapEncodeTiled refuses, in 'arena'; NULL: nothing. */
const char *tensor_map_fault(struct arena *arena, const struct tensor_map *map);
/* The map that begins 'offset' bytes into the location, whose initial contents it is; false: none does. 'tensor': what it
 * describes begins there. */
bool tensor_map_at(const struct test *test, uint32_t location, uint64_t offset,
                   struct tensor_map *map, uint32_t *tensor);
/* How many elements of the box are moved along the dimension; in all, in bytes. */
uint32_t tensor_map_count(const struct tensor_map *map, uint32_t dim);
uint32_t tensor_map_bytes(const struct tensor_map *map);
/* Has PTX this reduction of its elements (9.7.9.25.5)? */
bool tensor_map_reduces(const struct tensor_map *map, enum atom_op op);
/* What a load puts outside of the tensor, by 8 bytes. */
uint64_t tensor_map_fill(const struct tensor_map *map);

#endif
