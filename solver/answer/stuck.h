/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_STUCK_H
#define SOLVER_ANSWER_STUCK_H

#include "solver/answer/states.h"

/* Executions in which some thread goes on or waits for ever, as model/graph/graph.h defines them at
 * struct spin. */

/* Is there a consistent execution in which a counted barrier is never completed, with every spin
 * loop left? Fills can_hang and hang of the result. */
void stuck_decide(struct solving *solving, struct search *search);

#endif
