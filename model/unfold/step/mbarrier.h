/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_MBARRIER_H
#define MODEL_UNFOLD_STEP_MBARRIER_H

#include "model/unfold/step/access.h"

/* mbarrier objects (ptx-model.md 6.4), whose state model/graph/mbarrier.h lays out.
 *
 * Every operation but a wait is an atomic read and write of it, so counting and phases follow from
 * the values that reads return; a wait is a read. The state token of an arrival is the state before
 * it. A wait for a phase has returned true when the object's phase is no longer that one.
 *
 * A wait is two reads of which one executes: the acquire when it returns true, which needs a
 * completed phase, and a relaxed one when it does not. try_wait may return false all the same; in a
 * spin loop it does not do so for ever (struct spin). */

/* What an operation does to an object, in this order: widen expected and pending arrivals ('more',
 * of cp.async.mbarrier.arrive without .noinc), change the tx-count, lower the expected arrivals
 * (drop), arrive. 32-bit numbers. */
struct mbarrier_change {
    expr_id more, tx, drop, arrivals;
};

/* The read-modify-write of an object at access->address by access->thread at access->position (and
 * the next); 'tags' and 'scope' of the access are those of the write half. Returns the state
 * before. */
struct unfold_value mbarrier_update(struct unfold_step *s, struct access access,
                                    struct mbarrier_change change);
/* All of a change's numbers 0. */
struct mbarrier_change mbarrier_no_change(struct builder *b);

/* The read of an mbarrier wait that returned false, and that the phase was not over then. */
struct mbarrier_wait {
    event_id miss;
    expr_id false_rightly;
};

#endif
