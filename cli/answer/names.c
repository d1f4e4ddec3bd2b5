/* SPDX-License-Identifier: MIT */
#include "cli/answer/names.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "litmus/print/print.h"
#include "litmus/test/mangled.h"
#include "model/execution/outcome.h"

/* ---- places --------------------------------------------------------------------------------- */

/* Is it there, in the kernels that run? */
static bool is_used(const struct test *test, const struct location *location)
{
    bool used = location->kernel == NONE;
    for (uint32_t i = 0; i < test->launch_count && !used; i++)
        used = test->launches[i].kernel == location->kernel;
    return used;
}

/* Of a variable of a function the name that it has there, unless another one is called so. */
static const char *plain_name(struct arena *arena, const struct test *test, const char *name)
{
    size_t length, other;
    const char *local = mangled_local(name, &length);
    for (uint32_t i = 0; local && i < test->location_count; i++) {
        const char *called = test->locations[i].name, *also = mangled_local(called, &other);
        bool same = (also && other == length && memcmp(also, local, length) == 0) ||
                    (strlen(called) == length && memcmp(called, local, length) == 0);
        if (same && strcmp(called, name) != 0 && is_used(test, &test->locations[i]))
            return name;
    }
    return local ? arena_strndup(arena, local, length) : name;
}

/* "x"; of shared memory that several CTAs have "x@cta1". */
static const char *memory_name(struct arena *arena, const struct graph *graph,
                               const struct mapping *m)
{
    const char *name = plain_name(arena, graph->test, graph->test->locations[m->location].name);
    for (uint32_t i = 0; i < graph->mapping_count; i++) {
        const struct mapping *other = &graph->mappings[i];
        if (other->location == m->location && other->cta != m->cta)
            return arena_printf(arena, "%s@cta%u", name, m->cta);
    }
    return name;
}

static const char *piece_name(struct arena *arena, const struct graph *graph,
                              const struct mapping *m, uint64_t offset, uint64_t bytes)
{
    const struct location *location = &graph->test->locations[m->location];
    const char *name = memory_name(arena, graph, m);
    uint64_t size = location->element_bytes;
    if (offset == 0 && bytes >= size * location->elements)
        return name;
    if (bytes == size && offset % size == 0)
        return print_element(arena, location, name, offset / size);
    if (bytes == 1)
        return arena_printf(arena, "%s+%" PRIu64, name, offset);
    return arena_printf(arena, "%s+%" PRIu64 "..%" PRIu64, name, offset, offset + bytes - 1);
}

/* The location that the granule lies in, or its CTA's copy of it; NULL: it has no address. */
static const struct mapping *mapping_of(const struct graph *graph, const struct granule *granule)
{
    for (uint32_t i = 0; i < graph->mapping_count; i++) {
        const struct mapping *m = &graph->mappings[i];
        if (m->location == granule->location && granule->physical >= m->physical_base &&
            granule->physical - m->physical_base < m->bytes)
            return m;
    }
    return NULL;
}

static const char *range_name(struct arena *arena, const struct graph *graph, uint32_t first,
                              uint32_t count)
{
    const struct granule *granules = &graph->granules[first];
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; i++)
        bytes += granules[i].bytes;
    const struct mapping *m = mapping_of(graph, granules);
    if (!m)
        return plain_name(arena, graph->test, graph->test->locations[granules->location].name);
    return piece_name(arena, graph, m, granules->physical - m->physical_base, bytes);
}

const char *name_granules(struct arena *arena, const struct execution *execution, event_id event,
                          uint32_t first, uint32_t count)
{
    return range_name(arena, execution->graph, execution->first_granule[event] + first, count);
}

