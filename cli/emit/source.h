/* SPDX-License-Identifier: MIT */
#ifndef CLI_EMIT_SOURCE_H
#define CLI_EMIT_SOURCE_H

#include "cli/emit/view.h"

/* Private to the files that write tests in C++ as they stand: source.c (threads), source_text.c, source_class.c and
 * source_kernel.c. The caller owns what they give. */

/* The text with blanks in place of comments, so that each character stays where it is. */
char *source_without_comments(const char *source);
/* "[]" and "[wanted]": the objects are variables or members here, which such a lambda does not have. */
bool source_has_bare_lambda(const char *text);
/* Is the end of the text in "if (int r = x; r)", where nothing can be put behind a declaration? */
bool source_is_in_head(const char *text, uint32_t length);
/* The library's atomic<T> of the standard has no fetch_min and fetch_max, cuda::atomic<T>, of the same scope, has. */
bool source_has_extremes(const char *code);
/* A type of the test, as the code needs it. */
json_t *source_type(const char *code, const char *type);
/* The lines that are not empty. */
json_t *source_lines(const char *text);
/* The test's objects, without those in shared memory, which the text declares. */
json_t *source_objects(const struct test *test, const char *code);

/* Keeps what the variable, declared there, holds in the end: the value of a final state with that number. */
void source_put_keeper(GString *text, const struct reg *reg, uint32_t value);

/* Part of the text, from one offset to before another. */
struct source_part {
    uint32_t from, to;
};
/* What is defined from behind the initial state to the launch, with its label, or the first thread that begins at 'end'. */
struct source_part class_part(const char *code, uint32_t end);
/* ... as nvcc takes it inside a class: functions of the device. */
char *class_members(const char *text);
/* What the part has, 'members' of it, that cannot stand there or that nvcc does not know, or the functions of it that the
 * body calls; NULL: nothing. */
const char *class_trouble(const struct body *body, const char *code, struct source_part part,
                          const char *members);
/* The headers of what the text names, beside <cuda/atomic>. */
json_t *class_includes(const char *text);

/* What kernel.cu takes of a test with one launch, 'code' without comments; NULL: see emit_source. */
json_t *source_kernel(const struct test *test, const char *code, const char **trouble);

#endif
