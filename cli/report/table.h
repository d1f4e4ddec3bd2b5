/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_TABLE_H
#define CLI_REPORT_TABLE_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/report/part.h"

/* The rows of the page's table of all tests, as a script that is short: tests of which all columns say the same share a
 * shape, and a row is a name and a shape. */

struct table;

struct table *table_new(struct report_part *script);
void table_free(struct table *table);
/* The next test, as report_view_test makes it; 'begins': its section begins a script. Gives the words by which the
 * page links to the test, which live as long as the table. */
const char *table_add(struct table *table, const json_t *view, bool begins);
/* Ends the script. */
void table_finish(struct table *table);
/* The columns in which some test has a text, and the filters of which readers may choose: arrays. */
json_t *table_columns(const struct table *table);
json_t *table_filters(const struct table *table);

#endif