/* Does the text name the place, as a whole word? */
static bool says(const char *text, const char *place)
{
    static const char inside[] = G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$[+";
    size_t length = strlen(place);
    for (const char *at = strstr(text, place); at; at = strstr(at + 1, place)) {
        bool begins = at == text || !strchr(G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_$%", at[-1]);
        if (begins && (!at[length] || !strchr(inside, at[length])))
            return true;
    }
    return false;
}

/* Another access of the same kind by the same execution of the instruction. */
static bool is_part(const struct execution *execution, event_id id)
{
    const struct graph *graph = execution->graph;
    const struct event *event = &graph->events[id];
    for (event_id e = 0; e < graph->event_count; e++) {
        const struct event *other = &graph->events[e];
        if (e != id && execution->executed[e] && other->kind == event->kind &&
            other->thread == event->thread && other->inst == event->inst &&
            other->position == event->position)
            return true;
    }
    return false;
}

const char *name_place(struct arena *arena, const struct execution *execution, event_id id)
{
    const struct event *event = &execution->graph->events[id];
    uint32_t count = execution->granules[id];
    if ((event->kind != EVENT_READ && event->kind != EVENT_WRITE) || !count)
        return NULL;
    const char *place = name_granules(arena, execution, id, 0, count);
    return says(event->text, place) && !is_part(execution, id) ? NULL : place;
}

/* ---- events --------------------------------------------------------------------------------- */

const char *name_event(struct arena *arena, const struct execution *execution, event_id event)
{
    const struct graph *graph = execution->graph;
    if (graph->events[event].kind == EVENT_INIT)
        return arena_printf(arena, "init [%s]",
                            range_name(arena, graph, execution->first_granule[event], 1));
    uint32_t number = 0;
    for (event_id e = 0; e < event; e++)
        number += execution->executed[e] && graph->events[e].kind != EVENT_INIT;
    char letter = (char)('a' + number % 26);
    return number < 26 ? arena_printf(arena, "%c", letter)
                       : arena_printf(arena, "%c%u", letter, number / 26);
}

const char *name_initial(struct arena *arena, const struct execution *execution, event_id event,
                         event_id other)
{
    const struct granule *granules = execution->graph->granules;
    uint32_t location = granules[execution->first_granule[event]].location, count = 0;
    uint32_t first = execution->first_granule[other], end = first + execution->granules[other];
    while (first < end && granules[first].location != location)
        first++;
    while (first + count < end && granules[first + count].location == location)
        count++;
    return count
               ? arena_printf(arena, "init [%s]", range_name(arena, execution->graph, first, count))
               : name_event(arena, execution, event);
}

/* ---- values --------------------------------------------------------------------------------- */

/* An address fills a 64-bit access, or a 32-bit one where addresses are that wide. */
static const struct mapping *pointee(const struct graph *graph, const struct event *event,
                                     uint64_t value)
{
    bool wide = event->bytes == 8;
    for (uint32_t i = 0; i < graph->mapping_count; i++) {
        const struct mapping *m = &graph->mappings[i];
        if (value < m->virtual_base || value - m->virtual_base >= m->bytes)
            continue;
        enum space space = graph->test->locations[m->location].space;
        bool narrow = event->bytes == 4 && (space == SPACE_SHARED || space == SPACE_LOCAL);
        return wide || narrow ? m : NULL;
    }
    return NULL;
}

static const char *address_name(struct arena *arena, const struct graph *graph,
                                const struct mapping *m, uint64_t value)
{
    return print_address(arena, memory_name(arena, graph, m), value - m->virtual_base);
}

/* The write that all of the read's granules come from; NONE: there are several. */
static event_id only_source(const struct execution *execution, event_id read)
{
    const event_id *rf = &execution->rf[execution->rf_base[read]];
    for (uint32_t i = 1; i < execution->granules[read]; i++)
        if (rf[i] != rf[0])
            return NONE;
    return execution->granules[read] ? rf[0] : NONE;
}

enum { MOST_COPIES = 8 };

/* Is the value the word of an mbarrier object, or a state of one, as an operation on the object or a copy of it has it?
 * 'most': so many copies are followed. */
static bool is_mbarrier_word(const struct execution *execution, event_id id, uint32_t most)
{
    const struct graph *graph = execution->graph;
    const struct event *event = id == NONE ? NULL : &graph->events[id];
    if (!event || !most || event->bytes != 8)
        return false;
    if (event->tags & TAG(MBARRIER))
        return true;
    if (event->kind == EVENT_READ)
        return is_mbarrier_word(execution, only_source(execution, id), most - 1);
    for (event_id e = 0; event->kind == EVENT_WRITE && e < graph->event_count; e++) {
        const struct event *read = &graph->events[e];
        if (execution->executed[e] && read->kind == EVENT_READ && read->thread == event->thread &&
            read->value == event->value && is_mbarrier_word(execution, e, most - 1))
            return true;
    }
    return false;
}

const char *name_value(struct arena *arena, const struct execution *execution, event_id id)
{
    const struct event *event = &execution->graph->events[id];
    uint64_t value = execution->value[id];
    if (is_mbarrier_word(execution, id, MOST_COPIES))
        return outcome_mbarrier(arena, value);
    const struct mapping *m = pointee(execution->graph, event, value);
    return m ? address_name(arena, execution->graph, m, value)
             : arena_printf(arena, "%" PRIu64, value);
}

enum { NEAR_BEHIND = 1 << 16 }; /* bytes: what an index that is too large reaches */

const char *name_address(struct arena *arena, const struct graph *graph, uint64_t address)
{
    const struct mapping *below = NULL;
    for (uint32_t i = 0; i < graph->mapping_count; i++) {
        const struct mapping *m = &graph->mappings[i];
        if (address >= m->virtual_base && (!below || m->virtual_base >= below->virtual_base))
            below = m;
    }
    uint64_t offset = below ? address - below->virtual_base : 0;
    if (!below || offset >= below->bytes + NEAR_BEHIND)
        return arena_printf(arena, "%" PRIu64, address);
    const char *name = address_name(arena, graph, below, address);
    return offset < below->bytes
               ? name
               : arena_printf(arena, "%s, behind its %" PRIu64 " bytes", name, below->bytes);
}
