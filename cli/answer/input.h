/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_INPUT_H
#define CLI_ANSWER_INPUT_H

#include "litmus/base/diag.h"

/* A test to read: a file, or standard input, whose text is kept. */
struct input {
    const char *path; /* as results show it; "-" for standard input */
    const char *text; /* standard input's bytes; NULL: still to be read from 'path' */
    size_t length;
    const char *family; /* the folder below the one that was given, or "."; of a file, its folder */
    uint32_t place;     /* among all tests of the run, whatever the shard, from 0 */
};

/* The input's text as a source in 'arena'; NULL after an error in 'diags'. */
const struct source *input_read(struct arena *arena, const struct input *input,
                                struct diag_list *diags);

#endif
