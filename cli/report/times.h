/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_TIMES_H
#define CLI_REPORT_TIMES_H

#include <jansson.h>

/* For the page: "ranges", how many tests took how long, and "slowest", the objects of the slowest; NULL
 * when times were left out. The caller owns it. */
json_t *report_times(const json_t *tests);

#endif
