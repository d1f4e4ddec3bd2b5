/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/idle.h"

#include "litmus/base/hash.h"

/* Back edges without a change of memory, looks at the state, and how far the clock is turned. */
enum { IDLE = 1 << 11, CHECKS = 64 };
static const uint64_t FIRST_TURN = 1 << 20, LAST_TURN = UINT64_C(1) << 56;

void idle_new(struct idling *idling, struct arena *arena, const struct program *program)
{
    bool reads = false;
    for (uint32_t i = 0; i < program->micro_count && !reads; i++)
        reads = program->micros[i].kind == MICRO_CLOCK;
    *idling = (struct idling){.clock_slots = reads ? program_clock_slots(arena, program) : NULL};
}

void idle_start(struct idling *idling, struct vector_engine *v)
{
    v->idle = 0;
    idling->hash = idling->ahead = idling->checks = 0;
    idling->steady = false;
}

bool idle_long(const struct vector_engine *v)
{
    return v->idle > IDLE;
}

/* Registers lie warp by warp, slot by slot. */
static uint64_t hash_registers(const struct idling *idling, const struct vector_engine *v,
                               uint32_t warp, uint64_t hash)
{
    const struct machine *machine = v->run.machine;
    const struct warp_place *place = &machine->warps[warp];
    const uint64_t *regs = state_regs(machine, v->run.state, warp);
    uint32_t slots = machine_program(machine, place->first_lane)->reg_slots;
    for (uint32_t s = 0; s < slots; s++, regs += place->width)
        if (!idling->clock_slots[s])
            hash = hash_bytes(regs, place->width * sizeof *regs, hash);
    return hash;
}

/* Where the lanes are, what they wait for and what their registers hold. */
static uint64_t hash_state(const struct idling *idling, const struct vector_engine *v)
{
    const struct machine *machine = v->run.machine;
    if (!idling->clock_slots)
        return hash_bytes(v->run.state, machine->state_bytes, 0);
    uint64_t hash = hash_bytes(v->run.state, machine->regs_at[0], 0);
    for (uint32_t w = 0; w < machine->warp_count; w++)
        hash = hash_registers(idling, v, w, hash);
    for (uint32_t i = 0; i < machine->lane_count; i++)
        hash = hash_bytes(state_local(machine, v->run.state, i),
                          machine_program(machine, i)->local_bytes, hash);
    return hash;
}

/* False: the clock has been turned past everything. */
static bool turn_clock(struct idling *idling, struct vector_engine *v)
{
    if (!idling->clock_slots || idling->ahead >= LAST_TURN)
        return false;
    idling->ahead = 16 * idling->ahead + FIRST_TURN;
    v->run.clock += idling->ahead;
    return true;
}

bool idle_gives_way(struct idling *idling, struct vector_engine *v)
{
    uint64_t now = hash_state(idling, v);
    bool same = idling->checks && now == idling->hash;
    idling->hash = now;
    idling->steady = same && !turn_clock(idling, v);
    v->idle = IDLE / 2;
    return idling->steady || ++idling->checks >= CHECKS;
}
