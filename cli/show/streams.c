/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fopencookie */
#include "cli/show/streams.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* What the standard output was given before comes before. */
static ssize_t write_after_output(void *cookie, const char *bytes, size_t length)
{
    (void)cookie;
    size_t written = 0;
    fflush(stdout);
    while (written < length) {
        ssize_t got = write(STDERR_FILENO, bytes + written, length - written);
        if (got < 0 && errno != EINTR)
            break;
        written += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)written;
}

void streams_tie(void)
{
    const cookie_io_functions_t functions = {.write = write_after_output};
    FILE *tied = fopencookie(NULL, "w", functions);
    if (!tied)
        return;
    setvbuf(tied, NULL, _IONBF, 0);
    stderr = tied;
}
