/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_TEST_CODE_LINE_H
#define LITMUS_TEST_CODE_LINE_H

#include "litmus/test/test.h"

/* Which line of CUDA C++ an instruction comes from, as '.file' and '.loc' of a compiled module say
 * (PTX 11.5). Text between one '.loc' and the next comes from the line that the first names. */

enum { CODE_LINE_CALLERS = 8 }; /* of one line that are named */

/* The line of what stands at the offset of the test's text, or NULL. */
const struct code_line *test_code_line(const struct test *test, uint32_t offset);
/* The line that an inlined line's function was called at, or NULL. */
const struct code_line *code_line_caller(const struct test *test, const struct code_line *line);
/* The same, but for the calls in other files than the outermost: what headers do among themselves. */
const struct code_line *code_line_own_caller(const struct test *test, const struct code_line *line);
/* The file's name without its folders. */
const char *code_line_file(const struct test *test, const struct code_line *line);
/* "mp.cu:12", or "atomic.h:3, inlined at mp.cu:12, mp.cu:20", with the innermost callers of
 * code_line_own_caller. */
const char *code_line_words(struct arena *arena, const struct test *test,
                            const struct code_line *line);
/* The same of what stands at the offset, or "line 12" of the test's text. */
const char *test_line_words(struct arena *arena, const struct test *test, uint32_t offset);
/* "mp.cu:12", of a header where it is called, or ":12": what a name in a sentence is followed by. */
const char *test_line_mark(struct arena *arena, const struct test *test, uint32_t offset);
/* From now on places are those of the test's text. */
void test_forget_code_lines(struct test *test);

#endif
