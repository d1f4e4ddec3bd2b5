/* SPDX-License-Identifier: MIT */
#include "model/machine/search/deciding.h"

struct slice {
    const struct machine *machine;
    const struct place_access *accesses;
    uint32_t count;
    bool **needed;  /* a lane: its registers on which what it does may depend */
    bool *deciding; /* an access */
    bool changed;
};

static void need(struct slice *slice, uint32_t lane, slot s)
{
    if (s >= machine_program(slice->machine, lane)->reg_slots || slice->needed[lane][s])
        return;
    slice->needed[lane][s] = slice->changed = true;
}

static void need_sources(struct slice *slice, uint32_t lane, const struct micro *micro)
{
    for (uint32_t i = 0; i < micro->src_count; i++)
        need(slice, lane, micro->src[i]);
}

static bool gives_needed(const struct slice *slice, uint32_t lane, const struct micro *micro)
{
    uint32_t registers = machine_program(slice->machine, lane)->reg_slots;
    for (uint32_t i = 0; i < micro->dst_count; i++)
        if (micro->dst[i] < registers && slice->needed[lane][micro->dst[i]])
            return true;
    return false;
}

/* Where a lane goes and what it computes for that. */
static void follow_lane(struct slice *slice, uint32_t lane)
{
    const struct program *program = machine_program(slice->machine, lane);
    for (uint32_t i = 0; program && i < program->micro_count; i++) {
        const struct micro *micro = &program->micros[i];
        need(slice, lane, micro->guard);
        if (micro_is_access(micro))
            continue;
        if (micro->kind != MICRO_ALU || gives_needed(slice, lane, micro))
            need_sources(slice, lane, micro);
    }
}

static bool overlap(const struct place_access *a, const struct place_access *b)
{
    return a->memory < b->memory + b->bytes && b->memory < a->memory + a->bytes;
}

static void mark(struct slice *slice, const struct place_access *there)
{
    for (uint32_t i = 0; i < slice->count; i++) {
        const struct place_access *access = &slice->accesses[i];
        if (slice->deciding[i] || !overlap(access, there))
            continue;
        slice->deciding[i] = slice->changed = true;
        need_sources(slice, access->lane, access->micro);
        need(slice, access->lane, access->micro->base);
    }
}

bool *deciding_accesses(struct arena *arena, const struct machine *machine,
                        const struct place_access *accesses, uint32_t count)
{
    struct slice slice = {.machine = machine, .accesses = accesses, .count = count};
    slice.deciding = ARENA_ARRAY(arena, bool, count + 1);
    slice.needed = ARENA_ARRAY(arena, bool *, machine->lane_count);
    for (uint32_t lane = 0; lane < machine->lane_count; lane++)
        if (machine_program(machine, lane))
            slice.needed[lane] =
                ARENA_ARRAY(arena, bool, machine_program(machine, lane)->reg_slots + 1);
    do {
        slice.changed = false;
        for (uint32_t lane = 0; lane < machine->lane_count; lane++)
            follow_lane(&slice, lane);
        for (uint32_t i = 0; i < count; i++)
            if (gives_needed(&slice, accesses[i].lane, accesses[i].micro))
                mark(&slice, &accesses[i]);
    } while (slice.changed);
    return slice.deciding;
}
