/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_JSON_H
#define CLI_SHOW_JSON_H

#include <glib.h>
#include <jansson.h>

#include "cli/answer/answer.h"
#include "cli/answer/expect.h"
#include "cli/options/options.h"

/* Results as JSON Lines; docs/json.schema.json describes the objects. */

/* A test's own expectation and whether it was met; null without one. */
json_t *json_expected(const struct expect_result *expected);
/* Of 'check'. 'reason' and 'expected' may be NULL. */
json_t *json_answer(const struct options *options, const struct answer *answer,
                    const struct reason *reason, const struct expect_result *expected);
/* The keys that every result of 'check' begins with, when no state was found; 'test' may be NULL. */
json_t *json_nothing(const struct options *options, const char *path, const struct test *test,
                     enum verdict verdict, double milliseconds);
/* null with --no-time, so that equal results are equal bytes. */
json_t *json_milliseconds(const struct options *options, double milliseconds);

/* The names of a reason's axioms; none when it is NULL. */
json_t *json_axioms(const struct job *job, const struct reason *reason);
/* Text that may hold bytes that are no UTF-8, as JSON can carry it. */
json_t *json_text(const char *text);
/* The value of a key as text, or "". */
const char *json_text_at(const json_t *object, const char *key);
json_t *json_words(const struct text_list *words); /* an array */
/* {"1:r0": 1, "x": 2}: the values of a state. */
json_t *json_state(struct arena *arena, const struct test *test, const uint64_t *values);
/* Adds the line of CUDA C++ of what stands at the offset of the test's text as "code", if it is known. */
void json_code(const struct test *test, uint32_t offset, json_t *object);
/* Writes the object as one line and drops it. */
void json_line(json_t *object, GString *out);
/* The same with all digits of numbers, which may be contents of memory. */
void json_exact_line(json_t *object, GString *out);

#endif
