/* SPDX-License-Identifier: MIT */
#include "model/machine/step/touch.h"

#include "model/machine/api/api.h"
#include "model/machine/memory/weak/weak.h"
#include "model/machine/core/region.h"

static uint32_t words_of(const struct machine *machine)
{
    return machine->test->location_count / 64 + 1;
}

static uint64_t *set_of(const struct machine *machine, uint64_t *sets, uint32_t lane)
{
    return sets + (size_t)lane * words_of(machine);
}

static bool has(const struct machine *machine, uint64_t *sets, uint32_t lane, uint32_t root)
{
    return set_of(machine, sets, lane)[root / 64] >> (root % 64) & 1;
}

static void add_all(const struct machine *machine, uint64_t *set)
{
    for (uint32_t i = 0; i < words_of(machine); i++)
        set[i] = UINT64_MAX;
}

/* An address that is computed may be any. */
static void add_access(const struct machine *machine, uint32_t lane, const struct micro *micro,
                       uint64_t *set)
{
    const struct region *region = NULL;
    if (micro->base >= machine_program(machine, lane)->reg_slots) {
        uint64_t at = *machine_fixed(machine, lane, micro->base) + (uint64_t)micro->offset;
        if (at >= LOCAL_FIRST)
            return; /* its own */
        region = region_find(machine, at, 1);
    }
    if (!region) {
        add_all(machine, set);
        return;
    }
    uint32_t root = test_root_location(machine->test, region->location);
    set[root / 64] |= UINT64_C(1) << (root % 64);
}

/* All locations that some micro of its program may touch or write, whatever it computes. */
static void find_lane(struct machine *machine, uint32_t lane)
{
    const struct program *program = machine_program(machine, lane);
    uint64_t *touches = set_of(machine, machine->touches, lane);
    uint64_t *writes = set_of(machine, machine->writes, lane);
    for (uint32_t i = 0; program && i < program->micro_count; i++)
        switch (micro_reach(&program->micros[i])) {
        case MICRO_REACHES_WRITES:
            add_access(machine, lane, &program->micros[i], writes);
            add_access(machine, lane, &program->micros[i], touches);
            break;
        case MICRO_REACHES_READS:
            add_access(machine, lane, &program->micros[i], touches);
            break;
        case MICRO_REACHES_ALL:
            add_all(machine, writes);
            add_all(machine, touches);
            break;
        case MICRO_REACHES_NOTHING:
            break;
        }
}

void touch_find(struct machine *machine)
{
    size_t words = (size_t)machine->lane_count * words_of(machine);
    machine->touches = ARENA_ARRAY(machine->arena, uint64_t, words);
    machine->writes = ARENA_ARRAY(machine->arena, uint64_t, words);
    for (uint32_t lane = 0; lane < machine->lane_count; lane++)
        find_lane(machine, lane);
}

/* Whoever is done comes no more, but for loads that have not returned. */
static bool is_done(struct run *run, uint32_t lane)
{
    uint32_t load;
    return run_exited(run, lane) && api_has_started(run->machine, run->state, lane) &&
           !weak_memory_outstanding(run->memory, lane, &load, 1);
}

/* Where the access of the lane goes, or NULL; shared memory of another CTA is gone when that exits.
 */
static const struct region *region_of(struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct region *region = region_find(run->machine, run_address(run, lane, micro),
                                              micro->bytes * micro_elements(micro));
    bool far = region && region->cta != NONE && region->cta != run->machine->lanes[lane].cta;
    return far ? NULL : region;
}

bool touch_is_private(struct run *run, uint32_t lane)
{
    const struct machine *machine = run->machine;
    const struct micro *micro = run_micro(run, lane);
    const struct region *region = region_of(run, lane, micro);
    if (!region || (machine->api && !api_leaves_alone(machine, region->location)))
        return false;
    uint32_t root = test_root_location(machine->test, region->location);
    if (weak_memory_is(run->memory) && micro->kind == MICRO_LOAD &&
        has(machine, machine->writes, lane, root))
        return false; /* it may return what its own lane writes later */
    for (uint32_t other = 0; other < machine->lane_count; other++)
        if (other != lane && has(machine, machine->touches, other, root) && !is_done(run, other) &&
            !(machine->api && api_comes_after(run, other, lane)))
            return false;
    return true;
}
