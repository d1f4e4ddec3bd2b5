/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_RACE_PRIVATE_H
#define MODEL_MACHINE_RACE_PRIVATE_H

#include <glib.h>

#include "model/machine/race/predict.h"
#include "model/machine/race/heads.h"
#include "model/machine/race/shadow.h"

/* Shared by race.c (what is kept), access.c (who touched what), order.c and
 * release.c (who knows of whom). Time is one counter of the whole run, which grows at every
 * synchronization: an access is stamped with it, and whoever hears of a thread at time t knows its
 * accesses stamped before t. */

/* What a lane knows of other threads, and the release patterns that it has begun. */
struct thread_clock {
    uint32_t cta;        /* accesses of its own CTA stamped so or earlier: by whole-CTA barriers */
    uint32_t warp;       /* the same of its own warp */
    struct clock *known; /* anything else */
    struct heads fenced; /* of its releasing fences: all its strong writes publish them */
    struct heads released; /* of its release operations: its strong writes there publish them */
    struct heads pending;  /* what strong reads have seen: for later acquires there, and fences */
    struct proxied proxied;
    GArray *copies; /* struct copy that nobody is known to have waited for; or NULL */
};

/* Arrivals at a barrier that has not completed. */
struct gathering {
    uint32_t warps[32]; /* by warp of the CTA: lanes arrived */
    uint32_t count;
    uint32_t times[32];  /* when each of them came */
    struct clock *clock; /* what the arrivals knew beyond their CTA */
    struct proxied proxied;
    uint32_t cta; /* largest own-CTA knowledge among them */
};

/* A phase of a cluster's barrier. */
struct phase {
    uint32_t generation;
    struct clock *clock; /* what its arrivals published */
    struct proxied proxied;
};

/* What an acquire of a location learns. */
struct variable {
    struct heads heads;       /* that the last write publishes; an mbarrier's completed phases */
    struct heads arriving;    /* an mbarrier's phase that is not complete */
    struct scope_place place; /* of the last write */
    uint32_t scope;           /* of the last write; SCOPE_NONE: weak */
    uint64_t thread;          /* that made it */
};

/* Of a detector that predicts (predict.h). */
struct prediction {
    struct predictions *to;
    GArray *counts;   /* by time: how often the lane had executed the instruction by then */
    uint32_t *number; /* by instruction: of the access that it is */
    uint32_t accesses;
    bool over; /* too much to keep: it is told of nothing any more */
};

/* What belongs to one cluster of a launch, while it runs or waits for its next turn. */
struct race_context {
    const struct machine *machine;
    struct thread_clock *threads; /* by lane of the machine */
    struct gathering *barriers;   /* by CTA and barrier id */
    struct phase *phases;         /* two a cluster: even and odd generations */
    struct cells *shared;         /* by region, of shared memory */
    GHashTable *variables;        /* of shared memory: physical offset -> struct variable */
    uint32_t *executed;           /* by lane, then access: how often; NULL: nobody counts */
};

/* What was joined last: threads that did the same mostly learn the same of one clock. */
struct sum {
    struct clock *of, *and, *is;
};

struct race_detector {
    const struct machine *machine;
    GHashTable *contexts;     /* cluster index -> struct race_context */
    struct race_context *now; /* of the present cluster */
    struct cells *cells;      /* by region, of other memory */
    GHashTable *variables;    /* of other memory */
    GHashTable *past;    /* what loads may return besides the newest value (stale.h), or NULL */
    struct heads fences; /* what the fence.sc so far have published */
    struct sum sum;
    uint32_t time, written; /* written: of the last strong write */
    uint32_t first_warp,
        first_cta;       /* numbers in the grid of the machine's first ones; warps from 1 */
    uint32_t wide_scope; /* it and wider ones hold every thread of this launch */
    uint32_t near_scope; /* the same of the machine: of all who reach its shared memory */
    bool lockstep;
    struct race_detector *predictor; /* is told of the same, and predicts; or NULL */
    struct prediction *prediction;   /* it predicts: barriers alone order; or NULL */
    bool textures;                   /* some program reads textures, or reads or writes surfaces */
};

