/* SPDX-License-Identifier: MIT */
#include "model/fact.h"

#include <assert.h>
#include <stdlib.h>

#include "litmus/base/sort.h"

enum { FIRST_SLOTS = 32 };

static uint32_t hash(const struct fact *fact)
{
    uint64_t h = (uint64_t)fact->kind * 2 + fact->negated;
    h = (h ^ fact->a) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ fact->b ^ (h >> 29)) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ fact->value ^ (h >> 31)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

int fact_compare(const struct fact *a, const struct fact *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    if (a->b != b->b)
        return a->b < b->b ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (int)a->negated - (int)b->negated;
}

static void place(struct fact_sink *sink, uint32_t index)
{
    uint32_t at = hash(&sink->list.items.at[index]) & (sink->slot_count - 1);
    while (sink->slots[at])
        at = (at + 1) & (sink->slot_count - 1);
    sink->slots[at] = index + 1;
}

static void grow(struct fact_sink *sink)
{
    sink->slot_count = sink->slot_count ? sink->slot_count * 2 : FIRST_SLOTS;
    sink->slots = ARENA_ARRAY(sink->arena, uint32_t, sink->slot_count);
    for (uint32_t i = 0; i < sink->list.items.len; i++)
        place(sink, i);
}

static bool contains(const struct fact_sink *sink, const struct fact *fact)
{
    uint32_t at = hash(fact) & (sink->slot_count - 1);
    for (; sink->slots[at]; at = (at + 1) & (sink->slot_count - 1))
        if (!fact_compare(&sink->list.items.at[sink->slots[at] - 1], fact))
            return true;
    return false;
}

void fact_add(struct fact_sink *sink, struct fact fact)
{
    assert(sink->counting || sink->arena);
    if (sink->counting) {
        sink->count++;
        return;
    }
    if (sink->list.items.len * 2 >= sink->slot_count)
        grow(sink);
    if (contains(sink, &fact))
        return;
    vec_push(sink->arena, &sink->list.items, fact);
    place(sink, sink->list.items.len - 1);
    sink->count++;
}

static int compare(const void *a, const void *b)
{
    return fact_compare(a, b);
}

void fact_sort(struct fact_list *list)
{
    sort_array(list->items.at, list->items.len, sizeof *list->items.at, compare);
}

bool fact_subset(const struct fact_list *few, const struct fact_list *many)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < few->items.len; i++, j++) {
        while (j < many->items.len && fact_compare(&many->items.at[j], &few->items.at[i]) < 0)
            j++;
        if (j == many->items.len || fact_compare(&many->items.at[j], &few->items.at[i]))
            return false;
    }
    return true;
}
