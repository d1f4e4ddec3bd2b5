/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_PRIVATE_H
#define MODEL_MACHINE_RACE_PRIVATE_H

#include <glib.h>

#include "model/machine/clock.h"
#include "model/machine/race.h"
#include "model/machine/shadow.h"

/* Shared by race.c (who touched what) and race_order.c (who knows of whom). Time is one counter of
 * the whole run, which grows at every synchronization: an access is stamped with it, and whoever
 * hears of a thread at time t knows its accesses stamped before t. */

/* What a lane knows. */
struct thread_clock {
    uint32_t cta;         /* accesses of its own CTA stamped so or earlier: by whole-CTA barriers */
    uint32_t warp;        /* the same of its own warp */
    struct clock *known;  /* anything else */
    struct clock *fenced; /* what it knew at its last releasing fence: strong writes publish it */
    struct clock *pending; /* what strong reads have seen: known from the next acquiring fence on */
};

/* Arrivals at a barrier that has not completed. */
struct gathering {
    uint32_t warps[32]; /* by warp of the CTA (of the cluster): lanes arrived */
    uint32_t count;
    uint32_t times[32];  /* when each of them came */
    struct clock *clock; /* what the arrivals knew beyond their CTA */
    uint32_t cta;        /* largest own-CTA knowledge among them */
};

/* What an acquire of a location learns. */
struct variable {
    struct clock *clock;
    uint32_t scope, cta;
    uint32_t cluster; /* of the whole grid */
};

/* What belongs to the machine's present cluster; kept while another one has its turn. */
struct race_context {
    struct thread_clock *threads; /* by lane of the machine */
    struct gathering *barriers;   /* by CTA and barrier id */
    struct gathering *clusters;   /* two a cluster: the phase being gathered, and the one before */
    struct cell **shared;         /* by region: cells of shared memory */
};

struct race {
    const struct machine *machine;
    struct race_context now;
    GHashTable *parked;    /* cluster index -> struct race_context */
    struct cell **cells;   /* by region: cells of other memory */
    GHashTable *variables; /* physical offset -> struct variable */
    struct clock *fences;  /* what the fence.sc so far have published */
    uint32_t time;
    uint32_t first_warp,
        first_cta; /* numbers in the grid of the machine's first ones; warps from 1 */
    bool lockstep;
};

/* An access being looked at. */
struct actor {
    uint32_t lane, warp, position;
    uint32_t first_warp, warps; /* of its CTA */
    const struct thread_clock *clock;
    const struct region *region;
    uint32_t offset;
    struct stamp stamp;
    bool writes;
};

/* CTA number in the grid of a warp number of the grid. */
static inline uint32_t race_cta_of_warp(const struct race *race, uint32_t warp)
{
    uint32_t round = (warp - 1) / race->machine->warp_count,
             index = (warp - 1) % race->machine->warp_count;
    return round * race->machine->cta_count + race->machine->warps[index].cta;
}

/* Release and acquire by an access at physical offset 'memory'. */
void race_order_access(struct race *race, uint32_t lane, const struct micro *micro,
                       uint32_t memory);
void race_forget_gathering(struct gathering *gathering);

#endif
