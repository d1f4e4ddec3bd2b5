/* SPDX-License-Identifier: MIT */
#ifndef CLI_WALK_H
#define CLI_WALK_H

#include "litmus/base/diag.h"

/* A test to read: a file, or standard input, whose text is kept. */
struct input {
    const char *path; /* as results show it; "-" for standard input */
    const char *text; /* standard input's bytes; NULL: still to be read from 'path' */
    size_t length;
};

struct input_list {
    VEC(struct input) items;
};

/* The inputs that the arguments stand for, in their order: a folder is every *.litmus below it, in
 * byte order of the paths (links to folders are not followed). A folder that cannot be listed or
 * holds no test is an error in 'diags'; whether a file can be read shows when it is read. */
void walk_inputs(struct arena *arena, const char *const *arguments, uint32_t count,
                 struct input_list *inputs, struct diag_list *diags);

/* The input's text as a source in 'arena'; NULL after an error in 'diags'. */
const struct source *input_read(struct arena *arena, const struct input *input,
                                struct diag_list *diags);

#endif
