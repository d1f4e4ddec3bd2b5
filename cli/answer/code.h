/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_CODE_H
#define CLI_ANSWER_CODE_H

#include <glib.h>

#include "litmus/test/code_line.h"

/* Places in the CUDA C++ that a compiled module comes from. */

/* "mp.cu:12:5", or "mp.cu:3:1 (inlined at mp.cu:12)", of what stands at the offset of the test's text; where no line is known, the place in the
 * text, which is called 'path'. */
void code_place(const struct test *test, const char *path, uint32_t offset, GString *out);
/* Below what was printed from 'start' on: each line of the sources that it names, as far as their files
 * are found: by their own path, or beside the file of the test. */
void code_lines(const struct test *test, size_t start, GString *out);
#endif
