/* SPDX-License-Identifier: MIT */
#include "model/machine/setup/setup.h"

#include <stdlib.h>

#include "litmus/test/launch.h"
#include "model/machine/api/api.h"
#include "model/machine/core/heap.h"
#include "model/machine/core/place.h"
#include "model/machine/core/promises.h"
#include "model/machine/core/region.h"

static struct api_room count_room(const struct test *test)
{
    struct api_room room = {
        .lanes = test->column_count, .warps = test->column_count, .ctas = test->column_count};
    for (uint32_t i = 0; i < test->launch_count; i++)
        launch_add_room(&test->launches[i], &room.ctas, &room.warps, &room.lanes);
    return room;
}

/* A column may take any lane of its warp. */
static void reserve(struct machine *machine, uint64_t lanes, uint32_t warps, uint32_t ctas)
{
    machine->lanes = ARENA_ARRAY(machine->arena, struct lane_place,
                                 lanes + 31 * (uint64_t)machine->test->column_count);
    machine->warps = ARENA_ARRAY(machine->arena, struct warp_place, warps);
    machine->ctas = ARENA_ARRAY(machine->arena, struct cta_place, ctas);
    machine->clusters = ARENA_ARRAY(machine->arena, struct cluster_place, ctas);
}

/* A cooperative launch has a workspace of its own, zero at first: grid.sync counts in it. Where device code
 * may take memory there is a heap. */
static const struct test *with_workspaces(struct machine *machine, const struct test *test,
                                          bool heap)
{
    struct test *copy = ARENA_NEW(machine->arena, struct test);
    uint32_t count = test->location_count;
    *copy = *test;
    copy->locations = arena_grow(machine->arena, test->locations, count * sizeof *test->locations,
                                 (count + test->launch_count + 2) * sizeof *test->locations);
    machine->heap = heap ? copy->location_count : NONE;
    if (machine->heap != NONE) /* first, so that it lies at the same place in every launch */
        copy->locations[copy->location_count++] =
            test_array("device heap", TYPE_U64, HEAP_BYTES / 8);
    machine->workspaces = ARENA_ARRAY(machine->arena, uint32_t, test->launch_count);
    for (uint32_t i = 0; i < test->launch_count; i++) {
        machine->workspaces[i] = NONE;
        if (!test->launches[i].cooperative)
            continue;
        machine->workspaces[i] = copy->location_count;
        copy->locations[copy->location_count++] = test_grid_workspace();
    }
    machine->reserved = NONE;
    if (machine_moves(test, SPECIAL_RESERVED_SMEM_0) ||
        machine_moves(test, SPECIAL_RESERVED_SMEM_1)) {
        struct location reserved = test_array(PROGRAM_RESERVED, TYPE_U32, 256);
        reserved.space = SPACE_SHARED;
        machine->reserved = copy->location_count;
        copy->locations[copy->location_count++] = reserved;
    }
    return copy;
}

static struct machine *machine_alloc(struct arena *arena, const struct test *test,
                                     const struct machine_options *options, bool heap)
{
    struct machine *machine = ARENA_NEW(arena, struct machine);
    machine->arena = arena;
    machine->test = with_workspaces(machine, test, heap);
    machine->options = *options;
    if (!machine->options.max_steps)
        machine->options.max_steps = 10 * 1000 * 1000;
    return machine;
}

/* Program i of a column test is body i; launches have one each after them. */
static bool decode_programs(struct machine *machine, struct diag_list *diags)
{
    const struct test *test = machine->test;
    uint32_t errors = diags->errors;
    uint64_t host = machine->api ? api_room(machine->api, test).programs : 0;
    machine->program_count = test->body_count + test->launch_count;
    machine->programs =
        ARENA_ARRAY(machine->arena, struct program *, machine->program_count + host);
    for (uint32_t i = 0; i < test->column_count; i++) {
        uint32_t body = test->columns[i].body;
        if (!machine->programs[body])
            machine->programs[body] =
                program_decode(machine->arena, test, &test->bodies[body], NULL, diags);
    }
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct launch *launch = &test->launches[i];
        const struct program_args args = {launch->args, launch->arg_count};
        machine->programs[test->body_count + i] =
            program_decode(machine->arena, test, &test->bodies[launch->kernel], &args, diags);
    }
    return diags->errors == errors;
}

