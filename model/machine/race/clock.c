/* SPDX-License-Identifier: MIT */
#include "model/machine/race/clock.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/hash.h"

/* Clocks of many threads differ in little: each holds the entries of a base that it shares with others, and the few that
 * are later than those, or not among them. A base tells of which it has all that they have, by hashes of their entries. */
enum {
    FEW = 64,      /* entries beyond those of a base: a sum of clocks with more of them has none */
    LINEAGE = 128, /* its own hash comes first; 0: none */
};
struct clock {
    uint32_t references, count;
    struct clock *base;           /* has none itself; NULL: there is none */
    uint64_t *lineage;            /* of a clock that may be a base, or NULL */
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
    if (!clock || --clock->references)
        return;
    clock_unref(clock->base);
    g_free(clock->lineage);
    g_free(clock);
}

/* In the entries of the clock itself; 0: it is not among them. */
static uint32_t own_time(const struct clock *clock, uint64_t key)
{
    uint32_t low = 0, high = clock->count;
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

uint32_t clock_time(const struct clock *clock, uint64_t key)
{
    uint32_t time = clock ? own_time(clock, key) : 0;
    return time || !clock || !clock->base ? time : own_time(clock->base, key);
}

/* ---- entries ------------------------------------------------------------------------------- */

struct entries {
    const struct clock_entry *at;
    uint32_t count;
    bool less; /* than the sum that they became part of */
};

/* The later of both, to room for all of them; gives their number. */
static uint32_t merge(struct entries *a, struct entries *b, struct clock_entry *to)
{
    uint32_t i = 0, k = 0, used = 0;
    while (i < a->count || k < b->count) {
        const struct clock_entry *x = i < a->count ? &a->at[i] : NULL,
                                 *y = k < b->count ? &b->at[k] : NULL;
        bool both = x && y && x->key == y->key;
        struct clock_entry next =
            !x || (y && (y->key < x->key || (both && y->time > x->time))) ? *y : *x;
        a->less = a->less || !x || next.key != x->key || next.time != x->time;
        b->less = b->less || !y || next.key != y->key || next.time != y->time;
        i += x && x->key == next.key;
        k += y && y->key == next.key;
        to[used++] = next;
    }
    return used;
}

static struct entries entries_of(const struct clock *clock)
{
    return (struct entries){clock->entries, clock->count, false};
}

/* Those of the base as well, in an array of their own. */
static struct entries all_entries(const struct clock *clock)
{
    struct entries own = entries_of(clock),
                   base = clock->base ? entries_of(clock->base) : (struct entries){0};
    struct clock_entry *at = g_new(struct clock_entry, own.count + base.count + 1);
    uint32_t count = merge(&base, &own, at);
    return (struct entries){at, count, false};
}

static struct clock *new_clock(struct clock *base, const struct clock_entry *entries,
                               uint32_t count)
{
    struct clock *clock = g_malloc(sizeof *clock + count * sizeof *entries);
    clock->references = 1;
    clock->count = count;
    clock->base = clock_ref(base);
    clock->lineage = NULL;
    memcpy(clock->entries, entries, count * sizeof *entries);
    return clock;
}

/* The clock has all that both have: their newest bases come first. */
static void inherit(struct clock *clock, const struct clock *a, const struct clock *b)
{
    uint32_t to = 1;
    for (uint32_t i = 0; i < LINEAGE; i++) {
        if (a && a->lineage[i] && to < LINEAGE)
            clock->lineage[to++] = a->lineage[i];
        if (b && b->lineage[i] && to < LINEAGE)
            clock->lineage[to++] = b->lineage[i];
    }
}

/* Entries of a clock that is large enough to be a base; 'a' and 'b': bases that it has all of, or NULL. */
static struct clock *new_base(struct entries all, const struct clock *a, const struct clock *b)
{
    struct clock *clock = new_clock(NULL, all.at, all.count);
    clock->lineage = g_new0(uint64_t, LINEAGE);
    for (uint32_t i = 0; i < all.count; i++)
        clock->lineage[0] = hash_pair(clock->lineage[0] ^ all.at[i].time, all.at[i].key);
    inherit(clock, a && a->lineage ? a : NULL, b && b->lineage ? b : NULL);
    return clock;
}

/* With entries that are later than those of the base; with more than 'most' of them as a base of its own. */
static struct clock *clock_on(struct clock *base, const struct clock_entry *entries, uint32_t count,
                              uint32_t most)
{
    if (count <= most)
        return new_clock(base, entries, count);
    struct entries own = {entries, count, false},
                   old = base ? entries_of(base) : (struct entries){0};
    struct clock_entry *at = g_new(struct clock_entry, own.count + old.count);
    struct entries all = {at, merge(&old, &own, at), false};
    struct clock *clock = new_base(all, base, NULL);
    g_free(at);
    return clock;
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* What a clock with more entries would be based on, or NULL. */
static struct clock *base_of(struct clock *clock)
{
    return !clock || clock->base ? (clock ? clock->base : NULL) : clock->lineage ? clock : NULL;
}

/* Those later than what the clock tells, in an array of their own. */
static struct entries news_for(const struct clock *clock, const struct clock_entry *entries,
                               uint32_t count)
{
    struct clock_entry *at = g_new(struct clock_entry, count);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (entries[i].time > clock_time(clock, entries[i].key))
            at[used++] = entries[i];
    return (struct entries){at, used, false};
}

static struct clock *with(struct clock *a, const struct clock_entry *entries, uint32_t count,
                          uint32_t most)
{
    struct entries news = news_for(a, entries, count), own = {0};
    struct clock *sum = NULL;
    if (news.count) {
        struct clock *base = base_of(a);
        if (a && a != base)
            own = entries_of(a);
        struct clock_entry *at = g_new(struct clock_entry, own.count + news.count);
        sum = clock_on(base, at, merge(&own, &news, at), most);
        g_free(at);
    }
    g_free((void *)news.at);
    return sum ? sum : clock_ref(a);
}

/* What single threads add to what many of them know is seldom joined to anything: it gets no base of its own. */
struct clock *clock_with(struct clock *a, const struct clock_entry *entries, uint32_t count)
{
    return with(a, entries, count, 4 * FEW);
}

/* Of the entries of both, on top of a base; one of the two itself where it has all of the other. */
static struct clock *sum_of(struct clock *a, struct clock *b)
{
    struct entries x = entries_of(a), y = entries_of(b);
    struct clock_entry *at = g_new(struct clock_entry, x.count + y.count);
    uint32_t count = merge(&x, &y, at);
    struct clock *sum = !x.less   ? clock_ref(a)
                        : !y.less ? clock_ref(b)
                                  : clock_on(a->base, at, count, FEW);
    g_free(at);
    return sum;
}

/* The same of clocks that have nothing in common. */
static struct clock *sum_of_all(struct clock *a, struct clock *b)
{
    struct entries x = all_entries(a), y = all_entries(b);
    struct clock_entry *at = g_new(struct clock_entry, x.count + y.count);
    struct entries all = {at, merge(&x, &y, at), false};
    struct clock *sum = !x.less   ? clock_ref(a)
                        : !y.less ? clock_ref(b)
                                  : new_base(all, base_of(a), base_of(b));
    g_free(at);
    g_free((void *)x.at);
    g_free((void *)y.at);
    return sum;
}

/* Has the base of 'b' all that the base of 'a' has? */
static bool descends(struct clock *b, struct clock *a)
{
    const struct clock *from = base_of(a), *to = base_of(b);
    if (!from || !to || !from->lineage || !to->lineage)
        return false;
    for (uint32_t i = 0; i < LINEAGE; i++)
        if (to->lineage[i] == from->lineage[0])
            return true;
    return false;
}

/* 'b' with what 'a' has beyond its base. */
static struct clock *with_own(struct clock *b, const struct clock *a)
{
    return with(b, a->entries, a->base ? a->count : 0, FEW);
}

/* A few entries, with no base, and no base of others. */
static bool is_small(const struct clock *clock)
{
    return !clock->base && !clock->lineage;
}

/* One of the two itself where that is seen: who joins them again sees it at once. */
struct clock *clock_join(struct clock *a, struct clock *b)
{
    if (!b || a == b || (a && a->base == b))
        return clock_ref(a);
    if (!a || b->base == a)
        return clock_ref(b);
    if (a->base ? a->base == b->base : is_small(a) && is_small(b))
        return sum_of(a, b);
    if (is_small(b))
        return with(a, b->entries, b->count, FEW);
    if (is_small(a))
        return with(b, a->entries, a->count, FEW);
    return descends(b, a) ? with_own(b, a) : descends(a, b) ? with_own(a, b) : sum_of_all(a, b);
}

void clock_add(struct clock **to, struct clock *news)
{
    struct clock *joined = clock_join(*to, news);
    clock_unref(*to);
    *to = joined;
}
