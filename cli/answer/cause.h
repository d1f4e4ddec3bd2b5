/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_CAUSE_H
#define CLI_ANSWER_CAUSE_H

#include "cli/answer/comparison.h"

/* Why the executor does not reach what is allowed, by what the test has. */
enum cause {
#define CAUSE(id, words) CAUSE_##id,
#include "cli/answer/cause.def"
    CAUSE_COUNT
};
const char *cause_words(enum cause cause);
/* Of a test with states that are not reached. */
enum cause cause_find(const struct comparison *c);

#endif
