/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_REWRITE_THREADS_H
#define LITMUS_REWRITE_THREADS_H

#include "litmus/edit/place.h"

/* Where the code of a test in C++ may be edited, as edit/place.h has it for PTX: the order of an atomic operation, the
 * scope of an atomic object or reference, a plain access that becomes atomic, fences and barriers between statements. */
struct edit_places threads_stronger(struct arena *arena, const struct test *test);
struct edit_places threads_weaker(struct arena *arena, const struct test *test);
/* Each barrier, to be left out. */
struct edit_places threads_fewer(struct arena *arena, const struct test *test);

#endif
