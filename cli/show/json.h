/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_JSON_H
#define CLI_SHOW_JSON_H

#include <jansson.h>

#include "cli/answer/answer.h"
#include "cli/answer/expect.h"

/* Results as JSON Lines; docs/json.schema.json describes the objects. */

/* A test's own expectation and whether it was met; null without one. */
json_t *json_expected(const struct expect_result *expected);
/* Of 'check'. 'reason' and 'expected' may be NULL. */
void json_answer(const struct answer *answer, const struct reason *reason,
                 const struct expect_result *expected, GString *out);
/* What every result of 'check' begins with: file, test, model, quantifier, holds, verdict. 'test'
 * may be NULL. */
json_t *json_head(const struct options *options, const char *path, const struct test *test,
                  enum verdict verdict);
/* Adds the other keys of such a result as they are when no state was found. */
void json_nothing_found(json_t *object);
/* null with --no-time, so that equal results are equal bytes. */
json_t *json_milliseconds(const struct options *options, double milliseconds);

/* The names of a reason's axioms; none when it is NULL. */
json_t *json_axioms(const struct job *job, const struct reason *reason);
/* Text that may hold bytes that are no UTF-8, as JSON can carry it. */
json_t *json_text(const char *text);
json_t *json_words(const char *const *words, uint32_t count); /* an array */
/* {"1:r0": 1, "x": 2}: the values of a state. */
json_t *json_state(struct arena *arena, const struct test *test, const uint64_t *values);
/* Writes the object as one line and drops it. */
void json_line(json_t *object, GString *out);

#endif
