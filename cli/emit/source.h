/* SPDX-License-Identifier: MIT */
#ifndef CLI_EMIT_SOURCE_H
#define CLI_EMIT_SOURCE_H

#include "cli/emit/view.h"

/* Private to the files that write tests in C++ as they stand: source.c (threads), source_kernel.c, source_class.c (what both
 * call), source_initial.c (what the initial state defines) and source_text.c. The caller owns what they give. */

/* Part of the text, from one offset to before another. */
struct source_part {
    uint32_t from, to;
};

/* ---- source_text.c: text ----------------------------------------------------------------------- */

/* The text with blanks in place of comments, so that each character stays where it is. */
char *source_without_comments(const char *source);
/* Behind the bracket that closes the one at 'at'; strings are passed. */
uint32_t source_past_bracket(const char *code, uint32_t at);
/* As C++17 and a class say it: memory orders by the words of C++11, and lambdas that take the objects, which are members. */
char *source_spoken(const char *text);
/* The lines that are not empty, spoken so. */
json_t *source_lines(const char *text);
/* The library's atomic<T> of the standard has no fetch_min and fetch_max, cuda::atomic<T>, of the same scope, has. */
bool source_has_extremes(const char *code);
/* A type of the test, as the code needs it. */
json_t *source_type(const char *code, const char *type);

/* ---- source_kept.c: variables that the question names ------------------------------------------- */

/* Appends the part, in which each variable of the column (NONE: of a kernel) that the question names is kept from its declaration on. */
void source_put_text(const struct test *test, uint32_t column, const char *code,
                     struct source_part part, GString *out);
/* ... and those of the column that nothing declares. */
void source_put_undeclared(const struct test *test, uint32_t column, GString *out);
/* Why one of them cannot be kept, in a text whose code begins there; or NULL. */
const char *source_kept_trouble(const struct test *test, uint32_t column, const char *code,
                                uint32_t from);

/* ---- source_class.c: what a test defines --------------------------------------------------------- */

/* What is defined from behind the initial state to the launch, with its label, or the first thread that begins at 'end'. */
struct source_part class_part(const char *code, uint32_t end);
/* Appends the names that the text gives to namespaces, which a class cannot hold. */
void class_put_names(const char *text, GString *out);
/* The rest of it, as nvcc takes it inside a class: functions of the device. */
char *class_members(const char *text);
/* What the text has that cannot stand there, or that nvcc does not know; or NULL. */
const char *class_trouble(const char *text);
/* The headers of what the text names, beside <cuda/atomic>. */
json_t *class_includes(const char *text);

/* ---- source_initial.c: what its initial state declares ------------------------------------------- */

/* Objects of classes are made by their own declarations, as variables of the host whose bytes are copied. Is the location one,
 * or part of one? */
bool initial_is_made(const struct location *l);
/* Why nvcc cannot have the initial state; or NULL. */
const char *initial_trouble(const struct test *test, const char *code);
/* Adds "types", with names of namespaces, "made" and "objects": those in shared memory the text declares. */
void initial_add(const struct test *test, const char *code, json_t *view);

/* ---- source_kernel.c ------------------------------------------------------------------------------ */

/* What source.cu takes of a test with launches, 'code' without comments; NULL: see emit_source. */
json_t *source_kernels(const struct test *test, const char *code, const char **trouble);

#endif
