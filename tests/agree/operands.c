/* SPDX-License-Identifier: MIT */
#include "tests/agree/operands.h"

#include <stdbool.h>

/* Numbers that somebody forgets: around zero, around the width, around the ends of every type. */
static const uint64_t edges[] = {0,
                                 1,
                                 UINT64_MAX,
                                 2,
                                 7,
                                 8,
                                 15,
                                 16,
                                 17,
                                 31,
                                 32,
                                 33,
                                 63,
                                 64,
                                 65,
                                 127,
                                 128,
                                 255,
                                 256,
                                 0x7fff,
                                 0x8000,
                                 0xffff,
                                 0x10000,
                                 0x7fffffff,
                                 0x80000000,
                                 0xffffffff,
                                 0x100000000,
                                 0xffffffff80000000,
                                 0x7fffffffffffffff,
                                 0x8000000000000000,
                                 0xffffffffffff8000,
                                 0xffffffffffffff80};
enum { EDGES = sizeof edges / sizeof *edges };

uint64_t operands_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/* The pairs of edge values in an order of which the first few hundred have all of both. */
static uint64_t edge_of(uint32_t i, uint32_t k)
{
    uint32_t pair = i * 389 % (EDGES * EDGES);
    return edges[k ? pair / EDGES : pair % EDGES];
}

void operands_fill(uint64_t **sources, uint32_t source_count, uint32_t count)
{
    uint64_t state = 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < source_count; k++) {
            uint64_t number = operands_next(&state) >> (operands_next(&state) >> 58);
            bool edge = i < EDGES * EDGES ? k > 1 : operands_next(&state) >> 62 == 0;
            sources[k][i] = i < EDGES * EDGES && k < 2 ? edge_of(i, k)
                            : edge                     ? edges[operands_next(&state) % EDGES]
                                                       : number;
        }
}
