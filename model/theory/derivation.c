/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "model/theory/reason.h"

/* Derivations for people: which named relations a pair came through, down to base relations. */
struct derivation {
    struct theory *theory;
    struct arena *arena;
    VEC(struct step) steps;
    uint32_t nesting, work;
};

/* A text made to be deep, or to share much, is told in part. */
enum { NESTING_LIMIT = 1000, WORK_LIMIT = 10000 };

static void derive(struct derivation *d, cat_id id, event_id a, event_id b, uint32_t depth);

static bool was_told(const struct derivation *d, cat_id id, event_id a, event_id b)
{
    for (uint32_t i = 0; i < d->steps.len; i++) {
        const struct step *step = &d->steps.at[i];
        if (step->node == id && step->from == a && step->to == b)
            return true;
    }
    return false;
}

/* A pair of a closure, step by step along a path of least cost. */
static void derive_path(struct derivation *d, cat_id id, event_id a, event_id b, uint32_t depth)
{
    const struct cat_node *node = &d->theory->model->nodes[id];
    if (node->op == CAT_STAR && a == b)
        return;
    uint32_t deadline = reason_deadline(d->theory, id, node->a, a, b), cost;
    struct arena *scratch = arena_scratch(d->theory->arena);
    event_id *path = ARENA_ARRAY(scratch, event_id, d->theory->n);
    uint32_t length = reason_path(d->theory, node->a, a, b, deadline, NULL, path, &cost);
    for (uint32_t i = 0; i < length; i++)
        derive(d, node->a, i ? path[i - 1] : a, path[i], depth);
    arena_free(scratch);
}

/* Of an intersection the side that executions differ in is told, unless both are alike. */
static void derive_both(struct derivation *d, const struct cat_node *node, event_id a, event_id b,
                        uint32_t depth)
{
    bool left = d->theory->constant[node->a], right = d->theory->constant[node->b];
    if (!left || right)
        derive(d, node->a, a, b, depth);
    if (!right || left)
        derive(d, node->b, a, b, depth);
}

/* Derives the pair from the pairs of the operands that make it. */
static void take_apart(struct derivation *d, cat_id id, event_id a, event_id b, uint32_t depth)
{
    const struct cat_node *node = &d->theory->model->nodes[id];
    uint32_t cost;
    event_id m;
    switch (node->op) {
    case CAT_UNION:
        derive(d, reason_operand(d->theory, id, a, b, &cost), a, b, depth);
        break;
    case CAT_INTERSECT:
        derive_both(d, node, a, b, depth);
        break;
    case CAT_DIFFERENCE:
    case CAT_REC:
        derive(d, node->a, a, b, depth);
        break;
    case CAT_COMPOSE:
        m = reason_midpoint(d->theory, id, a, b, &cost);
        derive(d, node->a, a, m, depth);
        derive(d, node->b, m, b, depth);
        break;
    case CAT_INVERSE:
        derive(d, node->a, b, a, depth);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        derive_path(d, id, a, b, depth);
        break;
    case CAT_OPTION:
        if (a != b)
            derive(d, node->a, a, b, depth);
        break;
    default: /* conditions, not edges, and what has no operand */
        break;
    }
}

/* A condition on one event ("[release]") is no edge: forgets the steps from 'first' on when they
 * are all of that kind. */
static void drop_conditions(struct derivation *d, uint32_t first)
{
    for (uint32_t i = first; i < d->steps.len; i++)
        if (d->steps.at[i].from != d->steps.at[i].to)
            return;
    d->steps.len = first;
}

/* Tells the pair when its relation has a name, then what it comes from, one level deeper; what was
 * told already is not taken apart. */
static void derive(struct derivation *d, cat_id id, event_id a, event_id b, uint32_t depth)
{
    const struct cat_node *node = &d->theory->model->nodes[id];
    bool told = node->op == CAT_BASE_REL || node->name;
    bool again = told && was_told(d, id, a, b);
    uint32_t first = d->steps.len;
    if (told) {
        struct step step = {a, b, id, depth, false};
        vec_push(d->arena, &d->steps, step);
    }
    if (!again && d->nesting < NESTING_LIMIT && d->work < WORK_LIMIT) {
        d->work++;
        d->nesting++;
        take_apart(d, id, a, b, depth + told);
        d->nesting--;
    }
    drop_conditions(d, first);
}

uint32_t theory_derivation(struct theory *theory, struct arena *arena, cat_id node, event_id a,
                           event_id b, struct step **steps)
{
    struct derivation d = {.theory = theory, .arena = arena};
    derive(&d, node, a, b, 0);
    *steps = d.steps.at;
    return d.steps.len;
}

/* ---- relations that should be empty ----------------------------------------------------------- */

/* "[W]; r; [W]" relates as r does. */
static cat_id without_conditions(const struct derivation *d, cat_id id)
{
    const struct cat_node *nodes = d->theory->model->nodes;
    while (nodes[id].op == CAT_COMPOSE && !nodes[id].name) {
        if (nodes[nodes[id].a].op == CAT_IDENTITY)
            id = nodes[id].b;
        else if (nodes[nodes[id].b].op == CAT_IDENTITY)
            id = nodes[id].a;
        else
            break;
    }
    return id;
}

/* The edge is not there; when the one back is, that is why. What no execution changes, as that two events are
 * not one, is not worth telling. */
static void derive_absent(struct derivation *d, cat_id id, event_id a, event_id b)
{
    if (!d->theory->model->nodes[id].dynamic)
        return;
    struct step step = {a, b, id, 0, true};
    vec_push(d->arena, &d->steps, step);
    if (theory_has(theory_rel(d->theory, id), b, a))
        derive(d, id, b, a, 1);
}

/* One of the operands, told as a whole even if it has no name. */
static void derive_operand(struct derivation *d, cat_id id, event_id a, event_id b)
{
    const struct cat_node *node = &d->theory->model->nodes[id];
    if (node->op == CAT_BASE_REL || node->name) {
        derive(d, id, a, b, 0);
        return;
    }
    struct step step = {a, b, id, 0, false};
    vec_push(d->arena, &d->steps, step);
    derive(d, id, a, b, 1);
}

/* Down to what has a name; the relation of the axiom itself is taken apart even if it has one. */
static void derive_operands(struct derivation *d, cat_id id, event_id a, event_id b, bool outermost)
{
    id = without_conditions(d, id);
    const struct cat_node *node = &d->theory->model->nodes[id];
    uint32_t cost;
    if (node->name && !outermost) {
        derive(d, id, a, b, 0);
    } else if (node->op == CAT_UNION) {
        derive_operands(d, reason_operand(d->theory, id, a, b, &cost), a, b, false);
    } else if (node->op == CAT_INTERSECT) {
        derive_operands(d, node->a, a, b, false);
        derive_operands(d, node->b, a, b, false);
    } else if (node->op == CAT_DIFFERENCE) {
        derive_operands(d, node->a, a, b, false);
        derive_absent(d, node->b, a, b);
    } else if (node->op == CAT_COMPLEMENT) {
        derive_absent(d, node->a, a, b);
    } else if (node->op == CAT_INVERSE) {
        derive_operand(d, node->a, b, a);
    } else {
        derive_operand(d, id, a, b);
    }
}

uint32_t theory_conflict(struct theory *theory, struct arena *arena, cat_id node, event_id a,
                         event_id b, struct step **steps)
{
    struct derivation d = {.theory = theory, .arena = arena};
    derive_operands(&d, node, a, b, true);
    *steps = d.steps.at;
    return d.steps.len;
}
