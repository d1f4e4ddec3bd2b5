/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPORT_TIMES_H
#define CLI_REPORT_TIMES_H

#include <jansson.h>
#include <stdbool.h>

/* How long the tests of a report took: how many of them how long, and the slowest. */

enum { TIMES_RANGES = 6, TIMES_SLOWEST = 10 };
struct times {
    bool some; /* not all were left out */
    int counts[TIMES_RANGES];
    struct {
        double milliseconds;
        json_t *shown;
    } slowest[TIMES_SLOWEST]; /* the slowest first; those without 'shown' are free */
};

/* A test, and the words that link to it. */
void times_add(struct times *times, const json_t *view, const char *link);
/* For the page: "ranges" and "slowest"; NULL when times were left out. The caller owns it. */
json_t *times_view(const struct times *times);
void times_free(struct times *times);

#endif
