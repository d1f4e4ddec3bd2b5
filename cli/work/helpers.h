/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_HELPERS_H
#define CLI_WORK_HELPERS_H

#include <stdbool.h>

/* The headers of CUDA's samples, helper_cuda.h and its like, which are no part of CUDA. */

/* Is it one of them that a compiler did not find, by what it says? */
bool helpers_are_missing(const char *complaint);
/* Stand-ins for them in the folder, which is made; false: they could not be written. */
bool helpers_write(const char *folder);
void helpers_remove(const char *folder);

#endif
