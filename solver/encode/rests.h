/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ENCODE_RESTS_H
#define SOLVER_ENCODE_RESTS_H

#include "model/graph/graph.h"

/* Which writes cannot be the source of 'read' in any execution, whatever the model: those that
 * execute, or have a value or an address, only once the read has returned, so that the value read
 * would depend on itself. By event; in 'arena'. */
bool *rests_on(struct arena *arena, const struct graph *graph, event_id read);

#endif
