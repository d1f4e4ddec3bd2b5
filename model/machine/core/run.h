/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_CORE_RUN_H
#define MODEL_MACHINE_CORE_RUN_H

#include "model/machine/core/memory.h"

/* Small helpers of the files that execute steps. */

/* Adds a report about the micro the lane stands at; reports of severity error stop the run. */
void run_report(struct run *run, uint32_t lane, enum report_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same about a micro of its program: lanes in a group are further than the state says. */
void run_report_at(struct run *run, uint32_t lane, const struct micro *micro, enum report_id id,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));
/* "lane 3 of warp 0 (CTA 1)" or "P0"; in 'arena'. */
const char *lane_name(struct arena *arena, const struct machine *machine, uint32_t lane);
/* "lanes 0-3,7 of warp 0 (CTA 1)". */
const char *lanes_name(struct arena *arena, const struct machine *machine, uint32_t warp,
                       uint32_t lanes);
/* "'bar.sync' (line 12)". */
const char *micro_name(struct arena *arena, const struct machine *machine,
                       const struct micro *micro);

/* Past the micro. */
static inline void lane_advance(struct run *run, uint32_t lane)
{
    state_lane(run->machine, run->state, lane)->pc++;
}
/* Writes a register (SLOT_NONE: nothing) and says whether the value is undefined. */
void lane_write(struct run *run, uint32_t lane, slot to, uint64_t value, bool poison);
static inline uint64_t lane_value(const struct run *run, uint32_t lane, slot from)
{
    return *lane_slot(run->machine, run->state, lane, from);
}

static inline uint32_t lowest(uint32_t mask)
{
    return (uint32_t)__builtin_ctz(mask);
}
/* for (each bit p of mask) */
#define EACH_LANE(p, mask)                                                                         \
    for (uint32_t p##_left = (mask), p; p##_left && (p = lowest(p##_left), 1);                     \
         p##_left &= p##_left - 1)

#endif
