/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_WALK_H
#define CLI_WORK_WALK_H

#include "cli/answer/input.h"

/* The tests that the arguments of a command stand for. */
struct input_list {
    VEC(struct input) items;
};

/* The inputs that the arguments stand for, in their order: a folder is every *.litmus below it, in
 * byte order of the paths (links to folders are not followed), '@LIST' what the lines of a file name.
 * A list or folder that cannot be read or entered, a folder that lies too deep to be opened by its
 * path or holds no test, is an error in 'diags' that names it; whether a file can be read shows when
 * it is read. */
void walk_inputs(struct arena *arena, const char *const *arguments, uint32_t count,
                 struct input_list *inputs, struct diag_list *diags);

#endif
