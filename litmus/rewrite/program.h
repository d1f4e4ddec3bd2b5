/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_PROGRAM_H
#define LITMUS_REWRITE_PROGRAM_H

#include "litmus/edit/place.h"

/* Is the host code that of a file of CUDA C++, which the test names as its program? */
bool program_is(const struct test *test);
/* Where new calls may stand in that file, as edit_places_host has it: before the statement of a call, a new event made
 * where the function begins. Streams are called as the file calls them; what it has no name for is no option. */
struct edit_places program_places(struct arena *arena, const struct test *test);

#endif
