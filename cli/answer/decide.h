/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_DECIDE_H
#define CLI_ANSWER_DECIDE_H

#include "cli/answer/answer.h"

/* What a model says of a test that no file holds. 'wanted': as answer_new takes it. All is made in
 * 'arena'; the answer's verdict is VERDICT_ERROR for a text that cannot be read, and then 'found' is
 * NULL. */
struct answer decide(struct arena *arena, const struct settings *settings,
                     const struct cat_model *model, const char *text, size_t length,
                     uint32_t wanted);

#endif
