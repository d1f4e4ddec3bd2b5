/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MACHINE_PROGRAM_H
#define TESTS_UNIT_MACHINE_PROGRAM_H

#include "litmus/test/test.h"

/* The bundled programs of litmus/programs as tests: a module with one launch of (in, out, n…). */

struct program_launch {
    const char *file;
    uint32_t grid, block;
    const uint32_t *in; /* words of the first buffer */
    uint32_t in_words, out_words;
    uint32_t n, extra; /* the parameters after the buffers */
};
/* The last two locations are in and out. */
struct test *program_test(struct arena *arena, const struct program_launch *launch);

#endif
