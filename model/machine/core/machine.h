/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_MACHINE_H
#define MODEL_MACHINE_CORE_MACHINE_H

#include "litmus/test/tearing.h"
#include "model/machine/core/report.h"
#include "model/machine/core/state.h"
#include "model/execution/outcome.h"

/* A test set up for running lane by lane: who is where, where the parts of its state lie, the
 * addresses of its locations. Fixed while it runs; the moving part is a 'struct state' (a flat
 * block) and a memory (memory.h). docs/machine.md tells the story. */

struct api;
struct state; /* the block; its parts by the functions below */

/* Where a thread stands: indexes into the arrays of the machine. */
struct lane_place {
    uint32_t warp, lane; /* lane: position in the warp, 0..31 */
    uint32_t cta, cluster, gpu;
    uint32_t program;
    uint32_t column;      /* or NONE */
    uint32_t launch, tid; /* or NONE; tid linear in its CTA */
    uint32_t host;        /* host thread or function, or NONE */
    uint32_t task;        /* of the runtime, whose start it waits for (api.h), or NONE */
};

struct warp_place {
    uint32_t first_lane; /* lane at position p is machine lane first_lane + p */
    uint32_t width;      /* positions kept: the highest that exists, plus one */
    uint32_t present;    /* positions that exist */
    uint32_t cta, index; /* index in the CTA */
};

struct cta_place {
    uint32_t first_warp, warps;
    uint32_t cluster, rank, gpu;
    uint32_t launch; /* or NONE: columns */
    struct dim3 id;
    bool open; /* columns: threads the test does not show may exist, see struct column */
};

struct cluster_place {
    uint32_t first_cta, ctas, gpu;
    uint32_t threads;
};

/* One run of bytes with an address of its own. Names that alias lie in one region. */
struct region {
    uint64_t base; /* generic address of the first byte */
    uint32_t bytes;
    uint32_t memory; /* offset of the first byte in the memory's own array: aliases share it */
    enum space space;
    uint32_t cta; /* SHARED: whose; NONE otherwise */
    uint32_t location;
};

enum machine_mode { MACHINE_ITS, MACHINE_LOCKSTEP };

struct machine_options {
    enum machine_mode mode;
    bool strict_pc;       /* collectives of one completion at different pcs are reported */
    uint32_t elect;       /* elect.sync's leader: how many participants lie below it, modulo all */
    enum tearing tearing; /* of accesses to the weak memory */
    uint64_t max_steps;   /* of a run; 0: the default, 10 million micros */
};

struct machine {
    const struct test *test;
    struct arena *arena;
    struct machine_options options;
    struct program **programs;
    uint32_t program_count;
    struct lane_place *lanes;
    uint32_t lane_count;
    struct warp_place *warps;
    uint32_t warp_count;
    struct cta_place *ctas;
    uint32_t cta_count;
    struct cluster_place *clusters;
    uint32_t cluster_count;
    struct region *regions; /* sorted by base; an aliased name has a region of its own */
    uint32_t region_count;
    struct api *api;            /* host programs, else NULL */
    uint32_t *workspaces;       /* by launch: location of the cooperative workspace, or NONE */
    uint32_t shared_bytes;      /* the first bytes of it: all shared memory */
    uint32_t memory_bytes;      /* of the array that the regions lie in */
    uint64_t *touches, *writes; /* by lane, sets of locations (touch.h) */
    uint64_t **fixed; /* by warp: fixed slot s of position p is at [(s - reg_slots) * width + p] */
    /* layout of the state block */
    bool has_barriers, has_clusters;
    uint32_t copies; /* entries of a lane's queue of asynchronous copies; 0: there are none */
    size_t state_bytes, lanes_at, warps_at, barriers_at, copies_at, api_at;
    size_t *regs_at;   /* by warp: slot s of position p is 64-bit word s * width + p */
    size_t *poison_at; /* by warp: 32-bit mask of positions for each register slot */
    size_t *local_at;  /* by lane: its .local memory */
};

/* NULL after errors in 'diags': host programs, instructions the executor does not know, too many
 * threads for lane-by-lane running (MACHINE_MAX_LANES). Everything lives in 'arena'. */
struct machine *machine_new(struct arena *arena, const struct test *test,
                            const struct machine_options *options, struct diag_list *diags);
enum { MACHINE_MAX_LANES = 4096 };

