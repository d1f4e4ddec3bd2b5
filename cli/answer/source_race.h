/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_SOURCE_RACE_H
#define CLI_ANSWER_SOURCE_RACE_H

#include "cli/answer/job.h"

/* Warns in the job's diagnostics if its test was compiled from one in C++ that has a data race: what was compiled has
 * outcomes, and the test itself is undefined. A fraction of a second is spent on it; what is not found by then is not told. */
void source_race_warn(struct job *job);

#endif
