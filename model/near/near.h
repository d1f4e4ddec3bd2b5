/* SPDX-License-Identifier: MIT */
#ifndef MODEL_NEAR_NEAR_H
#define MODEL_NEAR_NEAR_H

#include "model/theory/theory.h"

/* What an allowed execution lacks to break an axiom of the model: the order that was nearly there. */

/* One thing that a programmer could mend. Of an event, which is 'a', or of a pair. */
struct lack {
    enum lack_kind {
        LACK_SCOPE,       /* the scopes of a and b do not include each other's threads */
        LACK_FENCE_PLACE, /* the one that is a fence stands on the wrong side of the other */
        LACK_FENCE_KIND,  /* a fence of one kind only, where the other kind is needed */
        LACK_WEAK,        /* a weak access, where a strong one is needed */
        LACK_RELEASE,     /* a write that does not release, without a fence before it */
        LACK_ACQUIRE,     /* a read that does not acquire, without a fence after it */
        LACK_FENCE_CTA,   /* the one that is a proxy fence is in another CTA */
        LACK_FENCE_SPACE, /* and names another state space */
        LACK_FENCE_PROXY, /* a proxy fence that names another proxy */
        LACK_PROXY,       /* an access of another proxy, without a fence */
        LACK_RANGE, /* the same bytes by another name or size, so that neither observes the other */
        LACK_NAME,  /* two names of the same bytes, without a fence */
    } kind;
    event_id a, b;
};

/* A violation of an axiom that is missing no more than some lacks. */
struct near_miss {
    uint32_t axiom;    /* index into the model */
    event_id from, to; /* the order that is missing; NONE when it is no order of two events */
    struct lack *lacks;
    uint32_t lack_count;
    uint32_t cost;
};

enum { NEAR_MOST_EVENTS = 96, NEAR_MOST_MISSES = 4 };

/* Those of a consistent execution, evaluated in 'theory', cheapest first: none that lacks all that a cheaper
 * one does, and at most NEAR_MOST_MISSES. Returns how many, 0 for an execution of more than
 * NEAR_MOST_EVENTS. All in 'arena'. */
uint32_t near_misses(struct arena *arena, const struct theory *theory,
                     const struct cat_model *model, const struct execution *execution,
                     struct near_miss **misses);

#endif
