/* SPDX-License-Identifier: MIT */
#include "model/machine/race/clock.h"

#include <glib.h>

struct clock {
    uint32_t references, count;
    struct clock_entry entries[]; /* sorted by key */
};

struct clock *clock_ref(struct clock *clock)
{
    if (clock)
        clock->references++;
    return clock;
}

void clock_unref(struct clock *clock)
{
    if (clock && --clock->references == 0)
        g_free(clock);
}

uint32_t clock_time(const struct clock *clock, uint64_t key)
{
    uint32_t low = 0, high = clock ? clock->count : 0;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (clock->entries[middle].key == key)
            return clock->entries[middle].time;
        if (clock->entries[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

struct clock *clock_with(struct clock *a, const struct clock_entry *entries, uint32_t count)
{
    uint32_t old = a ? a->count : 0, i = 0, k = 0, used = 0;
    bool grew = false;
    struct clock *sum = g_malloc(sizeof *sum + (old + count) * sizeof *entries);
    while (i < old || k < count) {
        const struct clock_entry *x = i < old ? &a->entries[i] : NULL,
                                 *y = k < count ? &entries[k] : NULL;
        struct clock_entry next = !x || (y && y->key < x->key) ? *y : *x;
        if (x && y && x->key == y->key && y->time > x->time)
            next.time = y->time;
        grew = grew || !x || next.key != x->key || next.time != x->time;
        i += x && x->key == next.key;
        k += y && y->key == next.key;
        sum->entries[used++] = next;
    }
    sum->references = 1;
    sum->count = used;
    if (!a || grew)
        return sum;
    g_free(sum);
    return clock_ref(a);
}

static bool same(const struct clock *a, const struct clock *b)
{
    bool equal = a->count == b->count;
    for (uint32_t i = 0; equal && i < a->count; i++)
        equal = a->entries[i].key == b->entries[i].key && a->entries[i].time == b->entries[i].time;
    return equal;
}

/* One of the two itself where it has all of the other: who joins them again sees that at once. */
struct clock *clock_join(struct clock *a, struct clock *b)
{
    if (!b || a == b)
        return clock_ref(a);
    if (!a)
        return clock_ref(b);
    struct clock *joined = clock_with(a, b->entries, b->count);
    if (joined == a || !same(joined, b))
        return joined;
    clock_unref(joined);
    return clock_ref(b);
}

void clock_add(struct clock **to, struct clock *news)
{
    struct clock *joined = clock_join(*to, news);
    clock_unref(*to);
    *to = joined;
}
