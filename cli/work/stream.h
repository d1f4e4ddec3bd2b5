/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_STREAM_H
#define CLI_WORK_STREAM_H

#include <glib.h>
#include <stdio.h>

#include "cli/work/walk.h"

/* Tests that come one after the other on standard input (litmus/read/split.h), some megabytes of
 * them at a time. */
struct test_stream {
    FILE *file;
    GString *pending; /* read, and not given out yet */
    uint32_t met;     /* tests given out */
    bool ended;
};

struct test_stream stream_open(FILE *file);
void stream_close(struct test_stream *stream);
/* Adds the next tests to 'inputs', their texts in 'arena'; false when there are no more. The only
 * test of a stream is called "-", of several they are "-#1", "-#2" and so on. A stream that cannot
 * be read ends, with an error in 'diags'. */
bool stream_next(struct test_stream *stream, struct arena *arena, struct input_list *inputs,
                 struct diag_list *diags);

#endif
