/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_PROGRESS_H
#define CLI_WORK_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* A line on the terminal of standard error that says how far long work is; nothing elsewhere. */
struct progress {
    bool shown;      /* standard error is a terminal and there are several tests */
    bool standing;   /* the line is on the screen */
    uint32_t before; /* jobs that were done before: no measure of what is left */
    double started, last;
};

struct progress progress_start(uint32_t count);
void progress_show(struct progress *progress, uint32_t finished, uint32_t count);
/* Takes the line away, before anything else is printed. */
void progress_clear(struct progress *progress);

#endif