static size_t take(size_t *end, size_t bytes)
{
    size_t at = *end;
    *end = (at + bytes + 7) & ~(size_t)7;
    return at;
}

static uint32_t fixed_slots(const struct program *program)
{
    return program->slot_count - program->reg_slots;
}

/* Lanes of one warp may run different columns: as many registers, or fixed slots, as the one has that
 * has most. */
static uint32_t warp_slots(const struct machine *machine, uint32_t warp, bool fixed)
{
    const struct warp_place *place = &machine->warps[warp];
    uint32_t most = 0;
    for (uint32_t p = 0; p < place->width; p++) {
        const struct program *program = machine_program(machine, place->first_lane + p);
        uint32_t slots = !program ? 0 : fixed ? fixed_slots(program) : program->reg_slots;
        most = slots > most ? slots : most;
    }
    return most;
}

static void lay_out(struct machine *machine)
{
    struct arena *arena = machine->arena;
    size_t end = 0;
    for (uint32_t i = 0; i < machine->program_count; i++) {
        const struct program *program = machine->programs[i];
        if (!program)
            continue;
        machine->has_barriers |= program->uses_cta_barrier;
        machine->has_clusters |= program->uses_cluster_barrier;
        if (program->copies > machine->copies)
            machine->copies = program->copies;
    }
    machine->warps_at = take(&end, machine->warp_count * sizeof(struct warp));
    machine->lanes_at = take(&end, machine->lane_count * sizeof(struct lane));
    machine->barriers_at = take(
        &end, machine->has_barriers ? machine->cta_count * BARRIERS * sizeof(struct barrier) : 0);
    machine->copies_at =
        take(&end, (size_t)machine->lane_count * machine->copies * sizeof(struct copy));
    machine->regs_at = ARENA_ARRAY(arena, size_t, machine->warp_count);
    machine->poison_at = ARENA_ARRAY(arena, size_t, machine->warp_count);
    machine->local_at = ARENA_ARRAY(arena, size_t, machine->lane_count);
    for (uint32_t w = 0; w < machine->warp_count; w++) {
        uint32_t slots = warp_slots(machine, w, false);
        machine->regs_at[w] = take(&end, (size_t)slots * machine->warps[w].width * 8);
        machine->poison_at[w] = take(&end, (size_t)slots * 4);
    }
    for (uint32_t i = 0; i < machine->lane_count; i++) {
        const struct program *program = machine_program(machine, i);
        machine->local_at[i] = take(&end, program ? program->local_bytes : 0);
    }
    machine->api_at = take(&end, machine->api ? api_state_bytes(machine) : 0);
    machine->state_bytes = end;
}

static uint64_t fixed_value(const struct machine *machine, uint32_t lane,
                            const struct fixed_slot *fixed)
{
    switch (fixed->kind) {
    case FIXED_SPECIAL:
        return place_special(machine, lane, fixed->special);
    case FIXED_ADDRESS:
        return region_address(machine, lane, fixed->location) + fixed->value;
    case FIXED_VALUE:
        return fixed->value;
    }
    abort();
}

static void make_fixed(struct machine *machine)
{
    machine->leads = ARENA_ARRAY(machine->arena, const bool **, machine->program_count);
    machine->fixed = ARENA_ARRAY(machine->arena, uint64_t *, machine->warp_count);
    for (uint32_t w = 0; w < machine->warp_count; w++) {
        const struct warp_place *place = &machine->warps[w];
        machine->fixed[w] = ARENA_ARRAY(machine->arena, uint64_t,
                                        (size_t)warp_slots(machine, w, true) * place->width);
        for (uint32_t p = 0; p < place->width; p++) {
            uint32_t lane = place->first_lane + p;
            const struct program *program = machine_program(machine, lane);
            for (uint32_t s = 0; program && s < fixed_slots(program); s++)
                *machine_fixed(machine, lane, program->reg_slots + s) =
                    fixed_value(machine, lane, &program->fixed[s]);
        }
    }
}

static bool refuse(const struct test *test, struct diag_list *diags, enum diag_id id,
                   const char *why)
{
    diag_add(diags, id, test->source, (struct span){0, 0}, NULL, "%s", why);
    return false;
}

