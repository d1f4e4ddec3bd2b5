/* SPDX-License-Identifier: MIT */
#include "model/graph/graph.h"

#include <assert.h>
#include <stddef.h>

_Static_assert(offsetof(struct mapping, virtual_base) == 0, "count_up_to reads it");
_Static_assert(offsetof(struct granule, physical) == 0, "the same");

/* How many of the ascending numbers, each at the start of 'stride' bytes, are at most 'limit'. */
static uint32_t count_up_to(const void *first, size_t stride, uint32_t count, uint64_t limit)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (*(const uint64_t *)((const char *)first + middle * stride) <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct mapping *mapping_find(const struct mapping *mappings, uint32_t count, uint64_t address,
                                   uint32_t bytes)
{
    assert(bytes);
    uint32_t before = count_up_to(mappings, sizeof *mappings, count, address);
    if (!before)
        return NULL;
    const struct mapping *mapping = &mappings[before - 1];
    uint64_t offset = address - mapping->virtual_base;
    bool inside = offset < mapping->bytes && bytes <= mapping->bytes - offset;
    return inside ? mapping : NULL;
}

const struct mapping *graph_mapping(const struct graph *graph, uint64_t address, uint32_t bytes)
{
    return mapping_find(graph->mappings, graph->mapping_count, address, bytes);
}

bool graph_physical(const struct graph *graph, uint64_t address, uint64_t *physical)
{
    const struct mapping *mapping = graph_mapping(graph, address, 1);
    if (mapping)
        *physical = mapping->physical_base + (address - mapping->virtual_base);
    return mapping != NULL;
}

/* Index of the granule that holds the byte, or granule_count. */
static uint32_t find_granule(const struct graph *graph, uint64_t physical)
{
    uint32_t before =
        count_up_to(graph->granules, sizeof *graph->granules, graph->granule_count, physical);
    if (!before)
        return graph->granule_count;
    const struct granule *granule = &graph->granules[before - 1];
    return physical - granule->physical < granule->bytes ? before - 1 : graph->granule_count;
}

bool graph_granules(const struct graph *graph, uint64_t address, uint32_t bytes, uint32_t *first,
                    uint32_t *count)
{
    assert(bytes);
    const struct mapping *mapping = graph_mapping(graph, address, bytes);
    if (!mapping)
        return false;
    uint64_t begin = mapping->physical_base + (address - mapping->virtual_base);
    *first = find_granule(graph, begin);
    uint32_t last = find_granule(graph, begin + bytes - 1);
    if (*first == graph->granule_count || last == graph->granule_count)
        return false;
    *count = last - *first + 1;
    return true;
}

/* 8.5: a scope is a set of threads; an asynchronous operation counts as its issuer's. */
bool graph_scope_contains(const struct graph *graph, event_id a, event_id b)
{
    assert(a < graph->event_count && b < graph->event_count);
    const struct event *from = &graph->events[a], *to = &graph->events[b];
    if (from->thread == NONE || to->thread == NONE)
        return false;
    const struct thread *x = &graph->threads[from->thread], *y = &graph->threads[to->thread];
    /* Kernels of two domains are at the distance of the system, on one device as well (CUDA programming guide,
     * memory synchronization domains). */
    bool device = x->host == NONE && y->host == NONE && x->domain == y->domain;
    switch (from->scope) {
    case SCOPE_NONE:
        return false;
#define PLACE(scope, member)                                                                       \
    case SCOPE_##scope:                                                                            \
        return device && x->member == y->member;
#include "litmus/isa/words.def"
    case SCOPE_SYS:
        return true;
    }
    return false;
}

static bool is_strong(const struct event *event)
{
    return event->tags & (TAG(RLX) | TAG(ACQ) | TAG(REL) | TAG(ACQ_REL) | TAG(SC));
}

bool graph_mutual(const struct graph *graph, event_id a, event_id b)
{
    const struct event *x = &graph->events[a], *y = &graph->events[b];
    event_tags both = x->tags & y->tags;
    if (both & TAG(MBARRIER))
        return true;
    if (!(both & (TAG(GEN) | TAG(SUR) | TAG(ASYNC))))
        return false;
    bool in_scope = graph_scope_contains(graph, a, b) && graph_scope_contains(graph, b, a);
    return (x->thread != NONE && x->thread == y->thread) ||
           (is_strong(x) && is_strong(y) && in_scope);
}
