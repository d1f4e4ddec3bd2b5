/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_BARRING_H
#define CLI_ANSWER_BARRING_H

#include "model/graph/graph.h"

/* Can a loop before a barrier that says no number of threads go round for ever because of what others do only behind the
 * barrier? The axioms take such a barrier for one that everybody reaches, and do not see that hang. True where it
 * cannot be excluded. */
bool barring_loops(struct arena *arena, const struct graph *graph);

#endif
