/* SPDX-License-Identifier: MIT */
#ifndef TESTS_AGREE_QUESTION_H
#define TESTS_AGREE_QUESTION_H

#include "litmus/base/diag.h"
#include "model/brute/brute.h"

/* A test file, unfolded, and what can be asked about it. */
struct question {
    struct arena *arena; /* to be freed by the owner, always */
    const struct test *test;
    struct graph **graphs;
    uint32_t graph_count;
    const char *path;
    struct diag_list diags;
};

/* False when the file is refused: 'diags' says why. */
bool question_open(struct question *q, const char *path, enum tearing tearing);
/* Is the word of an expectation true of the result? False and *known false for words about other
 * things than allowed states, races and undefined behaviour. */
bool question_verdict(const struct brute_result *result, const struct cat_model *model,
                      const struct test *test, const char *word, bool *known);

#endif
