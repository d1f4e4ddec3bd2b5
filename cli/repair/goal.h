/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_GOAL_H
#define CLI_REPAIR_GOAL_H

#include "cli/answer/answer.h"
#include "solver/repair/minimal.h"

/* What is to go from a test: the outcome that its question is about, or what may happen besides. */
enum repair_goal {
    GOAL_OUTCOME, /* the state that 'exists' and '~exists' name, or one that 'forall' does not */
    GOAL_RACE,
    GOAL_ASSERT, /* 'trap', or an assertion of compiled code */
    GOAL_HANG,
};

/* "outcome", "race", "assert", "hang", and other words for them. False: it is none of them. */
bool goal_parse(const char *word, enum repair_goal *goal);
const char *goal_words(void); /* "outcome, race, assert or hang" */
/* "the outcome", "a data race": what is to go, for people. */
const char *goal_name(enum repair_goal goal);
/* A failed assertion or a trap? */
bool goal_aborts(const struct undefined *undefined);

/* Is it gone from the job's test? Only what the goal needs is asked of Z3. */
enum minimal_answer goal_ask(enum repair_goal goal, const struct job *job);
/* The same of an answer that is known. */
enum minimal_answer goal_of(enum repair_goal goal, const struct answer *answer);

#endif
