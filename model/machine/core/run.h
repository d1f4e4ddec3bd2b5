/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_RUN_H
#define MODEL_MACHINE_CORE_RUN_H

#include "model/machine/core/memory.h"
#include "model/machine/core/report.h"

/* A run in progress, and what the files that execute steps do to it: registers, reports. */

/* Where choices come from: a random generator, a recorded list, or an enumeration. */
struct chooser {
    /* A number below 'count' (> 0). */
    uint32_t (*choose)(struct chooser *chooser, uint32_t count);
};

/* Gives away the next cluster of the launch that has not started, which then never does. */
struct canceller {
    bool (*cancel)(struct canceller *canceller, uint32_t *cluster);
};

/* Sees every micro that a lane executes, after its effect; 'access' for accesses only. */
struct tracer {
    void (*step)(const struct tracer *tracer, struct run *run, uint32_t lane,
                 const struct micro *micro, const struct memory_access *access);
};

enum { PRINTED_MOST = 1 << 24 };

/* One execution in progress: everything that moves. */
struct run {
    const struct machine *machine;
    struct state *state;
    struct memory *memory;
    struct chooser *chooser;
    struct canceller *canceller; /* or NULL: all clusters have started */
    struct report_list *reports;
    const struct tracer *tracer; /* or NULL */
    uint64_t steps;
    uint64_t clock;           /* how far %clock and its like are ahead of the steps */
    bool any_clock;           /* searches of every run: clocks show one of a few values, a choice */
    uint64_t changes;         /* times a byte of memory got another value: the memory counts */
    uint64_t poisons;         /* undefined values written to registers so far */
    struct heap *heap;        /* of device code; NULL: it takes no memory */
    struct _GString *printed; /* what printf wrote, no more than PRINTED_MOST bytes; or NULL */
    bool stop;                /* trap, error or bound: nothing runs any more */
    bool late_values; /* host programs: a load may return after later calls and its thread's end;
                         random runs would hardly ever guess right */
    bool full;        /* a table is full: a search of every schedule has not finished */
    /* By program, its program_live; NULL, also for a program: states that differ in a register are different. */
    const uint64_t **live;
    const struct touch_sets *touches; /* touch.h; NULL: every order is tried */
    /* NULL, or: does the micro need a register whose load has not returned yet? Then lane_run_local
     * stops there with POINT_READY, and the caller first lets the load return. */
    bool (*awaits)(struct run *run, uint32_t lane, const struct micro *micro);
};

/* ---- what moves, by lane, warp and CTA ---- */

static inline struct lane *run_lane(const struct run *run, uint32_t lane)
{
    return state_lane(run->machine, run->state, lane);
}

static inline struct warp *run_warp(const struct run *run, uint32_t warp)
{
    return state_warp(run->machine, run->state, warp);
}

/* The machine lane at position 0 of a warp. */
static inline uint32_t run_first(const struct run *run, uint32_t warp)
{
    return run->machine->warps[warp].first_lane;
}

static inline struct barrier *run_barrier(const struct run *run, uint32_t cta, uint32_t id)
{
    return (struct barrier *)state_part(run->state, run->machine->barriers_at) + cta * BARRIERS +
           id;
}

/* machine->copies of them. */
static inline struct copy *run_copies(const struct run *run, uint32_t lane)
{
    return (struct copy *)state_part(run->state, run->machine->copies_at) +
           (size_t)lane * run->machine->copies;
}

static inline const struct program *run_program(const struct run *run, uint32_t lane)
{
    return machine_program(run->machine, lane);
}

/* The micro that the lane stands at. */
static inline const struct micro *run_micro(const struct run *run, uint32_t lane)
{
    return &run_program(run, lane)->micros[run_lane(run, lane)->pc];
}

static inline bool run_runs(const struct run *run, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    return run_warp(run, place->warp)->running >> place->lane & 1;
}

static inline bool run_exited(const struct run *run, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    return run_warp(run, place->warp)->exited >> place->lane & 1;
}

/* Have all lanes from warp 'first' to before 'end'? */
static inline bool run_warps_exited(const struct run *run, uint32_t first, uint32_t end)
{
    for (uint32_t w = first; w < end; w++)
        if (~run_warp(run, w)->exited)
            return false;
    return true;
}

