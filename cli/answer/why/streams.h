/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_STREAMS_H
#define CLI_ANSWER_WHY_STREAMS_H

#include "cli/answer/why/allowed.h"

/* Of an order of what runs in a stream of a host program before what runs in another one or what the host reads: the
 * events and calls that wait, and why they do not order them; or that nothing waits. Adds it to 'order', whose events are given. */
void streams_lack(struct arena *arena, const struct execution *execution,
                  struct missing_order *order);

#endif
