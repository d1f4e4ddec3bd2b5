/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_HASH_H
#define LITMUS_BASE_HASH_H

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "litmus/base/arena.h"

/* Hashes of bytes (XXH3), and a hash table over the items of an array. */

static inline uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, count, seed);
}

static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    const uint64_t words[2] = {a, b};
    return XXH3_64bits(words, sizeof words);
}

/* Which item of an array has a key: open addressing, at most half full. The array is its user's,
 * and items are added at its end only; results never depend on the order of the slots. All zero is
 * an empty table. */
struct hash_slot {
    uint32_t hash, item; /* item: counting from 1 since the table was new; 0: free */
};
struct hash_table {
    struct hash_slot *slots;
    uint32_t size, count,
        cleared; /* size: a power of two, or 0; cleared: items of earlier arrays */
};
#define HASH_NONE UINT32_MAX

/* Is item 'index' of the array 'items' the one with the key? */
typedef bool hash_same(const void *items, uint32_t index, const void *key);

/* The index of the item, or HASH_NONE. */
static inline uint32_t hash_find(const struct hash_table *table, uint64_t hash, hash_same *same,
                                 const void *items, const void *key)
{
    for (uint32_t i = (uint32_t)hash; table->size; i++) {
        const struct hash_slot *here = &table->slots[i & (table->size - 1)];
        if (here->item <= table->cleared)
            return HASH_NONE;
        uint32_t index = here->item - table->cleared - 1;
        if (here->hash == (uint32_t)hash && same(items, index, key))
            return index;
    }
    return HASH_NONE;
}

/* Adds the next item of the array, which is not in the table yet; gives its index. */
uint32_t hash_add(struct arena *arena, struct hash_table *table, uint64_t hash);
/* Forgets all items: the array starts anew. */
void hash_clear(struct hash_table *table);

#endif
