/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_BASELINE_H
#define CLI_REPORT_BASELINE_H

#include <jansson.h>

/* Compares two reports: what changed since an earlier time, or with another model. */

/* A report.json; NULL after saying on standard error what is wrong with it. The caller owns it. */
json_t *report_baseline(const char *path);
/* An array of {"test", "file", "what", "before", "after"} in the order of the tests, then the tests
 * that are gone. Tests are matched by file and name. */
json_t *report_changes(const json_t *old, const json_t *tests);

#endif
