/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_MACHINE_H
#define MODEL_MACHINE_CORE_MACHINE_H

#include "litmus/test/tearing.h"
#include "litmus/test/tensor_map.h"
#include "model/machine/program/program.h"

/* A test set up for running lane by lane: the places of its lanes, where the parts of its state
 * lie, the addresses of its locations. It is fixed while the test runs; what changes is a flat
 * block (state.h) and a memory (memory.h). docs/machine.md describes both. */

struct api;
struct host_call;

enum { MACHINE_MAX_LANES = 4096 }; /* the most for lane-by-lane running */

/* Where a thread stands: indexes into the arrays of the machine. */
struct lane_place {
    uint32_t warp, lane; /* lane: position in the warp, 0..31 */
    uint32_t cta, cluster;
    uint32_t program;
    uint32_t column;              /* or NONE */
    uint32_t launch, tid;         /* or NONE; tid linear in its CTA */
    uint32_t host;                /* host thread or function, or NONE */
    uint32_t task;                /* of the runtime, whose start it waits for (api.h), or NONE */
    const struct host_call *call; /* of the runtime that it works for, or NULL */
};

struct warp_place {
    uint32_t first_lane; /* lane at position p is machine lane first_lane + p */
    uint32_t width;      /* positions kept: the highest that exists, plus one */
    uint32_t present;    /* positions that exist */
    uint32_t cta, index; /* index in the CTA */
};

struct cta_place {
    uint32_t first_warp, warps;
/* its own number, that of its cluster …: equal numbers mean the same place */
#define PLACE(scope, member) uint32_t member;
#include "litmus/isa/words.def"
    uint32_t rank;   /* in its cluster */
    uint32_t launch; /* or NONE: columns */
    struct dim3 id;
    bool open; /* columns: threads the test does not show may exist, see struct column */
};

struct cluster_place {
    uint32_t first_cta, ctas;
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

/* A tensor map of the initial contents of memory. */
struct machine_map {
    struct tensor_map map;
    uint64_t base; /* address of its tensor */
};

enum machine_mode { MACHINE_ITS, MACHINE_LOCKSTEP };

struct machine_options {
    enum machine_mode mode;
    bool strict_pc;       /* collectives of one completion at different pcs are reported */
    uint32_t elect;       /* elect.sync's leader: how many participants lie below it, modulo all */
    enum tearing tearing; /* of accesses to the weak memory */
    bool keep_going; /* after an access outside: a load returns 'outside', a store does nothing */
    uint64_t outside;
    uint64_t max_steps; /* of a run; 0: the default, 10 million micros */
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
    struct api *api;       /* host programs, else NULL */
    uint32_t *workspaces;  /* by launch: location of the cooperative workspace, or NONE */
    uint32_t reserved;     /* location of the shared memory that the runtime keeps, or NONE */
    uint32_t heap;         /* location of the heap of device code, or NONE */
    uint32_t shared_bytes; /* the first bytes of it: all shared memory */
    uint32_t memory_bytes; /* of the array that the regions lie in */
    const bool ***leads;   /* by program and micro: program_leads_to, where it was asked for */
    uint64_t **fixed; /* by warp: fixed slot s of position p is at [(s - reg_slots) * width + p] */
    /* layout of the state block */
    bool has_barriers, has_clusters;
    struct machine_map *maps; /* all that the test gives */
    uint32_t map_count;
    uint32_t copies; /* entries of a lane's queue of asynchronous copies; 0: there are none */
    size_t state_bytes, lanes_at, warps_at, barriers_at, copies_at, api_at;
    size_t *regs_at;   /* by warp: slot s of position p is 64-bit word s * width + p */
    size_t *poison_at; /* by warp: 32-bit mask of positions for each register slot */
    size_t *local_at;  /* by lane: its .local memory */
};

/* Does some code of the test move the special register? */
static inline bool machine_moves(const struct test *test, enum special special)
{
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t k = 0; k < test->bodies[i].inst_count; k++) {
            const struct operand *from = inst_operand(&test->bodies[i].insts[k], OPERAND_SPECIAL);
            if (from && from->special == special)
                return true;
        }
    return false;
}

/* Does some code of the test call the function of the runtime? */
static inline bool machine_calls(const struct test *test, enum system system)
{
    for (uint32_t i = 0; i < test->body_count; i++)
        for (uint32_t k = 0; k < test->bodies[i].inst_count; k++) {
            const struct inst *inst = &test->bodies[i].insts[k];
            if (inst->op == OP_CALL && inst->operands[1].target == NONE &&
                inst->operands[1].value == system)
                return true;
        }
    return false;
}

/* One that makes a copy or a set of the host: no thread of a kernel, nor of the host. */
static inline bool machine_is_engine(const struct machine *machine, uint32_t lane)
{
    const struct lane_place *place = &machine->lanes[lane];
    return machine->api && place->task != NONE && place->launch == NONE && place->host == NONE;
}

/* What the lane runs; NULL: no thread is there. */
static inline const struct program *machine_program(const struct machine *machine, uint32_t lane)
{
    uint32_t program = machine->lanes[lane].program;
    return program == NONE ? NULL : machine->programs[program];
}

/* Where the fixed slot of its program is. */
static inline uint64_t *machine_fixed(const struct machine *machine, uint32_t lane, slot at)
{
    const struct lane_place *place = &machine->lanes[lane];
    uint32_t fixed = at - machine->programs[place->program]->reg_slots;
    return machine->fixed[place->warp] + (size_t)fixed * machine->warps[place->warp].width +
           place->lane;
}

#endif
