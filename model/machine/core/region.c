/* SPDX-License-Identifier: MIT */
#include "model/machine/core/region.h"

#include <string.h>

#include "litmus/base/sort.h"
#include "litmus/test/texture.h"
#include "model/execution/outcome.h"

/* Addresses. One address space for everything: a shared address equals the generic one, so cvta
 * moves nothing. The first copy of a location lies where its symbol points (outcome_address);
 * shared memory of further CTAs has copies above COPIES_FIRST, a lane's own .local variables lie
 * above LOCAL_FIRST and are no region. */

static const uint64_t COPIES_FIRST = 0x80000000, COPIES_END = 0xe0000000;
enum { GAP = 256 };

/* An .extern .shared array has the size that the launch of the CTA asks for. */
static uint64_t location_bytes(const struct machine *machine, const struct location *location,
                               uint32_t cta)
{
    uint32_t launch = cta == NONE ? NONE : machine->ctas[cta].launch;
    if (location->dynamic && launch != NONE)
        return machine->test->launches[launch].dynamic_shared_bytes;
    uint64_t bytes = (uint64_t)location->element_bytes * location->elements;
    return bytes ? bytes : 1;
}

static bool is_shared(const struct location *location)
{
    return location->space == SPACE_SHARED || location->space == SPACE_SHARED_CLUSTER;
}

static void add_region(struct machine *machine, struct region region)
{
    uint32_t count = machine->region_count;
    if ((count & (count - 1)) == 0) /* full at every power of two */
        machine->regions = arena_grow(machine->arena, machine->regions, count * sizeof region,
                                      (count ? 2 * count : 1) * sizeof region);
    machine->regions[machine->region_count++] = region;
}

/* A region of its own for the location, at 'base'. */
static void add_own(struct machine *machine, uint32_t index, uint32_t cta, uint64_t base)
{
    const struct location *location = &machine->test->locations[index];
    uint64_t bytes = location_bytes(machine, location, cta), memory = machine->memory_bytes;
    uint64_t end = memory + ((bytes + 15) & ~UINT64_C(15));
    machine->memory_bytes = end > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)end;
    add_region(machine, (struct region){.base = base,
                                        .bytes = (uint32_t)bytes,
                                        .space = cta == NONE ? location->space : SPACE_SHARED,
                                        .memory = (uint32_t)memory,
                                        .cta = cta,
                                        .location = index});
}

/* Where the next copy of the region that was added last lies. */
static uint64_t next_copy(const struct machine *machine, uint64_t *copies)
{
    const struct region *last = &machine->regions[machine->region_count - 1];
    uint64_t alignment = outcome_alignment(machine->test, last->location), bytes = last->bytes;
    uint64_t base = (*copies + alignment - 1) / alignment * alignment;
    *copies = base + (bytes + 2 * GAP) / GAP * GAP;
    return base;
}

/* The CTA a shared location is declared in, among those of the machine. */
static bool owns(const struct machine *machine, const struct location *location, uint32_t cta)
{
    const struct cta_place *place = &machine->ctas[cta];
    if (machine->api && place->launch == NONE)
        return false; /* host threads and copies have no shared memory */
    if (location->kernel != NONE && place->launch != NONE &&
        machine->test->launches[place->launch].kernel != location->kernel)
        return false;
    if (location->cta == NONE)
        return true;
    return place->id.x == location->cta && (location->gpu == NONE || place->gpu == location->gpu);
}

static void add_shared(struct machine *machine, uint32_t index, uint64_t *copies)
{
    uint64_t base = outcome_address(machine->test, index, 0);
    for (uint32_t cta = 0; cta < machine->cta_count; cta++) {
        if (!owns(machine, &machine->test->locations[index], cta))
            continue;
        add_own(machine, index, cta, base);
        base = next_copy(machine, copies);
    }
}

/* Another name of the same bytes: a range of its own for each region of the aliased one, unless it
 * is the same address through another proxy. */
static void add_alias(struct machine *machine, uint32_t index, uint64_t *copies)
{
    const struct location *location = &machine->test->locations[index];
    if (location->alias_proxy != PROXY_GENERIC)
        return;
    uint64_t base = outcome_address(machine->test, index, 0);
    uint32_t root = location->alias_of, count = machine->region_count;
    for (uint32_t i = 0; i < count; i++) {
        struct region region = machine->regions[i];
        if (region.location != root)
            continue;
        region.base = base;
        region.location = index;
        add_region(machine, region);
        base = next_copy(machine, copies);
    }
}

static int compare_regions(const void *left, const void *right)
{
    const struct region *a = left, *b = right;
    return a->base < b->base ? -1 : a->base > b->base;
}

static bool fits(const struct machine *machine)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < machine->region_count; i++) {
        total += machine->regions[i].bytes;
        if (machine->regions[i].base >= COPIES_END)
            return false;
    }
    return total < UINT32_MAX / 4;
}

/* Aliases may name aliases: each pass adds those whose target has regions. */
static void add_aliases(struct machine *machine, uint64_t *copies)
{
    const struct test *test = machine->test;
    bool *done = ARENA_ARRAY(machine->arena, bool, test->location_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < test->location_count; i++) {
            uint32_t root = test->locations[i].alias_of;
            if (root == NONE || done[i] || (test->locations[root].alias_of != NONE && !done[root]))
                continue;
            add_alias(machine, i, copies);
            changed = done[i] = true;
        }
    }
}

