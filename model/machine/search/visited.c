/* SPDX-License-Identifier: MIT */
#include "model/machine/search/visited.h"

#include <glib.h>

/* A set of hashes: GLib's table would cost an allocation and a call a state, and this is the inner
 * loop of the search. Open addressing, at most half full. */
struct place {
    uint64_t hash[2];
    uint32_t number; /* counting from 1; 0 marks a free place */
};

struct visited {
    struct place *table;
    size_t size, count;
};

struct visited *visited_new(void)
{
    struct visited *visited = g_new0(struct visited, 1);
    visited->size = 1024;
    visited->table = g_new0(struct place, visited->size);
    return visited;
}

void visited_free(struct visited *visited)
{
    g_free(visited->table);
    g_free(visited);
}

/* The place of the hash, or the free one where it belongs. */
static struct place *find(const struct visited *visited, const uint64_t hash[2])
{
    size_t at = hash[0] & (visited->size - 1);
    while (visited->table[at].number &&
           (visited->table[at].hash[0] != hash[0] || visited->table[at].hash[1] != hash[1]))
        at = (at + 1) & (visited->size - 1);
    return &visited->table[at];
}

static void grow(struct visited *visited)
{
    struct visited old = *visited;
    visited->size *= 2;
    visited->table = g_new0(struct place, visited->size);
    for (size_t i = 0; i < old.size; i++)
        if (old.table[i].number)
            *find(visited, old.table[i].hash) = old.table[i];
    g_free(old.table);
}

uint32_t visited_add(struct visited *visited, const uint64_t hash[2], bool *is_new)
{
    struct place *place = find(visited, hash);
    *is_new = !place->number;
    if (!*is_new)
        return place->number - 1;
    uint32_t number = (uint32_t)++visited->count;
    *place = (struct place){{hash[0], hash[1]}, number};
    if (visited->count * 2 > visited->size)
        grow(visited);
    return number - 1;
}

size_t visited_bytes(const struct visited *visited)
{
    bool grows_next = (visited->count + 1) * 2 > visited->size;
    return (grows_next ? 3 : 1) * visited->size * sizeof *visited->table;
}
