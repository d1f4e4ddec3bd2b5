/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_GRID_H
#define CLI_SHOW_PICTURE_GRID_H

#include "cli/show/picture/paint.h"
#include "litmus/test/test.h"

/* Lanes side by side in the boxes of their CTA, cluster, stream and GPU. */

/* What boxes are there for, the outer ones first. */
enum lane_level { LEVEL_GPU, LEVEL_STREAM, LEVEL_CLUSTER, LEVEL_CTA, LANE_LEVELS };

struct picture_lane {
    uint32_t thread; /* the first in it */
    const char *title;
    uint32_t box[LANE_LEVELS]; /* number of the GPU, stream …, NONE: no box */
    const char *stream;        /* its name, or NULL */
    uint32_t first, last;      /* rows; 'first' is NONE when it is empty */
    double width;              /* of its widest event */
};

/* Nothing is in it, nor in a box. */
struct picture_lane picture_lane_empty(uint32_t thread, const char *title);
/* An event of the text stands on this row. */
void picture_lane_add(struct picture_lane *lane, uint32_t row, const char *text);
/* Hosts first, then GPU by GPU, stream by stream, tasks before CTAs, CTA by CTA. */
void picture_lanes_sort(struct picture_lane *lanes, uint32_t count);

struct picture_box {
    struct rectangle at;
    const char *name; /* "CTA 0", "cluster 1", "stream s1", "GPU 0" */
    uint32_t parent;  /* box around it, or NONE */
};

enum { PICTURE_NODE_HEIGHT = 34 };

struct picture_grid {
    /* given, lanes in the order of picture_lanes_sort */
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
/* Where its name stands. */
struct rectangle picture_box_name(const struct picture_box *box);
/* The top of the outermost boxes and of the titles. */
double picture_grid_top(const struct picture_grid *grid);
/* Paints the boxes with their names. */
void picture_grid_paint(const struct picture_grid *grid, struct painting *painting);

#endif
