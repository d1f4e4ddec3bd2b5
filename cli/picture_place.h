/* SPDX-License-Identifier: MIT */
#ifndef CLI_PICTURE_PLACE_H
#define CLI_PICTURE_PLACE_H

#include "cli/picture_text.h"

/* Where everything of a picture stands, in points, y upwards as in Graphviz. */

struct rectangle {
    double left, bottom, right, top;
};

struct picture_box {
    struct rectangle at;
    const char *name; /* "CTA 0", "cluster 1", "stream s1", "GPU 0" */
    uint32_t parent;  /* box around it, or NONE */
};

struct picture_node {
    event_id event; /* or NONE: a title */
    double x, y, width, height;
    const char *text; /* lines separated by '\n' */
    uint32_t box;     /* innermost box around it, or NONE */
};

struct picture_plan {
    VEC(struct picture_node) nodes;
    VEC(struct picture_box) boxes; /* outer ones first */
    struct rectangle all;
};

struct picture_plan picture_place(const struct explanation *explanation,
                                  const struct arrow_list *arrows);

#endif
