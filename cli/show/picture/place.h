/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PLACE_H
#define CLI_SHOW_PICTURE_PLACE_H

#include "cli/show/picture/grid.h"
#include "cli/show/picture/text.h"

/* The positions of everything in the picture of an execution. */

struct picture_node {
    event_id event; /* or NONE: a title */
    struct rectangle at;
    const char *text; /* lines separated by '\n' */
    uint32_t box;     /* innermost box around it, or NONE */
};

struct picture_plan {
    VEC(struct picture_node) nodes;
    uint32_t *node_of; /* an event that is drawn: its node */
    struct picture_grid grid;
};

struct picture_plan picture_place(const struct explanation *explanation,
                                  const struct arrow_list *arrows);

#endif
