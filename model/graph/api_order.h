/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_API_ORDER_H
#define MODEL_GRAPH_API_ORDER_H

#include "model/graph/graph.h"

/* By event: it comes after this one by program order and by what calls of the host order, in every execution in which
 * both are there. Not all that do are found. */
const bool *api_order_after(struct arena *arena, const struct graph *graph, event_id first);

#endif
