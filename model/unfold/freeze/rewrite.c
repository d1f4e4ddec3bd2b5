/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/rewrite.h"

#include <stdlib.h>

/* Copies expressions into the graph's own pool: reads are split into the granules that they return,
 * and what was delayed until all threads are known gets its value. */

enum { DEEPEST = 3 * EXPR_MAX_DEPTH }; /* delayed values stack expressions of several threads */

struct rewrite *rewrite_new(struct builder *b, const struct graph *graph, const event_id *number,
                            const struct addresses *addresses)
{
    struct rewrite *r = ARENA_NEW(b->arena, struct rewrite);
    r->b = b;
    r->graph = graph;
    r->number = number;
    r->addresses = addresses;
    r->pool = expr_pool_new(b->arena);
    r->done = ARENA_ARRAY(b->arena, expr_id, expr_count(b->exprs));
    r->delayed = ARENA_ARRAY(b->arena, expr_id, b->choices.len);
    r->renumbered = ARENA_ARRAY(b->arena, uint32_t, b->choices.len);
    for (uint32_t i = 0; i < b->delayed.len; i++)
        r->delayed[b->delayed.at[i].choice] = b->delayed.at[i].value + 1;
    return r;
}

static expr_id rewrite_read(struct rewrite *r, const struct expr *e)
{
    event_id event = r->number[e->b];
    const struct event *read = &r->graph->events[event];
    expr_id whole = 0;
    for (uint32_t i = 0; i < read->pieces; i++) {
        unsigned width = (read->piece_start[i + 1] - read->piece_start[i]) * 8;
        expr_id piece = expr_read(r->pool, width, i, event);
        whole = i ? expr_binary(r->pool, EXPR_CONCAT, piece, whole) : piece;
    }
    expr_id inside = rewrite_expr(r, r->addresses[e->b].inside);
    return expr_ite(r->pool, inside, whole, expr_const(r->pool, e->width, 0));
}

static expr_id rewrite_choice(struct rewrite *r, const struct expr *e)
{
    if (r->delayed[e->a])
        return rewrite_expr(r, r->delayed[e->a] - 1);
    if (!r->renumbered[e->a]) {
        vec_push(r->b->arena, &r->choices, r->b->choices.at[e->a]);
        r->renumbered[e->a] = r->choices.len;
    }
    return expr_choice(r->pool, e->width, r->renumbered[e->a] - 1);
}

static expr_id give_up(struct rewrite *r, const struct expr *e)
{
    builder_fail(r->b, DIAG_unfold_too_deep, (struct span){0, 0}, NULL,
                 "a value depends on itself or on more than %u steps", DEEPEST);
    return e->width <= 64 ? expr_const(r->pool, e->width, 0)
                          : expr_extend(r->pool, expr_const(r->pool, 64, 0), e->width, false);
}

expr_id rewrite_expr(struct rewrite *r, expr_id id)
{
    const struct expr e = *expr_get(r->b->exprs, id);
    if (r->b->failed || r->done[id] == UINT32_MAX || r->depth > DEEPEST)
        return give_up(r, &e);
    if (r->done[id])
        return r->done[id] - 1;
    r->done[id] = UINT32_MAX;
    r->depth++;
    expr_id result;
    if (e.op == EXPR_READ) {
        result = rewrite_read(r, &e);
    } else if (e.op == EXPR_CHOICE) {
        result = rewrite_choice(r, &e);
    } else {
        expr_id kids[3];
        unsigned count = expr_kids(&e, kids);
        for (unsigned i = 0; i < 3; i++)
            kids[i] = i < count ? rewrite_expr(r, kids[i]) : 0;
        result = expr_build(r->pool, &e, kids[0], kids[1], kids[2]);
    }
    r->depth--;
    r->done[id] = result + 1;
    return result;
}
