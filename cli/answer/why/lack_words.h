/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_LACK_WORDS_H
#define CLI_ANSWER_WHY_LACK_WORDS_H

#include "cli/answer/why/allowed.h"

/* What an order lacks, in words. */

/* "b (:6)": an event and its line; initial writes have none. */
const char *lack_event(struct arena *arena, const struct execution *execution, event_id event);
/* The sentences for what a near miss lacks, in its order; a lack that another one implies is left out. */
void lack_words(struct arena *arena, const struct execution *execution,
                const struct near_miss *miss, struct missing_order *order);
/* "barrier", "barrier of the cluster": what all threads of the circle could meet at; NULL: there is none. */
const char *lack_barrier(const struct execution *execution, const event_id *circle, uint32_t count);
/* For fence.sc, which orders what no read connects: what a circle of events lacks of it; of barriers too, unless the order
 * says already why those there are do not meet. */
void lack_fences(struct arena *arena, const struct execution *execution, const event_id *circle,
                 uint32_t count, struct missing_order *order);

#endif
