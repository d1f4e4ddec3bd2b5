/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_KEEP_H
#define CLI_REPAIR_KEEP_H

#include "cli/answer/answer.h"
#include "solver/repair/minimal.h"

/* What a test has to keep when it becomes weaker: all that it expects of the model, or its verdict where it expects
 * nothing; and of 'more' each word that a test may expect ("race-free"), and each question ("~exists (x=2)"), which
 * has to hold. */
struct keep {
    const struct answer *before; /* of the test as it was */
    const struct text_list *more;
};

/* Can each of 'more' be asked? False after a report in the job's diagnostics. */
bool keep_check(const struct keep *keep, struct job *job);
/* Does 'job', which has the test with other code, keep it? Without 'whole' no more is asked than can tell. */
enum minimal_answer keep_ask(const struct keep *keep, struct job *job, bool whole);

#endif
