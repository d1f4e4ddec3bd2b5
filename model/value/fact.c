/* SPDX-License-Identifier: MIT */
#include "model/value/fact.h"

#include <assert.h>
#include <stdlib.h>

#include "litmus/base/sort.h"

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

static bool same(const void *items, uint32_t index, const void *key)
{
    return fact_compare((const struct fact *)items + index, key) == 0;
}

void fact_add(struct fact_sink *sink, struct fact fact)
{
    assert(sink->counting || sink->arena);
    if (sink->counting) {
        sink->count++;
        return;
    }
    const uint64_t words[] = {(uint64_t)fact.kind * 2 + fact.negated,
                              (uint64_t)fact.a << 32 | fact.b, fact.value};
    uint64_t hash = hash_bytes(words, sizeof words, 0);
    if (hash_find(&sink->table, hash, same, sink->list.items.at, &fact) != HASH_NONE)
        return;
    hash_add(sink->arena, &sink->table, hash);
    vec_push(sink->arena, &sink->list.items, fact);
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