/* Where the threads of a warp of the grid stand. */
static inline struct scope_place race_place_of_warp(const struct race_detector *race, uint32_t warp)
{
    uint32_t warps = race->machine->warp_count;
    return scope_place_of(race->machine, race->machine->warps[(warp - 1) % warps].cta,
                          (warp - 1) / warps);
}

static inline uint32_t race_warp_number(const struct race_detector *race, uint32_t lane)
{
    return race->first_warp + race->machine->lanes[lane].warp;
}

static inline uint64_t race_thread_number(const struct race_detector *race, uint32_t lane)
{
    return (uint64_t)race_warp_number(race, lane) * 32 + race->machine->lanes[lane].lane;
}

/* Does who knows 'known' know lane 'p' of the stamp's warp up to the stamp? */
bool race_knows(const struct race_detector *race, const struct clock *known,
                const struct stamp *stamp, uint32_t p);
/* How strong, as its scope: SCOPE_NONE for a weak access. */
uint32_t race_strength(const struct micro *micro);
/* Lane p of the stamp's warp; NONE: of a cluster that has its turn another time. */
uint32_t race_lane_of(const struct race_detector *race, const struct stamp *stamp, uint32_t p);
/* What would order two accesses that race, the first by lane p of its warp and then one of 'lane' ('ordered': but for the proxy): the
 * end of a sentence, or "". */
const char *race_remedy(struct race_detector *race, struct run *run, struct arena *arena,
                        uint32_t lane, const struct stamp *self, const struct stamp *other,
                        uint32_t p, bool ordered);

/* All a lane knows, itself included, as others would learn it. New reference. */
struct clock *race_snapshot(struct race_detector *race, uint32_t lane);
void race_learn(struct race_detector *race, struct thread_clock *thread, struct clock *news);
void race_forget_sum(struct race_detector *race);

void predict_free(struct prediction *prediction); /* accepts NULL */
/* The lane executes the access now, at a time of its own. False: it has done so too often to go on. */
bool predict_access(struct race_detector *race, uint32_t lane, const struct micro *micro);
/* Lane p of the first stamp and lane q of the second. */
void predict_pair(struct race_detector *race, const struct machine_report *report,
                  const struct stamp *first, uint32_t p, const struct stamp *second, uint32_t q);
/* Who predicts beside the detector, or NULL. */
static inline struct race_detector *race_predictor(const struct race_detector *race)
{
    return race->predictor && !race->predictor->prediction->over ? race->predictor : NULL;
}

GHashTable *race_variables_new(void); /* physical offset -> struct variable */
/* Does the access change what anybody may learn? */
bool race_orders(const struct race_detector *race, const struct micro *micro,
                 const struct region *region);
/* An access of the lane to bytes that no micro_is_access tells of: of a copy, to an mbarrier object. 'how'
 * but for the instruction. Nothing where no region holds the bytes. */
void race_touch(struct race_detector *race, struct run *run, uint32_t lane,
                const struct micro *micro, uint64_t address, uint32_t bytes, uint32_t how);
/* A copy of the lane, whose pending accesses to the bytes have the 'how', is over now. Does the lane
 * know that, or those that learn of its copies? */
void race_settle(struct race_detector *race, uint32_t lane, uint64_t address, uint32_t bytes,
                 uint32_t how, bool known);
/* The location's present variable, heads of its own; what was in '*to' before is released. */
void race_copy_variable(const struct race_detector *race, uint32_t memory, struct variable *to);
/* A load of the location returns what the variable's write left there. */
void race_read_before(struct race_detector *race, uint32_t lane, const struct micro *micro,
                      uint32_t memory, const struct variable *variable);
/* Release and acquire by an access at physical offset 'memory'. */
void race_order_access(struct race_detector *race, uint32_t lane, const struct micro *micro,
                       uint32_t memory);

#endif
