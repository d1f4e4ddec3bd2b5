/* SPDX-License-Identifier: MIT */
#ifndef CLI_SERVE_REPLY_H
#define CLI_SERVE_REPLY_H

#include "cli/options/options.h"
#include "cli/work/pool.h"

/* A question of the page: a row of question.def, and its body,
 *   {"test": TEXT, "model": NAME or "", "cat": TEXT or "", "line": N, "character": N, "seed": N}
 * 'cat' is a model's text, and counts instead of the name; the place is for hover and complete, in the test or, with "of": "cat",
 * in the model; the seed is for timeline. */
struct page_question {
    const struct options *options;
    uint32_t kind; /* row of question.def */
    const char *body;
    size_t length;
};
/* The row of that name; UINT32_MAX: there is none. */
uint32_t question_find(const char *name);

/* In a worker: the answer as JSON, in result->out. No file is read, whatever the texts name. */
void reply_make(const struct page_question *question, struct note *note, struct result *result);

#endif
