/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_EXPECT_H
#define CLI_ANSWER_EXPECT_H

#include "cli/answer/answer.h"

/* Compares what was found of a test with what the test itself expects for the model in use. */
struct expect_result {
    enum expect_status status;
    const struct expectation *expectation; /* the one that decided the status; NULL for NONE */
};

/* Is it a word that a test may expect, "race-free"? */
bool expect_is_word(const char *word);
struct expect_result expect_compare(struct job *job, const struct answer *answer);
/* Only what the test expects of its end, where 'ends' says whether every fair execution does. */
struct expect_result expect_compare_end(struct job *job, enum verdict ends);
/* With --expect a test fails by being different from what it expects. */
enum verdict expect_verdict(const struct expect_result *result);

#endif
