/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_RUNS_H
#define CLI_ANSWER_WHY_RUNS_H

#include "cli/answer/why/explanation.h"

/* Races, undefined behaviour and hangs need not be in the execution that an explanation shows: runs that
 * have them. */
struct run_shown {
    const struct execution *run;
    const uint64_t *state; /* that it ends in; NULL when it hangs or is undefined */
    struct text_list of;   /* what it shows: "Race 1 data-race", "Undefined wild-address", "Hang" */
    struct text_list reason; /* sentences about it: "nothing orders a (:5) and d (:6)" */
};
struct run_list {
    VEC(struct run_shown) items;
};

/* Each thing once, and a run for several of them where one has them; in the job's arena. */
struct run_list runs_find(const struct explanation *explanation);
/* For people: what 'ptxlit explain' prints at the end. */
void runs_text(const struct explanation *explanation, GString *out);

#endif
