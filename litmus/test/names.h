/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_NAMES_H
#define LITMUS_TEST_NAMES_H

#include <stdbool.h>

#include "litmus/base/hash.h"

/* A map from (scope, name) to a number, in an arena. Scopes are whatever numbers the user of the
 * map gives them: columns, blocks of a kernel. Names are byte strings; they are not copied. */
struct names {
    struct arena *arena;
    VEC(struct name) items;
    struct hash_table table;
};

/* Adds the name or replaces its number. */
void names_put(struct names *names, uint32_t scope, const char *text, uint32_t length,
               uint32_t value);
bool names_get(const struct names *names, uint32_t scope, const char *text, uint32_t length,
               uint32_t *value);

#endif
