/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_IDLE_H
#define CLI_ANSWER_WHY_IDLE_H

#include "cli/answer/why/explanation.h"

/* Fences, barriers and stores of the test that a forbidden outcome does not need: without one of them, the others left as
 * they are, it is forbidden too, no race is added, and no hang. Only those that no example of the reason goes through are tried, IDLE_MOST of them at most, in
 * the time that the test has left; one that was not decided is not in the list. In the job's arena. */
enum { IDLE_MOST = 16 };
struct idle_list {
    VEC(struct idle {
        const struct body *body;
        const struct inst *inst;
    })
    items; /* body by body, in the order of the text */
};
struct idle_list idle_find(const struct explanation *explanation);

/* For people: a line for each, or nothing. */
void idle_text(const struct explanation *explanation, GString *out);

#endif
