/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_MIXING_H
#define MODEL_GRAPH_MIXING_H

#include "model/graph/graph.h"

/* PTX promises single copies to morally strong pairs only (8.10.3): may one of two accesses that
 * overlap take or leave some bytes of the other and not the rest? 'graph' has the events, frozen or
 * not; 'same_mapping': they name the bytes by the same virtual addresses. */
bool mixing_possible(const struct graph *graph, event_id a, event_id b, bool same_mapping);

#endif
