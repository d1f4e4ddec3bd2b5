/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fopencookie */
#include "cli/show/streams.h"

#include <stdio.h>
#include <unistd.h>

#include "litmus/base/file.h"

/* What the standard output was given before comes before. */
static ssize_t write_after_output(void *cookie, const char *bytes, size_t length)
{
    (void)cookie;
    fflush(stdout);
    return (ssize_t)file_write_all(STDERR_FILENO, bytes, length);
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
