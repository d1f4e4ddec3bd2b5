/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_LABELS_H
#define CLI_SHOW_PICTURE_LABELS_H

#include "cli/show/picture/place.h"

/* Places the words on arrows: beside their arrow, clear of events and other labels, and across as
 * few lines as possible. */

struct point {
    double x, y;
};

struct wording {
    struct point *line; /* its arrow, from end to end */
    uint32_t points;
    struct rectangle around; /* the line; made by picture_place_labels */
    double width, height;
    struct point at;  /* the result: its centre */
    uint32_t crossed; /* the result: 0 when it lies on nothing */
};

/* Deterministic; short arrows choose first. 'taken': what no label may lie on. */
void picture_place_labels(struct arena *arena, struct wording *labels, uint32_t count,
                          const struct rectangle *taken, uint32_t taken_count);

#endif
