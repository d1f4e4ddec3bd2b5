/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_HEADS_H
#define MODEL_MACHINE_RACE_HEADS_H

#include "model/machine/core/scope.h"
#include "model/machine/race/proxied.h"

/* Heads of release patterns (PTX 8.8), for the race detector: what was known at the first operation
 * of a pattern, and which threads its scope holds. An acquire whose scope holds the head's thread,
 * and that the head's scope holds, learns it (8.9.2: both ends are morally strong). */

struct head {
    struct scope_place place; /* units of several threads in one: UNIT_ANY */
    uint32_t scope;           /* enum scope */
    uint32_t at;     /* instruction of the strong read that met it, of one that is pending */
    uint32_t memory; /* the location it was published at or read from, where that matters */
    struct clock *clock;
    struct proxied proxied;
};

struct heads {
    struct head *at;
    uint32_t count;
};

/* Adds what 'head' publishes; heads whose scopes hold the same threads become one. Shares the
 * clocks. */
void heads_add(struct heads *heads, const struct head *head);
void heads_clear(struct heads *heads);

#endif
