/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_ROWS_H
#define CLI_SHOW_PICTURE_ROWS_H

#include "cli/show/picture/arrows.h"

/* Which row an event stands on, from 0 at the top. In a test of columns: its place in its thread,
 * so that threads begin side by side. With a host program, whose tasks come one after the other: as
 * far down as the longest way of program order and synchronization that leads to it, so that time
 * runs downwards. */

struct picture_rows {
    uint32_t *of; /* an event that is drawn: its row */
    uint32_t count;
    bool timed; /* the second way */
};

/* In 'arena'. */
struct picture_rows picture_rows(struct arena *arena, const struct graph *graph,
                                 const struct arrow_list *arrows);

#endif
