/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_GRID_H
#define CLI_SHOW_PICTURE_GRID_H

#include "cli/show/picture/lanes.h"
#include "cli/show/picture/paint.h"

/* Lanes side by side in the boxes of their CTA, cluster, stream and GPU, in points, y upwards as in
 * Graphviz. */

struct picture_box {
    struct rectangle at;
    const char *name; /* "CTA 0", "cluster 1", "stream s1", "GPU 0" */
    uint32_t parent;  /* box around it, or NONE */
};

enum { PICTURE_NODE_HEIGHT = 34 };

struct picture_grid {
    /* given, lanes in the order of lanes_sort */
    struct arena *arena;
    const struct picture_lane *lanes;
    uint32_t lane_count, row_count;
    bool own_rows; /* a lane takes the rows first to last, not all */
    double row_height;
    /* made */
    double *x; /* a lane: its middle */
    bool level[LANE_LEVELS];
    VEC(struct picture_box) boxes; /* outer ones first */
};

void picture_grid_place(struct picture_grid *grid);
double picture_grid_row(const struct picture_grid *grid, uint32_t row);
/* The middle of the lane's title. */
double picture_grid_title(const struct picture_grid *grid, uint32_t lane);
/* The innermost box that a lane at 'x' is in, or NONE. */
uint32_t picture_grid_box(const struct picture_grid *grid, double x);
uint32_t picture_box_depth(const struct picture_grid *grid, uint32_t box);
/* The top of the outermost boxes and of the titles. */
double picture_grid_top(const struct picture_grid *grid);
/* Paints the boxes with their names. */
void picture_grid_paint(const struct picture_grid *grid, struct painting *painting);

#endif
