/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_DECIDING_H
#define MODEL_MACHINE_SEARCH_DECIDING_H

#include "model/machine/core/machine.h"

/* Which accesses can decide whether a run ends: what is read there may reach a branch, a guard, or a value that
 * is written where one of these is read. An execution without the others is still one, as it orders no
 * more than before, and its threads go the same way. */

/* An access of a lane's program to a place known beforehand. */
struct place_access {
    const struct micro *micro;
    uint32_t lane;
    uint32_t memory, bytes; /* physical, so that aliases overlap */
};

/* By access. False: nothing that the threads do depends on it. In 'arena'. */
bool *deciding_accesses(struct arena *arena, const struct machine *machine,
                        const struct place_access *accesses, uint32_t count);

#endif
