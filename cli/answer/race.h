/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_RACE_H
#define CLI_ANSWER_RACE_H

#include "cli/answer/answer.h"

/* What is told of the races, and of the other pairs that a flag of the model names: those of the same two instructions,
 * one line. */
struct race_line {
    const struct race *race; /* the first of them */
    const char
        *word; /* "Race 1": races have numbers; "Warning unordered-proxy-read", "Undefined …" */
    uint32_t others; /* so many more pairs of threads */
};
struct race_lines {
    VEC(struct race_line) items;
    const uint32_t *line_of; /* by index into found->races */
};

/* In the job's arena. */
struct race_lines race_lines(const struct answer *answer);

#endif
