/* SPDX-License-Identifier: MIT
 *
 * The shapes that the bounded search of mappings enumerates (model/bounded/shape.h) against every list of operations in
 * every division into threads and blocks, of which one of each class that renaming makes is counted.
 *
 * usage: shapes EVENTS    prints TAP */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/bounded/shape.h"

enum { THREADS = BOUNDED_THREADS, LOCATIONS = 2, CHOICES = BOUNDED_FENCE * LOCATIONS + 2 };

/* ---- what a shape must be ------------------------------------------------------------------- */

static const struct bounded_operation *nth(const struct bounded_program *p, uint32_t thread,
                                           uint32_t n)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->at[i].thread == thread && !n--)
            return &p->at[i];
    return NULL;
}

static bool fences_stand_between(const struct bounded_program *p)
{
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t n = 0;
        while (nth(p, t, n))
            n++;
        if (!n || nth(p, t, 0)->kind == BOUNDED_FENCE || nth(p, t, n - 1)->kind == BOUNDED_FENCE)
            return false;
    }
    return true;
}

static bool locations_are_shared(const struct bounded_program *p)
{
    bool used[LOCATIONS] = {false}, shared[LOCATIONS] = {false};
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->count && bounded_accesses(&p->at[i]); k++) {
            used[p->at[i].location] = true;
            shared[p->at[i].location] |= bounded_conflict(&p->at[i], &p->at[k]);
        }
    for (int i = 0; i < LOCATIONS; i++)
        if (used[i] != shared[i])
            return false;
    return true;
}

static uint32_t round_of(const struct bounded_program *p, uint32_t index)
{
    uint32_t round = 0;
    for (uint32_t i = 0; i < index; i++)
        round += p->at[i].thread == p->at[index].thread && p->at[i].kind == BOUNDED_BARRIER;
    return round;
}

static uint32_t rounds_of(const struct bounded_program *p, uint32_t thread)
{
    uint32_t rounds = 0;
    for (uint32_t i = 0; i < p->count; i++)
        rounds += p->at[i].thread == thread && p->at[i].kind == BOUNDED_BARRIER;
    return rounds;
}

/* Some access before the round and one behind it, of two threads of the block; and since the round before. */
static bool round_is_needed(const struct bounded_program *p, uint32_t block, uint32_t round)
{
    bool orders = false, since = !round;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t k = 0; k < p->count; k++) {
            const struct bounded_operation *a = &p->at[i], *b = &p->at[k];
            if (!bounded_accesses(a) || !bounded_accesses(b) || p->block[a->thread] != block ||
                p->block[b->thread] != block)
                continue;
            since |= round_of(p, i) == round;
            orders |= a->thread != b->thread && round_of(p, i) <= round && round_of(p, k) > round;
        }
    return orders && since;
}

static bool barriers_are_needed(const struct bounded_program *p)
{
    for (uint32_t t = 0; t < p->threads; t++) {
        bool accesses = false;
        for (uint32_t i = 0; i < p->count; i++)
            accesses |= p->at[i].thread == t && bounded_accesses(&p->at[i]);
        if (!accesses)
            return false;
        for (uint32_t u = 0; u < p->threads; u++)
            if (p->block[t] == p->block[u] && rounds_of(p, t) != rounds_of(p, u))
                return false;
        for (uint32_t round = 0; round < rounds_of(p, t); round++)
            if (!round_is_needed(p, p->block[t], round))
                return false;
    }
    return true;
}

static bool threads_meet(const struct bounded_program *p)
{
    uint32_t group[THREADS];
    for (uint32_t t = 0; t < p->threads; t++)
        group[t] = t;
    for (uint32_t again = 0; again < p->threads; again++)
        for (uint32_t i = 0; i < p->count; i++)
            for (uint32_t k = 0; k < p->count; k++) {
                const struct bounded_operation *a = &p->at[i], *b = &p->at[k];
                bool meet = bounded_accesses(a)
                                ? bounded_accesses(b) && a->location == b->location
                                : a->kind == BOUNDED_BARRIER && b->kind == BOUNDED_BARRIER &&
                                      p->block[a->thread] == p->block[b->thread];
                if (meet)
                    group[a->thread] = group[b->thread] = MIN(group[a->thread], group[b->thread]);
            }
    for (uint32_t t = 0; t < p->threads; t++)
        if (group[t])
            return false;
    return true;
}

/* ---- one name for a class ------------------------------------------------------------------- */

/* The place of the letter among those met so far. */
static int letter(char *met, uint32_t number)
{
    const char one = (char)('a' + number), *at = strchr(met, one);
    if (at)
        return (int)(at - met);
    met[strlen(met)] = one;
    return (int)strlen(met) - 1;
}

struct letters {
    char locations[LOCATIONS + 2], blocks[THREADS + 2], clusters[THREADS + 2];
};

