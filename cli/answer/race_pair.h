/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_RACE_PAIR_H
#define CLI_ANSWER_RACE_PAIR_H

#include "cli/answer/answer.h"

/* Races are pairs of events. An instruction has several, as the two of an atomic operation and those of each round of a
 * loop: pairs that look the same are told of once. */

/* Are they of one kind, and of the same two instructions? */
bool race_is_of_same(const struct answer *answer, const struct race *x, const struct race *y);
/* Is none of found->races in front of the one at 'index' of the same two instructions, and of the same two threads? */
bool race_is_new(const struct answer *answer, uint32_t index);

#endif
