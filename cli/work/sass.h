/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_SASS_H
#define CLI_WORK_SASS_H

#include "litmus/base/diag.h"

/* The machine code of a program of 'ptxlit emit', as 'cuobjdump -sass' prints it. */
struct sass;

/* Reads what cuobjdump printed, or runs it on a program: $CUOBJDUMP, the one on PATH, or where CUDA installs it. NULL after an
 * error in 'diags'. Lives in 'arena'. */
struct sass *sass_read(struct arena *arena, const char *path, struct diag_list *diags);

/* The instructions of the test's kernel, a line each; NULL where the program has none, or several of that name. In 'arena'. */
const char *sass_find(struct arena *arena, const struct sass *sass, const char *test);

#endif
