/* SPDX-License-Identifier: MIT */
#include "model/graph/layout.h"

#include <assert.h>
#include <stdlib.h>

#include "litmus/base/sort.h"

/* Symbols lie between the first two of these, further copies of shared and local memory between the last
 * two. */
static const uint64_t VIRTUAL_FIRST = 0x40000000, COPIES_FIRST = 0x80000000, END = 0xf0000000;
enum { SPACING = 0x10000 };

uint32_t layout_virtual(const struct test *test, uint32_t location)
{
    assert(location < test->location_count);
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[location];
        if (l->alias_of == NONE || l->alias_proxy == PROXY_GENERIC)
            break;
        location = l->alias_of;
    }
    return location;
}

static uint64_t bytes_of(const struct location *location)
{
    uint64_t bytes = (uint64_t)location->element_bytes * location->elements;
    return bytes ? bytes : 1;
}

/* Room a location takes: its bytes and a gap, an odd multiple of the alignment. */
static uint64_t room_of(const struct location *location)
{
    return (bytes_of(location) + SPACING) / LAYOUT_ALIGNMENT * LAYOUT_ALIGNMENT + LAYOUT_ALIGNMENT;
}

uint64_t layout_alignment(const struct location *location)
{
    enum { OF_TENSORS = 128, PATTERN = 1024 };
    bool tiles = location->space == SPACE_SHARED && location->align >= OF_TENSORS;
    uint64_t least = tiles ? PATTERN : LAYOUT_ALIGNMENT;
    return location->align > least ? location->align : least;
}

/* At least 'base', and aligned as the location wants it. */
static uint64_t aligned(uint64_t base, const struct location *location)
{
    uint64_t alignment = layout_alignment(location);
    return (base + alignment - 1) / alignment * alignment;
}

static uint64_t base_of(const struct test *test, uint32_t location)
{
    uint64_t base = aligned(VIRTUAL_FIRST, &test->locations[0]);
    for (uint32_t i = 0; i < location; i++)
        base = aligned(base + room_of(&test->locations[i]), &test->locations[i + 1]);
    return base + bytes_of(&test->locations[location]) <= COPIES_FIRST ? base : UINT64_MAX;
}

uint64_t layout_address(const struct test *test, uint32_t location, uint32_t element)
{
    assert(location < test->location_count);
    uint64_t base = base_of(test, layout_virtual(test, location));
    if (base == UINT64_MAX)
        return base;
    return base + (uint64_t)element * test->locations[location].element_bytes;
}

bool layout_find(const struct test *test, uint64_t address, uint32_t *location, uint64_t *offset)
{
    uint64_t base = VIRTUAL_FIRST;
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        bool own = l->alias_of == NONE || l->alias_proxy == PROXY_GENERIC;
        base = aligned(base, l);
        if (own && address >= base && address - base < bytes_of(l)) {
            *location = i;
            *offset = address - base;
            return true;
        }
        base += room_of(l);
    }
    return false;
}

static uint8_t initial_byte(const struct test *test, const struct location *l, uint64_t offset)
{
    uint64_t element = offset / l->element_bytes, within = offset % l->element_bytes;
    if (!l->init || element >= l->elements || within >= 8)
        return 0;
    const struct location_init *init = &l->init[element];
    uint64_t value = init->value;
    if (init->address_of != NONE)
        value += layout_address(test, init->address_of, 0);
    return (uint8_t)(value >> (8 * within));
}

uint64_t layout_initial(const struct test *test, uint32_t location, uint64_t offset, uint32_t bytes)
{
    assert(location < test->location_count && bytes <= 8);
    const struct location *l = &test->locations[test_root_location(test, location)];
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes && i < 8; i++)
        value |= (uint64_t)initial_byte(test, l, offset + i) << (8 * i);
    return value;
}

bool layout_unset(const struct test *test, uint32_t location)
{
    return test->locations[test_root_location(test, location)].unset;
}

struct layout {
    struct arena *arena;
    const struct test *test;
    VEC(struct mapping) mappings;
    uint64_t next_copy, next_physical;
};

