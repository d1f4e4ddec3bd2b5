/* SPDX-License-Identifier: MIT */
#include "model/relation/kind.h"

#include "model/relation/pair.h"

/* The relations that are lists of guarded edges. */

/* The next edge of the pair, from *at on, or NULL. */
static const struct fixed_edge *next_edge(const struct bases *bases, enum fixed_relation fixed,
                                          event_id a, event_id b, uint32_t *at)
{
    while (*at < bases->graph->fixed_count[fixed]) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][(*at)++];
        if (edge->from == a && edge->to == b)
            return edge;
    }
    return NULL;
}

static bool is_there(const struct bases *bases, const struct fixed_edge *edge)
{
    uint64_t value;
    return execution_eval(bases->execution, edge->guard, &value) && value;
}

bool relation_has_edge(const struct bases *bases, enum fixed_relation fixed, event_id a, event_id b)
{
    const struct fixed_edge *edge;
    for (uint32_t at = 0; (edge = next_edge(bases, fixed, a, b, &at));)
        if (is_there(bases, edge))
            return true;
    return false;
}

bool relation_must_have_edge(const struct bases *bases, enum fixed_relation fixed, event_id a,
                             event_id b)
{
    const struct fixed_edge *edge;
    for (uint32_t at = 0; (edge = next_edge(bases, fixed, a, b, &at));)
        if (expr_is_true(bases->graph->exprs, edge->guard))
            return true;
    return false;
}

/* The edge that holds, one that always does if there is one; of an absent pair all that do not. */
void relation_say_edge(const struct bases *bases, enum fixed_relation fixed, event_id a, event_id b,
                       bool present, struct fact_sink *sink)
{
    const struct fixed_edge *edge, *chosen = NULL;
    for (uint32_t at = 0; (edge = next_edge(bases, fixed, a, b, &at));)
        if (!present)
            relation_say_expr(bases, edge->guard, sink);
        else if (is_there(bases, edge) &&
                 (!chosen || expr_is_true(bases->graph->exprs, edge->guard)))
            chosen = edge;
    if (!present)
        return;
    base_why_executed(bases, a, sink);
    base_why_executed(bases, b, sink);
    relation_say_expr(bases, chosen->guard, sink);
}

static bool is_open(const struct bases *bases, enum base base)
{
    enum fixed_relation fixed = pair_edges(base);
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++)
        if (!expr_is_const(bases->graph->exprs, bases->graph->fixed[fixed][i].guard, NULL))
            return true;
    return false;
}

static bool must(const struct bases *bases, enum base base, event_id a, event_id b)
{
    return relation_must_have_edge(bases, pair_edges(base), a, b);
}

static void fill(const struct bases *bases, enum base base, struct rel *to)
{
    enum fixed_relation fixed = pair_edges(base);
    rel_clear(to);
    for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++) {
        const struct fixed_edge *edge = &bases->graph->fixed[fixed][i];
        if (set_has(bases->executed, edge->from) && set_has(bases->executed, edge->to) &&
            is_there(bases, edge))
            rel_add(to, edge->from, edge->to);
    }
}

static void why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
                struct fact_sink *sink)
{
    relation_say_edge(bases, pair_edges(base), a, b, present, sink);
}

static void why_all(const struct bases *bases, struct fact_sink *sink)
{
    for (uint32_t fixed = 0; fixed < FIXED_COUNT; fixed++)
        for (uint32_t i = 0; i < bases->graph->fixed_count[fixed]; i++)
            relation_say_expr(bases, bases->graph->fixed[fixed][i].guard, sink);
}

const struct relation_kind relation_edges = {is_open, must, NULL, fill, why, why_all};
