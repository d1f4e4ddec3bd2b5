/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SYNC_MBARRIER_H
#define MODEL_MACHINE_SYNC_MBARRIER_H

#include "litmus/test/test.h"

/* The contents of an mbarrier object; it is stored as one 64-bit word, and a word is also the state
 * token that arrive returns. */
struct mbarrier {
    uint64_t pending, expected;
    int64_t tx;
    bool phase, valid;
};
struct mbarrier mbarrier_unpack(uint64_t word);
uint64_t mbarrier_pack(const struct mbarrier *barrier);
bool mbarrier_waits(enum op op); /* test_wait, try_wait */

#endif