static inline bool run_cta_exited(const struct run *run, uint32_t cta)
{
    const struct cta_place *place = &run->machine->ctas[cta];
    return run_warps_exited(run, place->first_warp, place->first_warp + place->warps);
}

/* Do the lanes, of the warp whose first one is 'first', stand at one micro? */
static inline bool run_together(const struct run *run, uint32_t first, uint32_t lanes)
{
    const struct lane *lane = run_lane(run, first);
    uint32_t pc = lane[__builtin_ctz(lanes)].pc, differ = 0;
    uint32_t width = 32 - (uint32_t)__builtin_clz(lanes);
    bool whole = lanes == UINT32_MAX >> (32 - width); /* as mostly */
    for (uint32_t p = 0; p < width && whole; p++)
        differ |= lane[p].pc ^ pc;
    for (uint32_t p = 0; p < width && !whole; p++)
        differ |= (lane[p].pc ^ pc) & -(lanes >> p & 1);
    return !differ;
}

/* ---- registers ---- */

static inline uint64_t run_value(const struct run *run, uint32_t lane, slot from)
{
    return *state_slot(run->machine, run->state, lane, from);
}

/* What the micro of the lane accesses. */
static inline uint64_t run_address(const struct run *run, uint32_t lane, const struct micro *micro)
{
    return run_value(run, lane, micro->base) + (uint64_t)micro->offset;
}

static inline bool run_poisoned(const struct run *run, uint32_t lane, slot at)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    if (at == SLOT_NONE || at >= run_program(run, lane)->reg_slots)
        return false;
    return state_poison(run->machine, run->state, place->warp)[at] >> place->lane & 1;
}

/* Does the guard of the lane's micro let it execute? */
static inline bool run_enabled(const struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    return micro->guard == SLOT_NONE ||
           (run_value(run, lane, micro->guard) & 1) != micro->guard_negated;
}

/* Writes a register (SLOT_NONE: nothing) and says whether the value is undefined. */
void run_write(struct run *run, uint32_t lane, slot to, uint64_t value, bool poison);

/* Past the micro. */
static inline void run_advance(struct run *run, uint32_t lane)
{
    run_lane(run, lane)->pc++;
}

/* ---- reports ---- */

/* Adds a report about the micro the lane stands at; reports of severity error stop the run. */
#define run_report(run, lane, ...)                                                                 \
    run_report_at((run), (lane), run_micro((run), (lane)), __VA_ARGS__)
/* The same about a micro of its program: lanes in a group are further than the state says. */
void run_report_at(struct run *run, uint32_t lane, const struct micro *micro, enum report_id id,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same about two instructions, 'other' and that of the micro: one report a pair of their lines. */
void run_report_pair(struct run *run, uint32_t lane, const struct micro *micro,
                     const struct inst *other, enum report_id id, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
/* "lane 3 of warp 0 (CTA 1)" or "P0"; in 'arena'. */
const char *run_lane_name(struct arena *arena, const struct machine *machine, uint32_t lane);
/* "lanes 0-3,7 of warp 0 (CTA 1)"; this and the next two with the reports. */
const char *run_lanes_name(const struct run *run, uint32_t warp, uint32_t lanes);
/* "'s'+4": the byte of the region at the address, by the name that its variable has in the source. */
const char *run_byte_name(const struct run *run, const struct region *region, uint64_t address);
/* "'bar.sync' (line 12)". */
const char *run_micro_name(const struct run *run, const struct micro *micro);

/* ---- sets of lanes of a warp ---- */

/* Tells the memory that lanes of the warp synchronize as 'sync' says, but for who and where. */
void run_sync(struct run *run, uint32_t warp, uint32_t lanes, struct sync sync);

static inline uint32_t lowest(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}
/* for (each bit p of mask) */
#define EACH_LANE(p, mask)                                                                         \
    for (uint32_t p##_left = (mask), p; p##_left && (p = lowest(p##_left), 1);                     \
         p##_left &= p##_left - 1)

#endif
