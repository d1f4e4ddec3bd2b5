/* SPDX-License-Identifier: MIT */
#include "cli/work/shard.h"

#include <errno.h>
#include <glib.h>
#include <jansson.h>
#include <string.h>

#include "litmus/base/file.h"
#include "litmus/base/number.h"
#include "litmus/base/sort.h"

enum { MOST_SHARDS = 100000 };

bool shard_parse(const char *text, struct shard *shard)
{
    uint64_t number = 1, count = 1;
    size_t length = text ? strcspn(text, "/") : 0;
    bool good = !text || (text[length] &&
                          number_whole(text, length, 1, MOST_SHARDS, &number) == NUMBER_GOOD &&
                          number_whole(text + length + 1, strlen(text + length + 1), 1, MOST_SHARDS,
                                       &count) == NUMBER_GOOD &&
                          number <= count);
    *shard = (struct shard){(uint32_t)number, (uint32_t)count};
    return good;
}

/* ---- what tests cost ------------------------------------------------------------------------ */

enum { MOST_BYTES = 1 << 28 };

struct shard_costs {
    struct tie tie;
    GHashTable *of; /* path to milliseconds, of all tests in it */
    double average;
    double *loads; /* by shard, so far */
    uint32_t shards;
};

static void drop(void *costs)
{
    g_hash_table_destroy(((struct shard_costs *)costs)->of);
}

static void add_line(struct shard_costs *costs, const char *text, size_t length)
{
    json_auto_t *line = json_loadb(text, length, 0, NULL);
    const char *file = json_string_value(json_object_get(line, "file"));
    const json_t *milliseconds = json_object_get(line, "milliseconds");
    if (!file || !json_is_number(milliseconds))
        return;
    double *known = g_hash_table_lookup(costs->of, file);
    double sum = json_number_value(milliseconds) + (known ? *known : 0);
    g_hash_table_insert(costs->of, g_strdup(file), g_memdup2(&sum, sizeof sum));
    costs->average += json_number_value(milliseconds);
}

struct shard_costs *shard_costs_read(struct arena *arena, const char *path, uint32_t shards,
                                     struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    struct shard_costs *costs = ARENA_NEW(arena, struct shard_costs);
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 path, g_strerror(errno));
        return NULL;
    }
    *costs = (struct shard_costs){.loads = ARENA_ARRAY(arena, double, shards), .shards = shards};
    costs->of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    arena_tie(arena, &costs->tie, drop, costs);
    for (const char *at = text, *end; at < text + length; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + length - at));
        end = end ? end : text + length;
        add_line(costs, at, (size_t)(end - at));
    }
    costs->average /= MAX(g_hash_table_size(costs->of), 1);
    if (!g_hash_table_size(costs->of))
        diag_add(diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--times' takes what 'check --json' printed, with times, and not '%s'", path);
    return costs;
}

struct priced {
    uint32_t index;
    double cost;
};

static int dearest_first(const void *a, const void *b)
{
    const struct priced *x = a, *y = b;
    return x->cost != y->cost ? (x->cost < y->cost) - (x->cost > y->cost)
                              : (x->index > y->index) - (x->index < y->index);
}

static uint32_t least_loaded(const struct shard_costs *costs)
{
    uint32_t least = 0;
    for (uint32_t i = 1; i < costs->shards; i++)
        if (costs->loads[i] < costs->loads[least])
            least = i;
    return least;
}

uint32_t *shard_costs_share(struct arena *arena, struct shard_costs *costs,
                            const struct input_list *inputs)
{
    uint32_t *shard = ARENA_ARRAY(arena, uint32_t, inputs->items.len + 1);
    struct priced *items = ARENA_ARRAY(arena, struct priced, inputs->items.len + 1);
    for (uint32_t i = 0; i < inputs->items.len; i++) {
        const double *known = g_hash_table_lookup(costs->of, inputs->items.at[i].path);
        items[i] = (struct priced){i, known ? *known : costs->average};
    }
    sort_array(items, inputs->items.len, sizeof *items, dearest_first);
    for (uint32_t i = 0; i < inputs->items.len; i++) {
        uint32_t to = least_loaded(costs);
        costs->loads[to] += items[i].cost;
        shard[items[i].index] = to + 1;
    }
    return shard;
}
