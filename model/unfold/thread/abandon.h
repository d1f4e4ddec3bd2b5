/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_THREAD_ABANDON_H
#define MODEL_UNFOLD_THREAD_ABANDON_H

#include "model/unfold/builder/builder.h"

/* For schedulers that need not go on with every thread. */

/* How much the builder had of each before a thread was unfolded. */
struct unfolded_before {
    uint32_t events, spins, assumptions;
};
struct unfolded_before abandon_mark(const struct builder *b);

/* Lets the thread, whose events are those made since 'before', be left standing before any of its
 * instructions: what comes later does not execute, and it neither ends nor goes round for ever. The halves of an
 * atomic operation stay together. */
void abandon_anywhere(struct builder *b, uint32_t thread, struct unfolded_before before);

#endif
