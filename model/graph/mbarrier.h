/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_MBARRIER_H
#define MODEL_GRAPH_MBARRIER_H

#include <stdint.h>

/* The 8 bytes of an mbarrier object (ptx-model.md 6.4), which hold its whole state:
 *
 *     bits  0..19  pending arrivals        20..39  expected arrivals
 *          40..60  tx-count, signed        61..63  phase, modulo 8 */
enum {
    MBARRIER_COUNT_BITS = 20,
    MBARRIER_TX_BITS = 21,
    MBARRIER_PHASE_BITS = 3,
    MBARRIER_TX_LOW = 2 * MBARRIER_COUNT_BITS,
    MBARRIER_PHASE_LOW = MBARRIER_TX_LOW + MBARRIER_TX_BITS
};

struct mbarrier_state {
    uint32_t phase, pending, expected;
    int32_t tx;
};

static inline struct mbarrier_state mbarrier_state(uint64_t word)
{
    const uint64_t count = (UINT64_C(1) << MBARRIER_COUNT_BITS) - 1;
    const int above = 64 - MBARRIER_PHASE_LOW;
    return (struct mbarrier_state){
        .pending = (uint32_t)(word & count),
        .expected = (uint32_t)(word >> MBARRIER_COUNT_BITS & count),
        .tx = (int32_t)((int64_t)(word << above) >> (above + MBARRIER_TX_LOW)),
        .phase = (uint32_t)(word >> MBARRIER_PHASE_LOW)};
}

#endif
