/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_COMPARISON_H
#define CLI_ANSWER_COMPARISON_H

#include "cli/answer/answer.h"
#include "model/machine/search/explore.h"

/* Allowed by the axioms beside reached by the executor and seen on hardware. The executor's ptx
 * memory may reach less than is allowed, never more. */
struct comparison {
    struct job *job;
    struct answer answer;
    const struct machine *machine;
    struct memory *memory;
    struct report_list reports;
    struct explore_result reached;
    struct outcome_set unsound, not_reached;
    const char *
        *misuse; /* what the executor reports of a host program: names, as answer.undefined */
    uint32_t misuse_count;
    struct hardware_seen seen;      /* on a GPU */
    struct outcome_set not_allowed; /* of those */
    const char *outside; /* why outcomes are not compared: undefined behaviour, …; or NULL */
};

/* Runs every schedule of the job's test and holds what it reaches against the answer. False after
 * an error in the job's diagnostics: the executor refuses the test. */
bool comparison_new(struct comparison *c, struct job *job, const struct answer *answer);
/* Do both sides know everything? */
bool comparison_complete(const struct comparison *c);
/* Does one reading of a host program find undefined behaviour and the other does not? */
bool comparison_misuse_differs(const struct comparison *c);
/* Does every run hang: "certain", some: "possible", or "no"? */
const char *comparison_executor_hangs(const struct comparison *c);
const char *comparison_axioms_hang(const struct comparison *c);
/* How the executor is asked; 'until' (or NULL): stop at this state. */
struct explore_options comparison_exploration(const struct comparison *c, const uint64_t *until);

#endif