static bool too_large(const struct test *test)
{
    for (uint32_t i = 0; i < test->location_count; i++)
        if ((uint64_t)test->locations[i].element_bytes * test->locations[i].elements >
            UINT32_MAX / 4)
            return true;
    return false;
}

/* Shared memory comes first in the array, so that a cluster's can be set aside in one piece. */
static void add_locations(struct machine *machine, bool shared, uint64_t *copies)
{
    const struct test *test = machine->test;
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *location = &test->locations[i];
        if (location->alias_of != NONE || location->space == SPACE_LOCAL ||
            is_shared(location) != shared)
            continue;
        if (shared)
            add_shared(machine, i, copies);
        else
            add_own(machine, i, NONE, outcome_address(test, i, 0));
    }
}

bool region_place_all(struct machine *machine, struct diag_list *diags)
{
    uint64_t copies = COPIES_FIRST;
    if (!too_large(machine->test)) {
        add_locations(machine, true, &copies);
        machine->shared_bytes = machine->memory_bytes;
        add_locations(machine, false, &copies);
        add_aliases(machine, &copies);
    }
    if (too_large(machine->test) || !fits(machine)) {
        diag_add(diags, DIAG_run_too_large, machine->test->source, (struct span){0, 0}, NULL,
                 "the locations do not fit into the executor's memory");
        return false;
    }
    sort_array(machine->regions, machine->region_count, sizeof *machine->regions, compare_regions);
    return true;
}

static uint32_t main_location(const struct test *test, uint32_t location)
{
    const struct location *locations = test->locations;
    while (locations[location].alias_of != NONE && locations[location].alias_proxy != PROXY_GENERIC)
        location = locations[location].alias_of;
    return location;
}

const struct region *region_main(const struct machine *machine, const struct region *region)
{
    uint32_t location = main_location(machine->test, region->location);
    for (uint32_t r = 0; location != region->location && r < machine->region_count; r++)
        if (machine->regions[r].location == location && machine->regions[r].cta == region->cta)
            return &machine->regions[r];
    return region;
}

const struct region *region_of_location(const struct machine *machine, uint32_t location)
{
    uint32_t root = test_root_location(machine->test, location);
    for (uint32_t i = 0; i < machine->region_count; i++)
        if (machine->regions[i].location == root)
            return &machine->regions[i];
    return NULL;
}

uint64_t region_address(const struct machine *machine, uint32_t lane, uint32_t location)
{
    const struct test *test = machine->test;
    location = main_location(test, location);
    if (test->locations[location].space == SPACE_LOCAL)
        return LOCAL_FIRST + program_local_offset(test, location);
    uint64_t any = 0;
    for (uint32_t i = 0; i < machine->region_count; i++) {
        const struct region *region = &machine->regions[i];
        if (region->location != location)
            continue;
        if (region->cta == NONE || region->cta == machine->lanes[lane].cta)
            return region->base;
        any = region->base;
    }
    return any;
}

const struct region *region_before(const struct machine *machine, uint64_t address)
{
    uint32_t low = 0, high = machine->region_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (machine->regions[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &machine->regions[low - 1] : NULL;
}

const struct region *region_find(const struct machine *machine, uint64_t address, uint32_t bytes)
{
    const struct region *region = region_before(machine, address);
    uint64_t offset = region ? address - region->base : 0;
    return region && offset < region->bytes && bytes <= region->bytes - offset ? region : NULL;
}

uint64_t region_in_cta(const struct machine *machine, uint64_t address, uint32_t cta)
{
    const struct region *from = region_find(machine, address, 1);
    for (uint32_t i = 0; from && from->cta != NONE && i < machine->region_count; i++) {
        const struct region *to = &machine->regions[i];
        if (to->location == from->location && to->cta == cta)
            return to->base + (address - from->base);
    }
    return 0;
}

void region_find_maps(struct machine *machine)
{
    const struct test *test = machine->test;
    for (uint32_t i = 0; i < test->location_count; i++) {
        uint64_t bytes = (uint64_t)test->locations[i].elements * test->locations[i].element_bytes;
        for (uint64_t at = 0; at + TENSOR_BYTES <= bytes && test->locations[i].init; at += 64) {
            struct machine_map map;
            uint32_t tensor, count = machine->map_count;
            if (!tensor_map_at(test, i, at, &map.map, &tensor))
                continue;
            map.base = outcome_address(test, tensor, 0);
            machine->maps = arena_grow(machine->arena, machine->maps, count * sizeof map,
                                       (count + 1) * sizeof map);
            machine->maps[machine->map_count++] = map;
        }
    }
}

static uint64_t value_of_name(const struct test *test, uint32_t location)
{
    return test->locations[location].texture ? texture_handle(location)
                                             : outcome_address(test, location, 0);
}

void region_initial(const struct machine *machine, uint8_t *bytes, uint32_t count)
{
    const struct test *test = machine->test;
    memset(bytes, 0, count);
    for (uint32_t r = 0; r < machine->region_count; r++) {
        const struct region *region = &machine->regions[r];
        const struct location *location = &test->locations[region->location];
        if (region->memory >= count)
            continue;
        for (uint32_t i = 0; location->init && i < location->elements; i++) {
            uint64_t words[2] = {location->init[i].value, 0};
            if (location->init[i].address_of != NONE)
                words[0] += value_of_name(test, location->init[i].address_of);
            memcpy(bytes + region->memory + (size_t)i * location->element_bytes, words,
                   location->element_bytes < 16 ? location->element_bytes : 16);
        }
    }
}
