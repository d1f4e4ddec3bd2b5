/* SPDX-License-Identifier: MIT */
#include "model/theory/reason.h"

/* Facts that suffice for a pair not to be in a relation. */

static bool absent(const struct theory *theory, cat_id node, event_id a, event_id b)
{
    return !theory_has(theory->now[node], a, b);
}

static bool never(const struct theory *theory, cat_id node, event_id a, event_id b)
{
    return !theory_has(theory->may[node], a, b);
}

/* One of two pairs being absent suffices; one that never can be there costs nothing. */
static void either(struct theory *theory, cat_id left, event_id a, event_id b, cat_id right,
                   event_id c, event_id d, struct fact_sink *sink)
{
    if (never(theory, left, a, b) || never(theory, right, c, d))
        return;
    if (absent(theory, left, a, b))
        reason_add(theory, left, a, b, false, sink);
    else
        reason_add(theory, right, c, d, false, sink);
}

static void no_midpoint(struct theory *theory, const struct cat_node *node, event_id a, event_id b,
                        struct fact_sink *sink)
{
    for (event_id m = 0; m < theory->n; m++)
        if (!never(theory, node->a, a, m) && !never(theory, node->b, m, b))
            either(theory, node->a, a, m, node->b, m, b, sink);
}

/* The events on the near side of a cut that no edge crosses: what a reaches, or what does not reach
 * b, whichever has fewer possible edges across. */
struct cut {
    const struct rel *possible; /* edges some execution has */
    bool *near;                 /* an event */
    uint32_t crossing;
};

/* 'forward': the near side is what a reaches; else what does not reach b. */
static struct cut make_cut(struct theory *theory, struct arena *scratch,
                           const struct cat_node *node, const struct rel *closure, event_id a,
                           event_id b, bool forward)
{
    struct cut cut = {.possible = theory->may[node->a],
                      .near = ARENA_ARRAY(scratch, bool, theory->n)};
    for (event_id e = 0; e < theory->n; e++)
        cut.near[e] =
            forward ? e == a || rel_has(closure, a, e) : e != b && !rel_has(closure, e, b);
    for (event_id x = 0; x < theory->n; x++)
        for (event_id y = 0; cut.near[x] && y < theory->n; y++)
            cut.crossing += !cut.near[y] && rel_has(cut.possible, x, y);
    return cut;
}

/* No path: every possible edge over some cut between a and b is absent. With a == b the event
 * itself lies on both sides, so edges into it (forward) or out of it (backward) cross as well. */
static void no_path(struct theory *theory, const struct cat_node *node, event_id a, event_id b,
                    struct fact_sink *sink)
{
    struct arena *scratch = arena_scratch(theory->arena);
    struct rel *closure = rel_new(scratch, theory->n);
    rel_closure(closure, theory->now[node->a]);
    struct cut forward = make_cut(theory, scratch, node, closure, a, b, true);
    struct cut backward = make_cut(theory, scratch, node, closure, a, b, false);
    struct cut cut = a != b && backward.crossing < forward.crossing ? backward : forward;
    for (event_id x = 0; x < theory->n; x++)
        for (event_id y = 0; cut.near[x] && y < theory->n; y++)
            if (rel_has(cut.possible, x, y) && (!cut.near[y] || (a == b && y == b)))
                reason_add(theory, node->a, x, y, false, sink);
    arena_free(scratch);
}

static void no_member(struct theory *theory, const struct cat_node *node, event_id a,
                      struct fact_sink *sink)
{
    for (event_id b = 0; b < theory->n; b++)
        reason_add(theory, node->a, node->op == CAT_DOMAIN ? a : b, node->op == CAT_DOMAIN ? b : a,
                   false, sink);
}

/* Both events execute, and some execution has the pair. */
static void absent_by_operation(struct theory *theory, const struct cat_node *node, event_id a,
                                event_id b, struct fact_sink *sink)
{
    switch (node->op) {
    case CAT_UNION:
        reason_add(theory, node->a, a, b, false, sink);
        reason_add(theory, node->b, a, b, false, sink);
        break;
    case CAT_INTERSECT:
        either(theory, node->a, a, b, node->b, a, b, sink);
        break;
    case CAT_DIFFERENCE:
        if (absent(theory, node->a, a, b))
            reason_add(theory, node->a, a, b, false, sink);
        else
            reason_add(theory, node->b, a, b, true, sink);
        break;
    case CAT_COMPLEMENT:
        reason_add(theory, node->a, a, b, true, sink);
        break;
    case CAT_COMPOSE:
        no_midpoint(theory, node, a, b, sink);
        break;
    case CAT_INVERSE:
        reason_add(theory, node->a, b, a, false, sink);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        no_path(theory, node, a, b, sink);
        break;
    case CAT_OPTION:
    case CAT_REC:
        reason_add(theory, node->a, a, b, false, sink);
        break;
    case CAT_IDENTITY:
        if (a == b)
            reason_add(theory, node->a, a, 0, false, sink);
        break;
    case CAT_PRODUCT:
        either(theory, node->a, a, 0, node->b, b, 0, sink);
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        no_member(theory, node, a, sink);
        break;
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        base_why(theory->bases, (enum base)node->base, a, b, false, sink);
        break;
    case CAT_EMPTY:
        break;
    }
}

void reason_absent(struct theory *theory, cat_id id, event_id a, event_id b, struct fact_sink *sink)
{
    const struct cat_node *node = &theory->model->nodes[id];
    if (!set_has(theory->universe, a))
        base_why_executed(theory->bases, a, sink);
    else if (!node->is_set && !set_has(theory->universe, b))
        base_why_executed(theory->bases, b, sink);
    else
        absent_by_operation(theory, node, a, b, sink);
}