static void write_thread(const struct bounded_program *p, uint32_t thread, struct letters *met,
                         GString *out)
{
    g_string_append_printf(out, "%d,%d:", letter(met->blocks, p->block[thread]),
                           letter(met->clusters, p->cluster[thread]));
    for (uint32_t n = 0; nth(p, thread, n); n++) {
        const struct bounded_operation *one = nth(p, thread, n);
        int location = bounded_accesses(one) ? letter(met->locations, one->location) : 9;
        g_string_append_printf(out, "%d%d ", one->kind, location);
    }
    g_string_append_c(out, '|');
}

/* The least of the texts that orders of the threads give. */
static void try_orders(const struct bounded_program *p, uint32_t *order, uint32_t fixed,
                       char **least)
{
    struct letters met = {"", "", ""};
    for (uint32_t i = fixed; i < p->threads; i++) {
        uint32_t swapped = order[fixed];
        order[fixed] = order[i], order[i] = swapped;
        try_orders(p, order, fixed + 1, least);
        order[i] = order[fixed], order[fixed] = swapped;
    }
    if (fixed < p->threads)
        return;
    GString *out = g_string_new(NULL);
    for (uint32_t k = 0; k < p->threads; k++)
        write_thread(p, order[k], &met, out);
    char *text = g_string_free(out, FALSE);
    bool less = !*least || strcmp(text, *least) < 0;
    g_free(less ? *least : text);
    *least = less ? text : *least;
}

static char *name_of(const struct bounded_program *p)
{
    uint32_t order[THREADS + 1] = {0, 1, 2, 3};
    char *least = NULL;
    try_orders(p, order, 0, &least);
    return least;
}

/* ---- places --------------------------------------------------------------------------------- */

/* Blocks alone, or a block within a cluster within the device, each of more threads. */
static bool places_are_needed(const struct bounded_program *p)
{
    bool same = true, nested = false;
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t block = 0, cluster = 0;
        for (uint32_t u = 0; u < p->threads; u++) {
            block += p->block[t] == p->block[u];
            cluster += p->cluster[t] == p->cluster[u];
            if (p->block[t] == p->block[u] && p->cluster[t] != p->cluster[u])
                return false;
        }
        same &= block == cluster;
        nested |= 1 < block && block < cluster && cluster < p->threads;
    }
    return same || nested;
}

/* ---- every list ----------------------------------------------------------------------------- */

static void add_places(GHashTable *classes, struct bounded_program *p, uint32_t thread)
{
    if (thread == p->threads || thread == THREADS) {
        if (places_are_needed(p) && barriers_are_needed(p) && threads_meet(p))
            g_hash_table_add(classes, name_of(p));
        return;
    }
    for (p->block[thread] = 0; p->block[thread] <= thread; p->block[thread]++)
        for (p->cluster[thread] = 0; p->cluster[thread] <= thread; p->cluster[thread]++)
            add_places(classes, p, thread + 1);
}

static void add_lists(GHashTable *classes, struct bounded_program *p, uint32_t events)
{
    if (!events && p->threads > 1 && fences_stand_between(p) && locations_are_shared(p))
        add_places(classes, p, 0);
    for (uint32_t choice = 0; events && choice < 2 * CHOICES; choice++) {
        bool next = choice >= CHOICES;
        uint32_t which = choice % CHOICES;
        struct bounded_operation one = {.kind = (uint8_t)(which / LOCATIONS),
                                        .location = (uint8_t)(which % LOCATIONS)};
        if (which >= BOUNDED_FENCE * LOCATIONS)
            one = (struct bounded_operation){
                .kind = (uint8_t)(BOUNDED_FENCE + which - BOUNDED_FENCE * LOCATIONS)};
        if (bounded_size(&one) > events || (!p->count && !next) || p->threads + next > THREADS)
            continue;
        struct bounded_program before = *p;
        p->threads += next;
        one.thread = (uint8_t)(p->threads - 1);
        p->at[p->count++] = one;
        add_lists(classes, p, events - bounded_size(&one));
        *p = before;
    }
}

struct seen {
    GHashTable *classes;
    uint32_t count, unknown;
};

static bool see(void *context, const struct bounded_program *shape)
{
    struct seen *seen = context;
    g_autofree char *name = name_of(shape);
    seen->count++;
    seen->unknown += !g_hash_table_remove(seen->classes, name);
    return true;
}

int main(int argc, char **argv)
{
    uint32_t most = argc > 1 ? (uint32_t)atoi(argv[1]) : 3;
    bool good = true;
    for (uint32_t events = 2; events <= most; events++) {
        struct seen seen = {.classes =
                                g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
        struct bounded_program p = {.threads = 0};
        struct shape_bounds bounds = {.events = events, .failing = true, .barriers = true};
        add_lists(seen.classes, &p, events);
        uint32_t classes = g_hash_table_size(seen.classes);
        shapes_enumerate(&bounds, NULL, see, &seen);
        uint32_t missed = g_hash_table_size(seen.classes);
        printf(
            "# %u events: %u classes, %u shapes, %u of them of no class or the second of one, %u "
            "classes without one\n",
            events, classes, seen.count, seen.unknown, missed);
        good &= !seen.unknown && !missed;
        g_hash_table_destroy(seen.classes);
    }
    printf("1..1\n%s 1 shapes of up to %u events: one of each class\n", good ? "ok" : "not ok",
           most);
    return !good;
}
