/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_APART_H
#define CLI_ANSWER_WHY_APART_H

#include "cli/answer/why/allowed.h"

/* What one access after another gives needs no fence, but barriers and waits exclude it: those of the program that
 * stand near accesses which come in the order that was not meant, and why they do not order them. Adds the missing
 * orders, APART_MOST at most, of two instructions once. Where nothing stands near them, it says so of accesses that race. 'theory':
 * the job's model, evaluated in the execution. */
enum { APART_MOST = 4 };
void apart_find(const struct job *job, const struct execution *execution,
                const struct theory *theory, struct allowed *allowed);
/* Of a circle of events: the barriers that its threads pass between their accesses, and why these do not meet. */
void apart_in_circle(struct arena *arena, const struct execution *execution, const event_id *circle,
                     uint32_t count, struct missing_order *order);

#endif
