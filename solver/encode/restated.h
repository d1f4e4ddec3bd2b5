/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ENCODE_RESTATED_H
#define SOLVER_ENCODE_RESTATED_H

#include "solver/encode/encode.h"

/* Does the read or write 'a' access the bytes that 'b' does, whatever is chosen, by the generic proxy? */
bool restated_is_at(const struct event *a, const struct event *b);
/* May it race with anything? */
bool restated_may_race(const struct encoding *encoding, event_id e);

/* Holds where the write may say something new: unless the same instruction of its thread wrote the same value there before, and
 * no other write lies between the two in coherence. Whoever reads the later one could have read the earlier one, which
 * publishes no more, comes after no more, and depends on no more. */
lit encode_news(struct encoding *encoding, event_id write);

#endif
