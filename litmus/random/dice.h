/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_RANDOM_DICE_H
#define LITMUS_RANDOM_DICE_H

#include <stdbool.h>
#include <stdint.h>

/* Random numbers, xorshift64*: the same ones for the same seed everywhere. */
static inline uint64_t dice_seed(uint64_t seed)
{
    return (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

/* One of 0 to limit - 1. */
static inline uint32_t dice_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 33) % limit);
}

/* True so many times of a hundred. */
static inline bool dice_chance(uint64_t *state, uint32_t percent)
{
    return dice_below(state, 100) < percent;
}

#endif
