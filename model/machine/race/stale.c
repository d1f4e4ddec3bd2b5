/* SPDX-License-Identifier: MIT */
#include "model/machine/race/stale.h"

#include <string.h>

#include "model/machine/race/private.h"

enum { MOST_SEEN = 64 }; /* beyond so many observers everybody is taken to know of a write */

/* Of the bytes at an address: the newest write, who has seen it, and what was there before. */
struct past {
    uint32_t bytes;
    uint64_t value;
    struct variable before; /* of the write before, as a strong read of it would find it */
    struct stamp newest;
    uint32_t count;
    struct stamp seen[MOST_SEEN];
};

static void free_past(gpointer data)
{
    struct past *past = data;
    heads_clear(&past->before.heads);
    g_free(past);
}

void race_remember(struct race_detector *race)
{
    race->past = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_past);
}

void race_refresh(struct race_detector *race)
{
    g_clear_pointer(&race->past, g_hash_table_destroy);
}

/* Shared memory is the present cluster's own. */
static uint64_t key_of(const struct race_detector *race, uint32_t memory)
{
    bool shared = memory < race->machine->shared_bytes;
    return (shared ? (uint64_t)race->first_warp << 32 : 0) | memory;
}

static struct stamp stamp_of(const struct race_detector *race, uint32_t lane)
{
    return (struct stamp){race_warp_number(race, lane), 1u << race->machine->lanes[lane].lane,
                          race->time, 0};
}

static bool knows(const struct race_detector *race, uint32_t lane, const struct stamp *s)
{
    const struct thread_clock *thread = &race->now->threads[lane];
    struct scope_place here = race_place_of_warp(race, race_warp_number(race, lane)),
                       there = race_place_of_warp(race, s->warp);
    bool same_warp = s->warp == race_warp_number(race, lane);
    return (same_warp &&
            (s->lanes == 1u << race->machine->lanes[lane].lane || s->time <= thread->warp)) ||
           (here.unit[SCOPE_CTA] == there.unit[SCOPE_CTA] && s->time <= thread->cta) ||
           race_knows(race, thread->known, s, (uint32_t)__builtin_ctz(s->lanes));
}

/* The newest write, or somebody who has seen it? */
static bool knows_newest(const struct race_detector *race, uint32_t lane, const struct past *past)
{
    bool known = past->count == MOST_SEEN || knows(race, lane, &past->newest);
    for (uint32_t i = 0; i < past->count && !known; i++)
        known = knows(race, lane, &past->seen[i]);
    return known;
}

/* Of writes to other bytes than those of the access, which overlap it, only the newest value is left. */
static void forget_overlaps(struct race_detector *race, const struct memory_access *access)
{
    uint32_t all = access->bytes * access->count,
             first = access->memory < 15 ? 0 : access->memory - 15;
    for (uint32_t at = first; at < access->memory + all; at++) {
        uint64_t key = key_of(race, at);
        const struct past *past = g_hash_table_lookup(race->past, &key);
        bool same =
            at == access->memory && access->count == 1 && past && past->bytes == access->bytes;
        if (past && at + past->bytes > access->memory && !same)
            g_hash_table_remove(race->past, &key);
    }
}

static void remember_write(struct race_detector *race, const struct memory_access *access,
                           const uint8_t *bytes)
{
    forget_overlaps(race, access);
    if (access->count != 1 || access->bytes > 8)
        return;
    uint64_t key = key_of(race, access->memory);
    struct past *past = g_hash_table_lookup(race->past, &key);
    if (!past) {
        past = g_new0(struct past, 1);
        g_hash_table_insert(race->past, g_memdup2(&key, sizeof key), past);
    }
    past->bytes = access->bytes;
    past->value = 0;
    memcpy(&past->value, bytes, access->bytes);
    race_copy_variable(race, access->memory, &past->before);
    past->newest = stamp_of(race, access->lane);
    past->count = 0;
}

bool race_stale(struct race_detector *race, struct run *run, struct memory_access *access,
                const uint8_t *bytes)
{
    if (!race->past)
        return false;
    if (access->writes) {
        remember_write(race, access, bytes);
        return false;
    }
    uint64_t key = key_of(race, access->memory);
    struct past *past = g_hash_table_lookup(race->past, &key);
    if (!past || access->count != 1 || past->bytes != access->bytes) {
        forget_overlaps(race, access); /* who has seen them is not remembered */
        return false;
    }
    bool stale = !knows_newest(race, access->lane, past) && run->chooser->choose(run->chooser, 2);
    if (!stale) {
        if (past->count < MOST_SEEN)
            past->seen[past->count++] = stamp_of(race, access->lane);
        return false;
    }
    access->value[0] = past->value;
    race_read_before(race, access->lane, access->micro, access->memory, &past->before);
    return true;
}