/* One cluster of a launch only, for whole kernels; machine_move_cluster makes it another one. */
struct machine *machine_new_cluster(struct arena *arena, const struct test *test, uint32_t launch,
                                    const struct machine_options *options, struct diag_list *diags);
void machine_move_cluster(struct machine *machine, uint32_t index);
uint32_t machine_linear_cta(const struct machine *machine, uint32_t cta);

/* A lane's own .local variables lie from here on. */
#define LOCAL_FIRST UINT64_C(0xf0000000)

/* The initial contents of memory, machine.memory_bytes bytes. */
void machine_initial(const struct machine *machine, uint8_t *bytes);

/* Writes the initial state into 'state', machine.state_bytes of the caller's. */
void machine_start(const struct machine *machine, struct state *state);

/* The parts of the block. */
static inline void *state_part(struct state *state, size_t at)
{
    return (uint8_t *)state + at;
}

static inline struct lane *state_lane(const struct machine *machine, struct state *state,
                                      uint32_t lane)
{
    return (struct lane *)state_part(state, machine->lanes_at) + lane;
}

static inline struct warp *state_warp(const struct machine *machine, struct state *state,
                                      uint32_t warp)
{
    return (struct warp *)state_part(state, machine->warps_at) + warp;
}

static inline uint64_t *state_regs(const struct machine *machine, struct state *state,
                                   uint32_t warp)
{
    return state_part(state, machine->regs_at[warp]);
}

static inline uint32_t *state_poison(const struct machine *machine, struct state *state,
                                     uint32_t warp)
{
    return state_part(state, machine->poison_at[warp]);
}

static inline uint8_t *state_local(const struct machine *machine, struct state *state,
                                   uint32_t lane)
{
    return state_part(state, machine->local_at[lane]);
}

static inline struct barrier *state_barrier(const struct machine *machine, struct state *state,
                                            uint32_t cta, uint32_t id)
{
    return (struct barrier *)state_part(state, machine->barriers_at) + cta * BARRIERS + id;
}

/* machine->copies of them. */
static inline struct copy *state_copies(const struct machine *machine, struct state *state,
                                        uint32_t lane)
{
    return (struct copy *)state_part(state, machine->copies_at) + (size_t)lane * machine->copies;
}

/* A slot of one lane: its word for n = 1 calls of an alu_fn; write registers only. */
static inline uint64_t *lane_slot(const struct machine *machine, struct state *state, uint32_t lane,
                                  slot at)
{
    const struct lane_place *place = &machine->lanes[lane];
    const struct warp_place *warp = &machine->warps[place->warp];
    uint32_t regs = machine->programs[place->program]->reg_slots;
    if (at < regs)
        return state_regs(machine, state, place->warp) + (size_t)at * warp->width + place->lane;
    return machine->fixed[place->warp] + (size_t)(at - regs) * warp->width + place->lane;
}

static inline bool lane_poisoned(const struct machine *machine, struct state *state, uint32_t lane,
                                 slot at)
{
    const struct lane_place *place = &machine->lanes[lane];
    if (at == SLOT_NONE || at >= machine->programs[place->program]->reg_slots)
        return false;
    return state_poison(machine, state, place->warp)[at] >> place->lane & 1;
}

static inline bool lane_running(const struct machine *machine, struct state *state, uint32_t lane)
{
    const struct lane_place *place = &machine->lanes[lane];
    return state_warp(machine, state, place->warp)->running >> place->lane & 1;
}

static inline const struct micro *lane_micro(const struct machine *machine, struct state *state,
                                             uint32_t lane)
{
    return &machine->programs[machine->lanes[lane].program]
                ->micros[state_lane(machine, state, lane)->pc];
}

/* Does the guard of the lane's micro let it execute? */
static inline bool lane_enabled(const struct machine *machine, struct state *state, uint32_t lane)
{
    const struct micro *micro = lane_micro(machine, state, lane);
    if (micro->guard == SLOT_NONE)
        return true;
    return (*lane_slot(machine, state, lane, micro->guard) & 1) != micro->guard_negated;
}

/* The region that holds [address, address + bytes), or NULL. */
const struct region *machine_region(const struct machine *machine, uint64_t address,
                                    uint32_t bytes);

/* Values of test->observed in a final state; 'memory_at' holds machine.memory_bytes bytes. */
void machine_observe(const struct machine *machine, struct state *state, const uint8_t *memory_at,
                     uint64_t *values);

#endif
