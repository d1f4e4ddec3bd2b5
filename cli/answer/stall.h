/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_STALL_H
#define CLI_ANSWER_STALL_H

#include "cli/answer/job.h"

/* What a thread that goes round for ever in 'stuck' waits for: "; it waits for q, which H writes at line 12, after it".
 * Empty where it reads nothing. */
const char *stall_words(const struct job *job, const struct execution *stuck,
                        const struct spin *spin);

#endif
