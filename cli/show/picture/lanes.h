/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_LANES_H
#define CLI_SHOW_PICTURE_LANES_H

#include "cli/show/picture/rows.h"

/* The columns of a picture: a thread each, in the order of the boxes around them; the tasks of a
 * stream share as few as are needed for those that run at a time. */

/* What boxes are there for, the outer ones first. */
enum lane_level { LEVEL_GPU, LEVEL_STREAM, LEVEL_CLUSTER, LEVEL_CTA, LANE_LEVELS };

struct picture_lane {
    uint32_t thread; /* the first in it */
    const char *title;
    uint32_t box[LANE_LEVELS]; /* number of the GPU, stream …, NONE: no box */
    const char *stream;        /* its name, or NULL */
    uint32_t first, last;      /* rows */
    double width;              /* of its widest event */
};

struct picture_lanes {
    struct picture_lane *at; /* from left to right */
    uint32_t count;
    uint32_t *of; /* a thread: its lane, or NONE when it has nothing to show */
};

/* Hosts first, then GPU by GPU, stream by stream, tasks before CTAs, CTA by CTA. */
void lanes_sort(struct picture_lane *lanes, uint32_t count);

/* In 'arena'. */
struct picture_lanes picture_lanes(struct arena *arena, const struct execution *execution,
                                   const struct arrow_list *arrows,
                                   const struct picture_rows *rows);

#endif
