/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_MEMORY_H
#define MODEL_MACHINE_CORE_MEMORY_H

#include "model/machine/core/state.h"

/* The interface of a memory. There are two: 'sc', one value a byte (memory/sc.c), and 'ptx', a weak
 * machine (memory/weak). A memory decides what loads return and when stores are seen. It is told
 * which lanes synchronize, and knows nothing of masks, divergence or barriers. */

enum { ACCESS_ELEMENTS = 8 };

struct memory;
struct run;

/* One load, store or atomic of one lane, its address resolved and checked. */
struct memory_access {
    uint32_t lane;
    const struct micro *micro;   /* semantics, scope, proxy, atomic operation, flags */
    const struct region *region; /* the one 'address' lies in */
    uint64_t address;            /* generic virtual address */
    uint32_t memory;             /* offset in the memory's array: physical, aliases share it */
    uint32_t bytes, count;       /* of an element (1, 2, 4, 8, 16); elements (1, 2, 4, 8) */
    bool reads, writes;          /* atom: both; a cas that fails does not write */
    /* Element i at [i] (16-byte elements: low half at [2i], high at [2i+1]); raw bits. Stores: what
     * to write. Loads and atom: what was read, filled in by the memory. Atomics: operand b in
     * 'value', c in 'operand'. */
    uint64_t value[ACCESS_ELEMENTS], operand[ACCESS_ELEMENTS];
    bool poison; /* set by the memory: what was read has no defined value */
};

/* Synchronization that the lane rules found, for the memory to act on. Participants are lanes. */
enum sync_kind {
    SYNC_WARP, /* a bar.warp.sync completed: every participant with every other, CTA scope */
    SYNC_BARRIER_ARRIVE, /* lanes reached CTA barrier 'id' (sync, arrive, red): generation
                            'generation' */
    SYNC_BARRIER_LEAVE,  /* lanes left it by sync or red: ordered after all arrivals of the
                            generation */
    SYNC_CLUSTER_ARRIVE, /* barrier.cluster.arrive in phase 'generation' ('relaxed': orders nothing)
                          */
    SYNC_CLUSTER_LEAVE,  /* barrier.cluster.wait of phase 'generation' passed */
    SYNC_HANDOVER, /* the runtime: the first lane learns all that the others know, by any proxy */
    SYNC_GRID,     /* grid.sync: the first lane learns all that the others know */
    SYNC_PUBLISH, /* griddepcontrol.launch_dependents: the first lane learns what the second knew at
                     its release fences; 'late': somebody should have known of it before */
};
struct sync {
    enum sync_kind kind;
    const uint32_t *lanes;
    uint32_t lane_count;
    uint32_t cta, cluster, id, generation;
    bool relaxed, late;
};

/* What an mbarrier operation orders. */
struct mbarrier_order {
    enum sem sem;
    enum scope scope;
    bool arrives;          /* counts towards the phase */
    bool of_copy;          /* it tells of bytes that were copied, and of nothing else of the lane */
    const bool *passed;    /* a wait: did it return true? Set by 'update'; NULL for the others */
    const bool *completed; /* did the operation complete the phase? Set by 'update' */
};

/* What a lane does about its asynchronous copies. */
enum copy_step {
    COPY_STARTS,    /* the copy; it may be made from now on */
    COPY_COMMITTED, /* those of no group yet: to 'group' */
    COPY_AWAITED,   /* groups up to 'group' are over; UINT32_MAX: all copies */
    COPY_ARRIVES,   /* all are over, and the lane knows, or an mbarrier that is told next */
};

struct memory_ops {
    const char *name;
    /* Performs the access: fills in what it reads. */
    void (*access)(struct run *run, struct memory_access *access);
    void (*fence)(struct run *run, uint32_t lane, const struct micro *micro);
    void (*sync)(struct run *run, const struct sync *sync);
    /* mbarrier objects are 8-byte words of shared memory that change atomically: 'update' reads the
     * word, changes it or not, and says whether it did. */
    void (*mbarrier)(struct run *run, uint32_t lane, const struct memory_access *at,
                     const struct mbarrier_order *order,
                     bool (*update)(void *context, uint64_t *word), void *context);
    /* Asynchronous copy: moves the bytes now. */
    void (*copy)(struct run *run, uint32_t lane, const struct copy *copy);
    /* A step about copies, for those who look for races; NULL: nobody does. 'copy' where one starts. */
    void (*copy_step)(struct run *run, uint32_t lane, enum copy_step step, const struct copy *copy,
                      uint32_t group);
    /* Something happened in the lane that others may have to know of; every mark of the token is
     * known to the lane. NULL: the memory keeps none. */
    void (*mark)(struct run *run, uint32_t lane, uint32_t token);
    bool (*knows_marks)(struct run *run, uint32_t lane, uint32_t token);
    /* The final contents, coherence-last, into machine.memory_bytes bytes. */
    void (*final)(struct run *run, uint8_t *bytes);
    void (*reset)(struct memory *memory); /* to the initial contents */
    /* 'hash' is updated so that states no continuation can tell apart hash alike. */
    void (*hash)(struct memory *memory, uint64_t hash[2]);
    /* Nothing depends on how often a barrier was complete, so that a loop around one comes back to where it was. */
    bool forgets_generations;
};

struct memory { /* the implementation's struct starts with this */
    const struct memory_ops *ops;
    void *block; /* the whole state: a search copies it to and fro */
    size_t block_bytes;
};

#endif
