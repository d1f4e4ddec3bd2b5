/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_FAMILIES_H
#define CLI_REPORT_FAMILIES_H

#include <jansson.h>

/* What became of the tests of each family, in numbers. */

enum { FAMILY_TABLES = 3 };
struct families {
    json_t *counts[FAMILY_TABLES]; /* of words.h: families by words */
    json_t *words[FAMILY_TABLES];
};

struct families families_new(void);
void families_free(struct families *families);
/* A test, as report_view_test makes it. */
void families_add(struct families *families, const json_t *view);
/* The tables that say something, an array: by verdict, by axiom, and what a GPU showed. */
json_t *families_tables(const struct families *families);

#endif
