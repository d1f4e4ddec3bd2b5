/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_SPIN_H
#define MODEL_UNFOLD_THREAD_SPIN_H

#include "model/unfold/builder/step.h"
#include "model/unfold/thread/liveness.h"

/* Iterations that leave everything as it was: what graph.h says of struct spin. */

/* One iteration of a loop that was unfolded: what it began and went round with, and the events that it
 * made, numbered from 'first' up to, but without, 'end'. */
struct iteration {
    const struct state *before, *after;
    event_id first, end;
    uint32_t first_choice, first_undefined; /* how many choices, and faults, there were before */
    uint32_t head;                          /* the instruction that it begins with */
    struct span span;
};

/* When it leaves everything as it was: the registers that are still read, and memory, where an atomic
 * operation wrote what it had read. Whatever repeats so can repeat for ever. */
expr_id spin_repeats(struct unfold_run *run, const struct liveness *liveness,
                     const struct iteration *iteration);
/* Does it leave the registers that are still read as they were, whatever its reads return? */
bool spin_keeps_registers(struct unfold_run *run, const struct liveness *liveness,
                          const struct iteration *iteration);
/* Adds the spin of a thread that goes round when 'round' holds. */
void spin_add(struct unfold_run *run, const struct iteration *iteration, expr_id round, bool open);
/* Adds the spin of a thread that has made 'first' and then, in the same way, 'second'. */
void spin_add_second(struct unfold_run *run, const struct iteration *first,
                     const struct iteration *second, expr_id round);
/* An iteration that repeats itself when 'round' holds is one of arbitrarily many, none of which changed
 * memory: what it writes is left out, but that the first one, not 'again', begins by unlocking a mutex. */
void spin_unwrite(struct unfold_run *run, const struct iteration *iteration, expr_id round,
                  bool again);
/* Adds the iteration as one that may be made in vain (struct repeat), if it does nothing but read, write and order. */
void spin_add_repeat(struct unfold_run *run, const struct liveness *liveness,
                     const struct iteration *iteration);
/* Can an iteration order reads of the next one that need not see the last write? Then one does not stand
 * for all: a fence or an acquire orders what comes after it. */
bool spin_orders_next(const struct unfold_run *run, const struct iteration *iteration);

#endif
