/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_EXPLANATION_H
#define CLI_ANSWER_WHY_EXPLANATION_H

#include <glib.h>

#include "cli/answer/why/allowed.h"
#include "cli/answer/answer.h"

/* Why the proposition of exists and ~exists, or the negation of forall's, is forbidden; or how it
 * is reached. Everything in the job's arena. */
struct explanation {
    const struct job *job;
    const struct answer *answer;
    bool negate; /* of a forall: what is explained is the negation */
    enum { EXPLANATION_FORBIDDEN, EXPLANATION_ALLOWED, EXPLANATION_OPEN } kind;
    const char *open;              /* OPEN: why */
    const struct reason *reason;   /* FORBIDDEN */
    const struct example *example; /* FORBIDDEN: the one that is told, or NULL */
    struct theory *theory;         /* FORBIDDEN, with an example: evaluated in it */
    const struct execution
        *execution;         /* ALLOWED: a witness; FORBIDDEN: the reason's example, or NULL */
    struct allowed allowed; /* ALLOWED, with a witness: why nothing forbids it */
    const uint64_t *state;  /* ALLOWED: the state that the witness ends in */
};

struct explanation explanation_new(struct job *job, const struct answer *answer);

/* The same about another example of the reason. */
struct explanation explanation_of_example(const struct explanation *explanation, uint32_t index);

/* For people: what 'ptxlit explain' prints, without its remarks */
void explanation_text(const struct explanation *explanation, GString *out);

/* What a relation is called: its name, or the text that makes it. */
const char *explanation_relation(const struct job *job, cat_id node);
/* The section of the manual behind it, or what a base relation means; "" when nothing is said. */
const char *explanation_rule(const struct job *job, cat_id node);

/* The steps of the broken axiom's cycle, in order; in the job's arena. */
struct step_list {
    VEC(struct step) items;
};
struct step_list explanation_steps(const struct explanation *explanation);

/* What makes an edge between calls, tasks, asynchronous operations, in words ("event recorded at line
 * 12, waited for at line 13 (E3)"); NULL when it is none. Needs an execution. */
const char *explanation_call(const struct explanation *explanation, event_id from, event_id to);

#endif
