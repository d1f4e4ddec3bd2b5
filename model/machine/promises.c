/* SPDX-License-Identifier: MIT */
#include "model/machine/promises.h"

#ifndef NDEBUG

#include <assert.h>

static bool is_slot(const struct program *program, slot at)
{
    return at == SLOT_NONE || at < program->slot_count;
}

static void micro_promises(const struct program *program, const struct micro *micro)
{
    bool memory = micro->kind >= MICRO_LOAD && micro->kind <= MICRO_RED;

    assert(micro->kind <= MICRO_EXIT);
    assert(micro->dst_count <= MICRO_SLOTS && micro->src_count <= MICRO_SLOTS);
    assert(is_slot(program, micro->guard));
    for (uint32_t i = 0; i < micro->dst_count; i++) /* fixed slots are not written */
        assert(micro->dst[i] == SLOT_NONE || micro->dst[i] < program->reg_slots);
    for (uint32_t i = 0; i < micro->src_count; i++)
        assert(is_slot(program, micro->src[i]));
    assert(!memory || (micro->base != SLOT_NONE && is_slot(program, micro->base)));
    assert(!memory || (micro->bytes && micro->bytes <= 16 && !(micro->bytes & (micro->bytes - 1))));
    if (micro->kind == MICRO_BRANCH)
        assert(micro->target < program->micro_count && micro->reconverge <= program->micro_count);
    if (micro->kind == MICRO_CALL || micro->kind == MICRO_RETURN)
        assert(micro->call && micro->call->callee);
    if (micro->kind == MICRO_BRANCH_INDEX)
        for (uint32_t i = 0; i < micro->target_count; i++)
            assert(micro->targets[i] < program->micro_count);
}

static void program_promises(const struct program *program)
{
    assert(program->micro_count && program->entry < program->micro_count);
    assert(program->micros[program->micro_count - 1].kind == MICRO_EXIT);
    assert(program->reg_slots <= program->slot_count);
    for (uint32_t i = 0; i < program->micro_count; i++)
        micro_promises(program, &program->micros[i]);
}

static void lane_promises(const struct machine *machine, uint32_t index)
{
    const struct lane_place *lane = &machine->lanes[index];
    const struct warp_place *warp = &machine->warps[lane->warp];

    if (lane->program == NONE) /* a position of its warp that no thread takes */
        return;
    assert(lane->warp < machine->warp_count && lane->program < machine->program_count);
    assert(machine->programs[lane->program]);
    assert(lane->lane < warp->width && warp->width <= 32);
    assert(warp->present >> lane->lane & 1);
    assert(lane->column == NONE || lane->column < machine->test->column_count);
    assert(lane->launch == NONE || lane->launch < machine->test->launch_count);
}

static void place_promises(const struct machine *machine)
{
    for (uint32_t i = 0; i < machine->warp_count; i++)
        assert(machine->warps[i].present && machine->warps[i].first_lane < machine->lane_count);
    for (uint32_t i = 0; i < machine->cta_count; i++) {
        assert(machine->ctas[i].cluster == NONE ||
               machine->ctas[i].cluster < machine->cluster_count);
        assert(machine->ctas[i].first_warp + machine->ctas[i].warps <= machine->warp_count);
    }
    for (uint32_t i = 0; i < machine->cluster_count; i++)
        assert(machine->clusters[i].first_cta + machine->clusters[i].ctas <= machine->cta_count);
}

static void region_promises(const struct machine *machine)
{
    for (uint32_t i = 0; i < machine->region_count; i++) {
        const struct region *region = &machine->regions[i];

        assert(!i || machine->regions[i - 1].base <= region->base);
        assert((uint64_t)region->memory + region->bytes <= machine->memory_bytes);
        assert(region->location < machine->test->location_count);
    }
    assert(machine->shared_bytes <= machine->memory_bytes);
}

void machine_promises(const struct machine *machine)
{
    assert(machine->test && machine->lane_count && machine->lane_count <= MACHINE_MAX_LANES);
    for (uint32_t i = 0; i < machine->program_count; i++)
        if (machine->programs[i]) /* else nothing runs it */
            program_promises(machine->programs[i]);
    for (uint32_t i = 0; i < machine->lane_count; i++)
        lane_promises(machine, i);
    place_promises(machine);
    region_promises(machine);
    assert(machine->lanes_at <= machine->state_bytes && machine->warps_at <= machine->state_bytes);
}

#endif
