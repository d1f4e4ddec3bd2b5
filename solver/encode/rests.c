/* SPDX-License-Identifier: MIT */
#include "solver/encode/rests.h"

/* 'strict' holds for expressions that have no value as long as the read has none, whatever else is
 * known: operations that can do without an operand (and, or, multiplication, choice) need it in
 * both. */
static bool strict_here(const struct expr *expr, const bool *strict, event_id read)
{
    switch (expr->op) {
    case EXPR_CONST:
    case EXPR_CHOICE:
        return false;
    case EXPR_READ:
        return expr->b == read;
    case EXPR_ITE:
        return strict[expr->b] && strict[expr->c];
    case EXPR_NOT:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT:
        return strict[expr->a];
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_XOR:
    case EXPR_EQ:
    case EXPR_CONCAT:
        return strict[expr->a] || strict[expr->b];
    default: /* of these some operands decide alone */
        return strict[expr->a] && strict[expr->b];
    }
}

/* An expression that is true only when the read has returned: one such operand of 'and' is enough.
 */
static bool needed_for_truth(const struct expr *expr, const bool *strict, const bool *needed,
                             expr_id id)
{
    bool both = expr->op == EXPR_AND && expr->width == 1;
    return strict[id] || (both && (needed[expr->a] || needed[expr->b]));
}

bool *rests_on(struct arena *arena, const struct graph *graph, event_id read)
{
    uint32_t count = expr_count(graph->exprs);
    bool *strict = ARENA_ARRAY(arena, bool, count), *needed = ARENA_ARRAY(arena, bool, count);
    bool *result = ARENA_ARRAY(arena, bool, graph->event_count);
    for (expr_id id = 0; id < count; id++) {
        const struct expr *expr = expr_get(graph->exprs, id);
        strict[id] = strict_here(expr, strict, read);
        needed[id] = needed_for_truth(expr, strict, needed, id);
    }
    for (event_id w = 0; w < graph->event_count; w++) {
        const struct event *event = &graph->events[w];
        bool whole = event->bytes == graph->events[read].bytes; /* a part may be known alone */
        result[w] = event->kind == EVENT_WRITE &&
                    (needed[event_assured(graph, w)] || (whole && strict[event->value]) ||
                     strict[event->address]);
    }
    return result;
}