static bool acceptable(const struct test *test, struct diag_list *diags)
{
    if (test->language == LANGUAGE_CPP)
        return refuse(
            test, diags, DIAG_run_unsupported,
            "the executor runs PTX, and this test is in C++: compile it first, with 'ptxlit map'");
    for (uint32_t i = 0; i < test->launch_count; i++) {
        struct dim3 block = test->launches[i].block;
        if ((uint64_t)block.x * block.y * block.z > 1024)
            return refuse(test, diags, DIAG_run_too_large, "a block has at most 1024 threads");
    }
    if (heap_is_used(test))
        return refuse(test, diags, DIAG_run_unsupported,
                      "'malloc' of device code is known to runs of whole kernels only");
    if (count_room(test).lanes > MACHINE_MAX_LANES)
        return refuse(test, diags, DIAG_run_too_large,
                      "more threads than the executor steps lane by lane");
    return true;
}

static bool set_up_host(struct machine *machine, struct diag_list *diags)
{
    if (machine->options.mode == MACHINE_LOCKSTEP)
        return refuse(machine->test, diags, DIAG_run_unsupported,
                      "lockstep mode runs device code only: this test has a host program");
    machine->api = api_new(machine, diags);
    return machine->api;
}

/* In a host program the runtime places the kernels. */
static bool make_room(struct machine *machine, struct diag_list *diags)
{
    const struct api_room room =
        machine->api ? api_room(machine->api, machine->test) : count_room(machine->test);
    if (room.lanes > MACHINE_MAX_LANES)
        return refuse(machine->test, diags, DIAG_run_too_large,
                      "more lanes than the executor steps one by one");
    reserve(machine, room.lanes, (uint32_t)room.warps, (uint32_t)room.ctas);
    return true;
}

static struct machine *finish(struct machine *machine, struct diag_list *diags)
{
    region_find_maps(machine);
    if (!region_place_all(machine, diags))
        return NULL;
    lay_out(machine);
    make_fixed(machine);
    machine_promises(machine);
    return machine;
}

struct machine *machine_new(struct arena *arena, const struct test *test,
                            const struct machine_options *options, struct diag_list *diags)
{
    if (!acceptable(test, diags))
        return NULL;
    struct machine *machine = machine_alloc(arena, test, options, false);
    if ((test->host && !set_up_host(machine, diags)) || !decode_programs(machine, diags) ||
        !make_room(machine, diags))
        return NULL;
    place_columns(machine);
    for (uint32_t i = 0; !machine->api && i < test->launch_count; i++)
        for (uint32_t c = 0; c < place_clusters(&test->launches[i]); c++)
            place_cluster(machine, i, c, test->launches[i].gpu);
    if (machine->api && !api_place(machine, diags))
        return NULL;
    return finish(machine, diags);
}

struct machine *machine_new_cluster(struct arena *arena, const struct test *test, uint32_t launch,
                                    const struct machine_options *options, struct diag_list *diags)
{
    const struct launch *l = &test->launches[launch];
    struct machine *machine =
        machine_alloc(arena, test, options, machine_calls(test, SYSTEM_MALLOC));
    if (!decode_programs(machine, diags))
        return NULL;
    uint32_t ctas = (uint32_t)launch_cluster_ctas(l), threads = (uint32_t)launch_volume(l->block);
    reserve(machine, (uint64_t)ctas * threads, ctas * ((threads + 31) / 32), ctas);
    place_cluster(machine, launch, 0, l->gpu);
    return finish(machine, diags);
}

/* Only what depends on the CTA's coordinates is filled in anew. */
static void refill_warp(struct machine *machine, uint32_t w)
{
    const struct warp_place *place = &machine->warps[w];
    const struct program *program = machine_program(machine, place->first_lane);
    for (uint32_t s = 0; s < fixed_slots(program); s++) {
        const struct fixed_slot *fixed = &program->fixed[s];
        if (fixed->kind != FIXED_SPECIAL || !place_moves(fixed->special))
            continue;
        uint64_t value = place_special(machine, place->first_lane, fixed->special);
        for (uint32_t p = 0; p < place->width; p++)
            machine->fixed[w][(size_t)s * place->width + p] = value;
    }
}

void machine_move_cluster(struct machine *machine, uint32_t index)
{
    place_move_cluster(machine, 0, index);
    for (uint32_t w = 0; w < machine->warp_count; w++)
        refill_warp(machine, w);
}
