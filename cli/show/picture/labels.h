/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_LABELS_H
#define CLI_SHOW_PICTURE_LABELS_H

#include "cli/show/picture/route.h"

/* Places the words on arrows: beside their arrow, clear of events and other labels, and across as
 * few lines as possible. */

struct wording {
    const struct picture_way *way; /* of its arrow */
    const char *text;
    struct point middle; /* the result */
};

/* Deterministic; short arrows choose first. No label lies on a node unless there is no other place.
 */
void picture_place_labels(struct arena *arena, const struct picture_plan *plan,
                          struct wording *labels, uint32_t count);

#endif