static void add_mapping(struct layout *layout, uint64_t base, uint32_t location, uint32_t cta,
                        uint32_t thread)
{
    const struct location *l = &layout->test->locations[location];
    struct mapping m = {.virtual_base = base,
                        .physical_base = layout->next_physical,
                        .bytes = bytes_of(l),
                        .location = location,
                        .cta = cta,
                        .thread = thread};
    layout->next_physical += room_of(l);
    vec_push(layout->arena, &layout->mappings, m);
}

static uint64_t copy_base(struct layout *layout, uint32_t location)
{
    uint64_t base = aligned(layout->next_copy, &layout->test->locations[location]);
    layout->next_copy = base + room_of(&layout->test->locations[location]);
    return base;
}

/* The first copy lies where the symbol points, so that one copy alone looks like global memory. */
static void add_copies(struct layout *layout, uint32_t location, const struct thread *threads,
                       uint32_t count)
{
    bool local = layout->test->locations[location].space == SPACE_LOCAL;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t owner = local ? i : threads[i].cta;
        if (owner < next || threads[i].issuer != NONE || threads[i].host != NONE)
            continue;
        uint64_t base = next ? copy_base(layout, location) : base_of(layout->test, location);
        add_mapping(layout, base, location, local ? NONE : owner, local ? i : NONE);
        if (layout->test->locations[location].dynamic && threads[i].launch != NONE)
            layout->mappings.at[layout->mappings.len - 1].bytes =
                layout->test->launches[threads[i].launch].dynamic_shared_bytes;
        next = owner + 1;
    }
}

/* The CTA that a shared location is declared to belong to, by its number among the threads. */
static uint32_t declared_cta(const struct test *test, const struct location *l,
                             const struct thread *threads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t column = threads[i].column;
        if (column != NONE && test->columns[column].cta == l->cta &&
            (l->gpu == NONE || test->columns[column].gpu == l->gpu))
            return threads[i].cta;
        if (threads[i].launch != NONE && threads[i].linear_cta == l->cta)
            return threads[i].cta;
    }
    return NONE;
}

static void add_location(struct layout *layout, uint32_t location, const struct thread *threads,
                         uint32_t count)
{
    const struct location *l = &layout->test->locations[location];
    bool shared = l->space == SPACE_SHARED || l->space == SPACE_SHARED_CLUSTER;
    if (l->space == SPACE_LOCAL || (shared && l->cta == NONE))
        add_copies(layout, location, threads, count);
    else
        add_mapping(layout, base_of(layout->test, location), location,
                    shared ? declared_cta(layout->test, l, threads, count) : NONE, NONE);
}

/* Another virtual range for the same bytes, a copy for each copy of what it aliases. */
static void add_alias(struct layout *layout, uint32_t location)
{
    uint32_t root = test_root_location(layout->test, location), copies = 0;
    for (uint32_t i = 0; i < layout->mappings.len; i++) {
        struct mapping m = layout->mappings.at[i];
        if (m.location != root)
            continue;
        m.virtual_base = copies++ ? copy_base(layout, location) : base_of(layout->test, location);
        m.location = location;
        vec_push(layout->arena, &layout->mappings, m);
    }
}

static int by_base(const void *a, const void *b)
{
    const struct mapping *x = a, *y = b;
    return x->virtual_base < y->virtual_base ? -1 : x->virtual_base > y->virtual_base;
}

struct mapping *layout_mappings(struct arena *arena, const struct test *test,
                                const struct thread *threads, uint32_t thread_count,
                                uint32_t *count)
{
    struct layout layout = {
        .arena = arena, .test = test, .next_copy = COPIES_FIRST, .next_physical = LAYOUT_ALIGNMENT};
    layout.mappings.at = ARENA_ARRAY(arena, struct mapping, test->location_count + 1);
    layout.mappings.cap = test->location_count + 1;
    for (uint32_t i = 0; i < test->location_count; i++) {
        if (base_of(test, i) == UINT64_MAX)
            return NULL;
        if (test->locations[i].alias_of == NONE)
            add_location(&layout, i, threads, thread_count);
    }
    for (uint32_t i = 0; i < test->location_count; i++)
        if (test->locations[i].alias_of != NONE && layout_virtual(test, i) == i)
            add_alias(&layout, i);
    if (layout.next_copy > END)
        return NULL;
    sort_array(layout.mappings.at, layout.mappings.len, sizeof(struct mapping), by_base);
    *count = layout.mappings.len;
    return layout.mappings.at;
}
