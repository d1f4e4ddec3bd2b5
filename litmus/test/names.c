/* SPDX-License-Identifier: MIT */
#include "litmus/test/names.h"

#include <assert.h>
#include <string.h>

struct name {
    const char *text;
    uint32_t length, scope, value;
};

static uint64_t hash_of(const struct name *name)
{
    return hash_bytes(name->text, name->length, name->scope);
}

static bool same(const void *items, uint32_t index, const void *key)
{
    const struct name *a = (const struct name *)items + index, *b = key;
    return a->scope == b->scope && a->length == b->length &&
           memcmp(a->text, b->text, a->length) == 0;
}

void names_put(struct names *names, uint32_t scope, const char *text, size_t length, uint32_t value)
{
    assert(names->arena && text && value != NONE);
    const struct name name = {text, (uint32_t)length, scope, value};
    uint64_t hash = hash_of(&name);
    uint32_t index = hash_find(&names->table, hash, same, names->items.at, &name);
    if (index != HASH_NONE) {
        names->items.at[index] = name;
        return;
    }
    hash_add(names->arena, &names->table, hash);
    vec_push(names->arena, &names->items, name);
}

uint32_t names_get(const struct names *names, uint32_t scope, const char *text, size_t length)
{
    const struct name name = {text, (uint32_t)length, scope, 0};
    uint32_t index = hash_find(&names->table, hash_of(&name), same, names->items.at, &name);
    return index == HASH_NONE ? NONE : names->items.at[index].value;
}

bool names_has(const struct names *names, uint32_t scope, const char *text)
{
    return names_get(names, scope, text, strlen(text)) != NONE;
}
