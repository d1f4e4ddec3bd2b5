/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_NAMES_H
#define LITMUS_TEST_NAMES_H

#include "litmus/base/hash.h"
#include "litmus/test/test.h"

/* A map from (scope, name) to a number, in an arena. Scopes are whatever numbers the user of the
 * map gives them: columns, blocks of a kernel. Names are byte strings; they are not copied. */
struct names {
    struct arena *arena;
    VEC(struct name) items;
    struct hash_table table;
};

/* Adds the name or replaces its number, which is not NONE. */
void names_put(struct names *names, uint32_t scope, const char *text, size_t length,
               uint32_t value);
/* The number, or NONE: there is no such name. */
uint32_t names_get(const struct names *names, uint32_t scope, const char *text, size_t length);
bool names_has(const struct names *names, uint32_t scope, const char *text);

#endif
