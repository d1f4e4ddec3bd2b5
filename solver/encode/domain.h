/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ENCODE_DOMAIN_H
#define SOLVER_ENCODE_DOMAIN_H

#include "model/execution/exclusion.h"

/* Bounds computed before the first question: which values an expression can take, where an access
 * can fall, which writes a read can take a granule from. They hold in every execution whose values
 * do not depend on themselves, whatever the memory model says. */

/* More values than this: 'any'. What a granule receives from writes of a constant does not count: each is one choice
 * anyhow, up to the second limit. */
enum { DOMAIN_LIMIT = 80, DOMAIN_MOST = 4096 };

struct domain {
    bool any;
    uint32_t count;
    uint64_t *at; /* sorted */
};

/* One way an access can fall: the granules [first, first + count). */
struct footprint {
    uint64_t address, physical;
    uint32_t first, count;
};

struct domains {
    const struct graph *graph;
    const struct exclusion *excluded; /* or NULL */
    struct domain *of;                /* an expression */
    struct footprint *
        *places; /* a memory event; empty when its guard is false or its address is nowhere */
    uint32_t *place_count;
    uint32_t *placed;   /* how many addresses the places were made of */
    event_id **writers; /* a granule: the writes that may cover it, in order */
    uint32_t *writer_count;
    uint64_t *collected; /* scratch: DOMAIN_MOST values */
};

/* 'excluded' (or NULL): choices that are left out. */
struct domains *domains_new(struct arena *arena, const struct graph *graph,
                            const struct exclusion *excluded);
/* More values of a granule than this: 'any'. */
uint32_t domains_limit(const struct domains *domains, uint32_t granule);
/* The read takes nothing from the write. */
bool domains_exclude(const struct domains *domains, event_id write, event_id read);
/* The bits of 'value', written by 'place', that fall on 'granule', which it covers. */
uint64_t footprint_cut(const struct graph *graph, const struct footprint *place, uint32_t granule,
                       uint64_t value);
/* How far the granule's first bit is above the place's first bit. */
unsigned footprint_shift(const struct graph *graph, const struct footprint *place,
                         uint32_t granule);
bool footprint_covers(const struct footprint *place, uint32_t granule);

#endif
