/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_ROUTE_H
#define CLI_SHOW_PICTURE_ROUTE_H

#include "cli/show/picture/place.h"

/* Leads the arrows of a picture around its nodes; Graphviz's library finds the ways. */

/* A Bezier curve of 3n + 1 points, and where the arrow's head ends. */
struct picture_way {
    struct point *at;
    uint32_t count;
    struct point tip;
};

/* A way for each arrow; NULL when Graphviz gives up. In 'arena'. */
struct picture_way *picture_route(struct arena *arena, const struct picture_plan *plan,
                                  const struct arrow_list *arrows);
/* The way so much to the left of this one. */
struct picture_way picture_way_aside(struct arena *arena, const struct picture_way *way,
                                     double distance);

#endif
