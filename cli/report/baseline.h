/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_BASELINE_H
#define CLI_REPORT_BASELINE_H

#include <jansson.h>

/* Compares with an older report: what changed since then, or with another model. Tests are matched by file and
 * name. */

struct baseline;

/* What is compared of a report.json; NULL after saying on standard error what is wrong with it. */
struct baseline *baseline_read(const char *path);
void baseline_free(struct baseline *baseline);
/* Adds what changed in a test, which 'link' leads to in the page, to an array of {"test", "file", "what", "before",
 * "after", "link"}. */
void baseline_compare(struct baseline *baseline, const json_t *test, const char *link,
                      json_t *changes);
/* Adds the tests that were there and have not been compared. */
void baseline_gone(const struct baseline *baseline, json_t *changes);

#endif
