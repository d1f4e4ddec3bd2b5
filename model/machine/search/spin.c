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

bool spin_rewrites(const struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    if (micro->kind != MICRO_ATOM || micro->bytes > 8 || !micro->dst_count ||
        micro->dst[0] == SLOT_NONE || !micro->src_count)
        return false;
    uint64_t all = UINT64_MAX >> (64 - 8 * micro->bytes);
    uint64_t old = run_value(run, lane, micro->dst[0]) & all;
    uint64_t operand = run_value(run, lane, micro->src[0]) & all;
    enum atom_op op = micro->inst->atom_op;
    return (op == ATOM_EXCH && operand == old) || (op == ATOM_OR && (old | operand) == old) ||
           (op == ATOM_AND && (old & operand) == old);
}

bool spin_is_stuck(const struct spin_loop *loops, const struct run *run, uint32_t lane)
{
    return loops[lane].stuck && loops[lane].changes == run->changes;
}
