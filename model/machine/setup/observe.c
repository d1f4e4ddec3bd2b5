/* SPDX-License-Identifier: MIT */
#include "model/machine/setup/setup.h"

#include <string.h>

#include "litmus/test/texture.h"
#include "model/machine/api/api.h"
#include "model/machine/core/region.h"
#include "model/machine/core/place.h"

/* ---- starting ------------------------------------------------------------------------------ */

static void start_lane(const struct machine *machine, struct state *state, uint32_t index)
{
    const struct lane_place *place = &machine->lanes[index];
    const struct program *program = machine_program(machine, index);
    if (program)
        state_lane(machine, state, index)->pc = program->entry;
    for (uint32_t i = 0; place->column != NONE && i < program->body->init_count; i++) {
        const struct reg_init *init = &program->body->inits[i];
        uint64_t value = init->value;
        if (init->address_of != NONE)
            value += machine->test->locations[init->address_of].texture
                         ? texture_handle(init->address_of)
                         : region_address(machine, index, init->address_of);
        *state_slot(machine, state, index, program->reg_slot[init->reg]) = value;
    }
}

void machine_start(const struct machine *machine, struct state *state)
{
    memset(state, 0, machine->state_bytes);
    for (uint32_t w = 0; w < machine->warp_count; w++) {
        struct warp *warp = state_warp(machine, state, w);
        warp->running = machine->warps[w].present;
        warp->exited = ~machine->warps[w].present;
    }
    for (uint32_t i = 0; i < machine->lane_count; i++)
        start_lane(machine, state, i);
    if (machine->api)
        api_start(machine, state);
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Of several executions of a kernel or host function, the one that came about. */
static uint32_t find_lane(const struct machine *machine, struct state *state,
                          const struct cond_term *term)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        const struct lane_place *place = &machine->lanes[i];
        if (term->column != NONE ? place->column == term->column && place->program != NONE
            : term->host != NONE ? place->host == term->host
                                 : place->launch == term->launch && place->tid == term->tid &&
                                       place_linear_cta(machine, place->cta) == term->cta) {
            found = i;
            if (api_has_started(machine, state, i))
                break;
        }
    }
    return found;
}

static uint64_t observe_location(const struct machine *machine, const struct cond_term *term,
                                 const uint8_t *bytes)
{
    const struct location *location = &machine->test->locations[term->location];
    uint64_t address = region_address(machine, 0, term->location);
    for (uint32_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].location == term->location && machine->regions[i].cta != NONE &&
            (term->cta == NONE || place_linear_cta(machine, machine->regions[i].cta) == term->cta))
            address = machine->regions[i].base;
    const struct region *region = region_find(machine, address, 1);
    uint64_t value = 0;
    if (region)
        memcpy(&value,
               bytes + region->memory + (address - region->base) +
                   (size_t)term->element * location->element_bytes,
               location->element_bytes < 8 ? location->element_bytes : 8);
    return value;
}

/* A register, as wide as its type. */
static uint64_t observe_register(const struct machine *machine, struct state *state,
                                 const struct cond_term *term)
{
    uint32_t lane = find_lane(machine, state, term);
    if (lane == NONE)
        return 0;
    const struct program *program = machine_program(machine, lane);
    enum type type = program->body->regs[term->reg].type;
    uint64_t value = *state_slot(machine, state, lane, program->reg_slot[term->reg]);
    return type == TYPE_PRED ? value & 1 : alu_low_bytes(value, type_bytes(type));
}

void machine_observe(const struct machine *machine, struct state *state, const uint8_t *bytes,
                     uint64_t *values)
{
    const struct test *test = machine->test;
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        values[i] = term->kind == TERM_LOCATION ? observe_location(machine, term, bytes)
                    : term->kind == TERM_REG    ? observe_register(machine, state, term)
                                                : 0;
    }
}
