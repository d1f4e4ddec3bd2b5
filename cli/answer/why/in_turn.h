/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_WHY_IN_TURN_H
#define CLI_ANSWER_WHY_IN_TURN_H

#include "cli/answer/job.h"

/* Does some order of the accesses, one after another, give the execution? Then 'order' are its events
 * in such an order, without initial writes; else a shortest circle of what would have to come first, which
 * is empty when none was found. In the job's arena. */
bool in_turn(const struct job *job, const struct execution *execution, event_id **order,
             uint32_t *count);

#endif
