/* SPDX-License-Identifier: MIT */
#include "cli/work/durations.h"

#include <errno.h>
#include <glib.h>
#include <jansson.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/sort.h"

enum { MOST_BYTES = 1 << 28 };

struct durations {
    struct tie tie;
    GHashTable *of; /* path to milliseconds, of all tests in it */
    double average;
    double *loads; /* by shard, so far */
    uint32_t shards;
};

static void drop(void *durations)
{
    g_hash_table_destroy(((struct durations *)durations)->of);
}

static void add_line(struct durations *durations, const char *text, size_t length)
{
    json_auto_t *line = json_loadb(text, length, 0, NULL);
    const char *file = json_string_value(json_object_get(line, "file"));
    const json_t *milliseconds = json_object_get(line, "milliseconds");
    if (!file || !json_is_number(milliseconds))
        return;
    double *known = g_hash_table_lookup(durations->of, file);
    double sum = json_number_value(milliseconds) + (known ? *known : 0);
    g_hash_table_insert(durations->of, g_strdup(file), g_memdup2(&sum, sizeof sum));
    durations->average += json_number_value(milliseconds);
}

struct durations *durations_read(struct arena *arena, const char *path, uint32_t shards,
                                 struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    struct durations *durations = ARENA_NEW(arena, struct durations);
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 path, g_strerror(errno));
        return NULL;
    }
    *durations = (struct durations){.loads = ARENA_ARRAY(arena, double, shards), .shards = shards};
    durations->of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    arena_tie(arena, &durations->tie, drop, durations);
    for (const char *at = text, *end; at < text + length; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + length - at));
        end = end ? end : text + length;
        add_line(durations, at, (size_t)(end - at));
    }
    durations->average /= MAX(g_hash_table_size(durations->of), 1);
    if (!g_hash_table_size(durations->of))
        diag_add(diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--times' takes what 'check --json' printed, with times, and not '%s'", path);
    return durations;
}

struct timed {
    uint32_t index;
    double milliseconds;
};

static int longest_first(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;
    return x->milliseconds != y->milliseconds
               ? (x->milliseconds < y->milliseconds) - (x->milliseconds > y->milliseconds)
               : (x->index > y->index) - (x->index < y->index);
}

static uint32_t least_loaded(const struct durations *durations)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < durations->shards; i++)
        if (durations->loads[i] < durations->loads[least])
            least = i;
    return least;
}

static struct timed *longest(struct arena *arena, const struct durations *durations,
                             const struct input_list *inputs)
{
    struct timed *items = ARENA_ARRAY(arena, struct timed, inputs->items.len + 1);
    for (uint32_t i = 0; i < inputs->items.len; i++) {
        const double *known = g_hash_table_lookup(durations->of, inputs->items.at[i].path);
        items[i] = (struct timed){i, known ? *known : durations->average};
    }
    sort_array(items, inputs->items.len, sizeof *items, longest_first);
    return items;
}

uint32_t *durations_order(struct arena *arena, const struct durations *durations,
                          const struct input_list *inputs)
{
    const struct timed *items = longest(arena, durations, inputs);
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, inputs->items.len + 1);
    for (uint32_t i = 0; i < inputs->items.len; i++)
        order[i] = items[i].index;
    return order;
}

uint32_t *durations_share(struct arena *arena, struct durations *durations,
                          const struct input_list *inputs)
{
    const struct timed *items = longest(arena, durations, inputs);
    uint32_t *shard = ARENA_ARRAY(arena, uint32_t, inputs->items.len + 1);
    for (uint32_t i = 0; i < inputs->items.len; i++) {
        uint32_t to = least_loaded(durations);
        durations->loads[to] += items[i].milliseconds;
        shard[items[i].index] = to + 1;
    }
    return shard;
}
