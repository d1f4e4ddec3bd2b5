/* SPDX-License-Identifier: MIT */
#ifndef MODEL_GRAPH_DEPENDS_H
#define MODEL_GRAPH_DEPENDS_H

#include "model/graph/graph.h"

struct fixed_edges {
    const struct fixed_edge *at;
    uint32_t count;
};

/* Of the edges of each fixed relation: does 'to' depend on all that 'earlier' depends on, by address, value or control? */
bool depends_no_more(const struct expr_pool *exprs, const struct fixed_edges *edges,
                     event_id earlier, event_id to);

#endif
