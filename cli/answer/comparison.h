/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_COMPARISON_H
#define CLI_ANSWER_COMPARISON_H

#include "cli/answer/answer.h"
#include "cli/answer/unspecified.h"
#include "model/machine/search/explore.h"

/* Of states that somebody showed those that the answer does not allow. None while the answer does
 * not know all that it allows. */
struct beyond {
    struct outcome_set forbidden, open; /* open: not forbidden, as 'others' says of it */
    struct other_readings others;
};
/* 'fixed': the open points on which who showed the states is held to the reading taken. To be asked
 * last, as unspecified_readings. */
struct beyond beyond_find(const struct answer *answer, struct job *job,
                          const struct outcome_set *shown, uint32_t fixed);
/* Of a state of 'open': "Unspecified(dependencies)", or "Undecided". */
const char *beyond_word(const struct beyond *beyond, struct arena *arena, const uint64_t *values);

/* Compares the final states that the axioms allow with those that the executor reached and
 * those that hardware showed. The executor's ptx memory may reach fewer than are allowed, never
 * others. */
struct comparison {
    struct job *job;
    struct answer answer;
    const struct machine *machine;
    struct memory *memory;
    struct report_list reports;
    struct explore_result reached;
    struct beyond unsound;
    struct outcome_set not_reached;
    struct text_list misuse; /* what the executor reports of a host program, as answer.undefined */
    struct hardware_seen seen;                /* on a GPU */
    struct beyond not_allowed;                /* of those */
    const char *executor_hangs, *axioms_hang; /* "no", "possible", "certain"; axioms: "unknown" */
    const char *outside; /* why outcomes are not compared: undefined behaviour, …; or NULL */
};

/* Runs every schedule of the job's test and holds what it reaches against the answer. False after
 * an error in the job's diagnostics: the executor refuses the test. */
bool comparison_new(struct comparison *c, struct job *job, const struct answer *answer);
/* Why the axioms leave it open in which states the test may end: undefined behaviour, …; or NULL. */
const char *comparison_excluded(const struct answer *answer);
/* Do both sides know everything? */
bool comparison_complete(const struct comparison *c);
/* Does one reading of a host program find undefined behaviour and the other does not? */
bool comparison_misuse_differs(const struct comparison *c);
/* Does one reading find a hang that the other does not? The executor starts all work in the end: that
 * nothing promises so is for the axioms alone to say, who may find more that is possible. */
bool comparison_hangs_differ(const struct comparison *c);
/* How the executor is asked for every schedule; 'until' (or NULL): stop at this state. It may take half
 * of a worker's memory: the rest is for everything else. */
struct explore_options comparison_exploration(const struct job *job, const uint64_t *until);

#endif
