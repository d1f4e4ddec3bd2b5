/* SPDX-License-Identifier: MIT */
#include "litmus/names.h"

#include <assert.h>
#include <string.h>

struct name_slot {
    const char *text; /* NULL: free */
    uint32_t length, scope, hash, value;
};

/* FNV-1a. */
static uint32_t hash_of(uint32_t scope, const char *text, uint32_t length)
{
    uint32_t hash = 2166136261u ^ (scope * 0x9e3779b9u);
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash ^ hash >> 15;
}

/* The slot of the name, or the free one where it belongs; needs a free slot. */
static struct name_slot *find(const struct names *names, uint32_t scope, const char *text,
                              uint32_t length, uint32_t hash)
{
    for (uint32_t i = hash;; i++) {
        struct name_slot *slot = &names->slots[i & (names->size - 1)];
        if (!slot->text)
            return slot;
        if (slot->hash == hash && slot->scope == scope && slot->length == length &&
            memcmp(slot->text, text, length) == 0)
            return slot;
    }
}

static void enlarge(struct names *names)
{
    struct name_slot *old = names->slots;
    uint32_t old_size = names->size;
    names->size = old_size ? old_size * 2 : 32;
    names->slots = ARENA_ARRAY(names->arena, struct name_slot, names->size);
    for (uint32_t i = 0; i < old_size; i++)
        if (old[i].text)
            *find(names, old[i].scope, old[i].text, old[i].length, old[i].hash) = old[i];
}

void names_put(struct names *names, uint32_t scope, const char *text, uint32_t length,
               uint32_t value)
{
    assert(names->arena && text);
    if (names->count * 2 >= names->size)
        enlarge(names);
    uint32_t hash = hash_of(scope, text, length);
    struct name_slot *slot = find(names, scope, text, length, hash);
    names->count += !slot->text;
    *slot = (struct name_slot){text, length, scope, hash, value};
}

bool names_get(const struct names *names, uint32_t scope, const char *text, uint32_t length,
               uint32_t *value)
{
    if (!names->size)
        return false;
    struct name_slot *slot = find(names, scope, text, length, hash_of(scope, text, length));
    if (slot->text)
        *value = slot->value;
    return slot->text;
}
