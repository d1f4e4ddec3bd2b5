/* SPDX-License-Identifier: MIT */
#include "model/graph/depends.h"

static const enum fixed_relation kinds[] = {FIXED_addr, FIXED_data, FIXED_ctrl};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Whenever there is the edge to the other one. */
static bool has_edge(const struct expr_pool *exprs, const struct fixed_edges *edges,
                     const struct fixed_edge *other, event_id to)
{
    for (int k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < edges[kinds[k]].count; i++) {
            const struct fixed_edge *edge = &edges[kinds[k]].at[i];
            if (edge->from == other->from && edge->to == to &&
                (edge->guard == other->guard || expr_is_true(exprs, edge->guard)))
                return true;
        }
    return false;
}

bool depends_no_more(const struct expr_pool *exprs, const struct fixed_edges *edges,
                     event_id earlier, event_id to)
{
    for (int k = 0; k < KINDS; k++)
        for (uint32_t i = 0; i < edges[kinds[k]].count; i++) {
            const struct fixed_edge *edge = &edges[kinds[k]].at[i];
            if (edge->to == earlier && !has_edge(exprs, edges, edge, to))
                return false;
        }
    return true;
}
