/* SPDX-License-Identifier: MIT */
#include "model/machine/search/spin.h"

#include "litmus/base/hash.h"

static uint64_t hash_lane(const struct run *run, uint32_t lane)
{
    const struct lane_place *place = &run->machine->lanes[lane];
    uint32_t width = run->machine->warps[place->warp].width;
    uint32_t slots = run_program(run, lane)->reg_slots;
    const uint64_t *regs = state_regs(run->machine, run->state, place->warp) + place->lane;
    uint64_t hash = 0;
    for (uint32_t s = 0; s < slots; s++)
        hash = hash_pair(hash, regs[(size_t)s * width]);
    return hash;
}

void spin_note_loop(struct spin_loop *loops, const struct run *run, uint32_t lane)
{
    struct spin_loop *loop = &loops[lane];
    uint32_t pc = run_lane(run, lane)->pc;
    uint64_t hash = hash_lane(run, lane);
    bool stuck = loop->pc == pc && loop->hash == hash && loop->changes == run->changes;
    *loop = (struct spin_loop){hash, run->changes, pc, stuck};
}

bool spin_is_stuck(const struct spin_loop *loops, const struct run *run, uint32_t lane)
{
    return loops[lane].stuck && loops[lane].changes == run->changes;
}
