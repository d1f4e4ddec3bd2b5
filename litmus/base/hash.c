/* SPDX-License-Identifier: MIT */
#include "litmus/base/hash.h"

#include <string.h>

enum { FIRST_SLOTS = 32 };

static void put(struct hash_table *table, struct hash_slot slot)
{
    uint32_t i = slot.hash & (table->size - 1);
    while (table->slots[i].item > table->cleared)
        i = (i + 1) & (table->size - 1);
    table->slots[i] = slot;
}

static void grow(struct arena *arena, struct hash_table *table)
{
    struct hash_table old = *table;
    table->size = old.size ? 2 * old.size : FIRST_SLOTS;
    table->slots = ARENA_ARRAY(arena, struct hash_slot, table->size);
    for (uint32_t i = 0; i < old.size; i++)
        if (old.slots[i].item > old.cleared)
            put(table, old.slots[i]);
}

uint32_t hash_add(struct arena *arena, struct hash_table *table, uint64_t hash)
{
    if (2 * (table->count + 1) > table->size)
        grow(arena, table);
    put(table, (struct hash_slot){(uint32_t)hash, table->cleared + ++table->count});
    return table->count - 1;
}

void hash_clear(struct hash_table *table)
{
    table->cleared += table->count;
    table->count = 0;
    if (table->cleared > UINT32_MAX / 2) { /* the numbers come to their end */
        memset(table->slots, 0, table->size * sizeof *table->slots);
        table->cleared = 0;
    }
}
