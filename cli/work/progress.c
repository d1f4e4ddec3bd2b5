/* SPDX-License-Identifier: MIT */
#include "cli/work/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/answer/job.h"

struct progress progress_start(uint32_t count)
{
    double start = job_clock();
    return (struct progress){isatty(STDERR_FILENO) && count > 1, false, 0, start, start};
}

/* Ten times a second is enough for an eye, and the first moment needs none. */
void progress_show(struct progress *progress, uint32_t finished, uint32_t count)
{
    double time = job_clock();
    if (!progress->shown || time - progress->last < 0.1 || finished <= progress->before)
        return;
    double left = (time - progress->started) / (finished - progress->before) * (count - finished);
    fprintf(stderr, "\r\033[K%u of %u tests, about %.0f s left", finished, count, left);
    fflush(stderr);
    progress->last = time;
    progress->standing = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->standing)
        fputs("\r\033[K", stderr);
    progress->standing = false;
}
