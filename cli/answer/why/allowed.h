/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_ALLOWED_H
#define CLI_ANSWER_WHY_ALLOWED_H

#include "cli/answer/job.h"
#include "model/near/near.h"

/* Why nothing forbids an execution that the model allows. */

/* One thing that is missing: its kind, the events that it concerns (the second may be NONE), and the
 * sentence that says so. */
struct shortcoming {
    const char *kind; /* "scope", "weak", "fence-place" … as docs/commands.md lists them */
    event_id a, b;
    const char *text;
};

/* An order that would break the axiom, and what it lacks. */
struct missing_order {
    const char *axiom;
    event_id from, to; /* NONE when it is no order of two events */
    VEC(struct shortcoming) lacks;
};

struct allowed {
    enum allowed_kind {
        ALLOWED_IN_TURN,   /* one access after another gives it */
        ALLOWED_NEARLY,    /* some order was nearly there */
        ALLOWED_FENCES,    /* only fence.sc would order the accesses */
        ALLOWED_UNORDERED, /* two writes that race, with no coherence order between them */
        ALLOWED_OPEN,      /* none of these */
    } kind;
    VEC(event_id)
    order; /* IN_TURN: of all events; else a circle that no such order has, or nothing */
    /* NEARLY; FENCES: one, without events; IN_TURN: orders that barriers or waits do not make, without axioms */
    VEC(struct missing_order) missing;
};

/* 'theory': the job's model, evaluated in the execution. All in the job's arena. */
struct allowed allowed_new(const struct job *job, const struct execution *execution,
                           const struct theory *theory);
/* "in-turn", "nearly", "fences", "unordered", "open" */
const char *allowed_word(enum allowed_kind kind);
/* For people: what 'ptxlit explain' prints below the execution. */
void allowed_text(const struct job *job, const struct execution *execution,
                  const struct allowed *allowed, GString *out);

#endif
