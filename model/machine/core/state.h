/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_STATE_H
#define MODEL_MACHINE_CORE_STATE_H

#include "model/machine/core/machine.h"

/* The state of the lanes and of everything they wait at: one flat block without pointers, to be
 * copied, compared and hashed as bytes (unused bytes are zero). Where things lie in the block is
 * said by struct machine. Sets of lanes of a warp are masks, bit = position 0..31. */

struct state; /* the block; its parts by the functions below */

/* cp.async and cp.async.bulk have groups of their own, committed and waited for apart. */
enum { COPY_SMALL, COPY_BULK, COPY_KINDS };

struct lane {
    uint32_t pc; /* micro index; of a waiting lane: the micro it waits at */
    /* What it waits with: the member mask of a collective, or KEY_BARRIER | id while its warp
     * gathers at a CTA barrier and while it waits there. */
    uint32_t key;
    uint32_t groups[COPY_KINDS]; /* groups of asynchronous copies committed */
    uint32_t acted; /* 1 + the micro where it last did more than compute (bypass.h); 0: nowhere */
};
#define KEY_BARRIER UINT32_C(0x80000000)

/* A lane is in exactly one of the first five. */
struct warp {
    uint32_t running;
    uint32_t
        gathering; /* waits for lanes of its own warp: collectives, the warp part of barriers */
    uint32_t at_barrier; /* its warp has arrived at the CTA barrier */
    uint32_t at_cluster; /* in barrier.cluster.wait */
    uint32_t exited;     /* also lanes that never existed */
    uint32_t arrived;    /* cluster barrier: lanes that have arrived in the current phase */
    uint32_t passed;     /* cluster barrier: lanes whose phase is complete, before their wait */
    uint32_t phases;     /* of the cluster barrier, complete so far: one number a cluster */
};

/* One of the 16 barriers of a CTA: lane-semantics section 5.2. */
struct barrier {
    uint32_t generation;
    uint32_t need;    /* NEED_NONE before the first arrival, NEED_ALL, or a count of threads */
    uint32_t arrived; /* warps, a bit each */
    uint32_t threads; /* FLAG_COUNT_THREADS: single threads arrived */
    uint32_t pc;      /* of the first arrival, for the aligned rule */
    uint32_t warp;    /* of the first arrival */
    uint16_t count;   /* red.popc */
    uint8_t kind;     /* 0, or 1 + enum atom_op for red (ATOM_NONE: sync and arrive) */
    uint8_t any, all; /* red.or, red.and so far */
};
#define NEED_NONE 0u
#define NEED_ALL  UINT32_MAX
enum { BARRIERS = 16 };

/* An asynchronous copy on its way: the queue of a lane. */
struct copy {
    uint64_t to, from;   /* generic addresses */
    uint64_t mbarrier;   /* address that hears of the bytes, or 0 */
    uint32_t bytes;      /* written */
    uint32_t read_bytes; /* read; the rest is filled with zeros */
    uint32_t micro;      /* that issued it */
    uint32_t group;      /* 0: not committed yet */
    uint32_t map; /* of a box of a tensor: 1 + index into the machine's maps; 0: bytes in a row */
    int32_t at
        [TENSOR_RANK]; /* where the box begins; of 'to' and 'from' the one that is not shared is 0 */
    uint16_t status;   /* COPY_FREE or COPY_PENDING */
    uint8_t kind;      /* COPY_SMALL or COPY_BULK */
    uint8_t read;      /* what it reads is known to be over: for those who look for races */
};
enum { COPY_FREE, COPY_PENDING };

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

/* A slot of one lane: its word for n = 1 calls of an alu_fn; write registers only. */
static inline uint64_t *state_slot(const struct machine *machine, struct state *state,
                                   uint32_t lane, slot at)
{
    const struct lane_place *place = &machine->lanes[lane];
    const struct warp_place *warp = &machine->warps[place->warp];
    uint32_t regs = machine->programs[place->program]->reg_slots;
    if (at < regs)
        return state_regs(machine, state, place->warp) + (size_t)at * warp->width + place->lane;
    return machine_fixed(machine, lane, at);
}

#endif
