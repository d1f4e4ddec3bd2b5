/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_RELAX_H
#define LITMUS_GENERATE_RELAX_H

#include "litmus/generate/cycle.h"
#include "litmus/generate/enumerate.h"

/* Cycles made of given words. */

/* Called for each cycle; false ends the enumeration. */
typedef bool cycle_visit(void *context, const struct cycle *cycle);

/* The cycles that the words make in their order: one, but for words that are several edges. There are 1 to
 * CYCLE_EDGES words. False when 'visit' ended it. */
bool cycle_each(const struct cycle_words *words, cycle_visit *visit, void *context);

/* Every cycle of so many edges out of the words, shortest first (2 to CYCLE_EDGES), each once though it may be read
 * from any of its edges, with threads within the range. Left out are those that a shorter one stands for:
 * co after co or fr, and fr after rf, between threads, are one edge. */
bool relax_each(const struct cycle_words *words, struct generate_range sizes,
                struct generate_range threads, struct generate_share share, cycle_visit *visit,
                void *context);

#endif
