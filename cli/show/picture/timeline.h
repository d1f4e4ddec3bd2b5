/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_TIMELINE_H
#define CLI_SHOW_PICTURE_TIMELINE_H

#include "cli/show/picture/grid.h"
#include "cli/show/picture/crossing.h"
#include "cli/answer/ending.h"
#include "cli/show/trace.h"
#include "model/machine/api/api.h"

/* One run of the executor as a picture: lanes in the boxes of their CTA, stream and GPU, time
 * downwards, a row a step; what a task of a host program takes is a bar in its stream. */

/* Does the run 'first' of 'seed' again, or the first one after it that says something, and writes
 * the picture to 'target', in the format that its name ends in. False after an error in the job's diagnostics; 'err' is told of a run
 * that is too long to be read in a picture. */
bool timeline_write(struct job *job, struct scheduler *scheduler, struct run *run, uint64_t seed,
                    uint64_t first, const char *target, GString *err);

/* The picture itself as SVG, which the caller frees; NULL: *refused says why there is none. */
GString *timeline_of_run(struct job *job, struct scheduler *scheduler, struct run *run,
                         uint64_t seed, uint64_t first, const char **refused);

/* The run that never ends of ending->hang: its stem, the loop that repeats, and below it who stands still. */
bool timeline_write_hang(struct job *job, struct ending *ending, const char *target, GString *err);

/* ---- private to timeline*.c ---- */

struct timeline_step {
    uint32_t lane;    /* of the machine */
    const char *text; /* one or two lines */
};

/* An execution of a task of a host program: when it was enqueued, started and ended (NONE: it did
 * not), as rows after which it did. */
struct timeline_task {
    uint32_t index;
    uint32_t called, started, ended;
};

struct timeline {
    struct tracer tracer;
    struct arena *arena;
    const struct machine *machine;
    const char *title;
    VEC(struct timeline_step) steps; /* a row: its step */
    VEC(struct timeline_task) tasks;
    struct crossing_list crossings;
    uint32_t loop;               /* the row from which on the steps repeat for ever, or NONE */
    struct text_list notes;      /* lines below the picture */
    struct api_task_view *views; /* a task as it was last */
    struct picture_grid grid;    /* its lanes hold the steps */
    uint32_t *lane_of;           /* a lane of the machine: of the grid, or NONE */
};

/* Finds the lanes and places them. */
void timeline_place(struct timeline *timeline);
GString *timeline_draw(const struct timeline *timeline, const struct paint_form *form);

#endif
