/* SPDX-License-Identifier: MIT */
#include "model/theory/state.h"
#include "model/execution/promises.h"

/* Evaluates the nodes of a model in an execution, operands before users; let rec groups are
 * iterated. */

struct rel *theory_value_new(struct arena *arena, const struct cat_node *node, uint32_t n)
{
    return node->is_set && node->op != CAT_EMPTY ? set_new(arena, n) : rel_new(arena, n);
}

static void apply_complement(const struct cat_node *node, struct rel *to, const struct rel *a,
                             const struct rel *universe)
{
    for (uint32_t x = 0; x < to->rows; x++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, x)[w] =
                node->is_set || set_has(universe, x) ? universe->bits[w] & ~rel_row(a, x)[w] : 0;
}

static void add_identity(struct rel *to, const struct rel *universe)
{
    for (uint32_t x = 0; x < to->n; x++)
        if (set_has(universe, x))
            rel_add(to, x, x);
}

static void apply_domain(struct rel *to, const struct rel *r)
{
    rel_clear(to);
    for (uint32_t x = 0; x < r->n; x++)
        for (uint32_t w = 0; w < r->words; w++)
            if (rel_row(r, x)[w]) {
                set_add(to, x);
                break;
            }
}

static void apply_range(struct rel *to, const struct rel *r)
{
    rel_clear(to);
    for (uint32_t x = 0; x < r->n; x++)
        for (uint32_t w = 0; w < r->words; w++)
            to->bits[w] |= rel_row(r, x)[w];
}

void theory_apply(const struct cat_node *node, struct rel *to, const struct rel *a,
                  const struct rel *b, const struct rel *universe)
{
    switch (node->op) {
    case CAT_UNION:
        rel_union(to, a, b);
        break;
    case CAT_INTERSECT:
        rel_intersect(to, a, b);
        break;
    case CAT_DIFFERENCE:
        rel_difference(to, a, b);
        break;
    case CAT_COMPLEMENT:
        apply_complement(node, to, a, universe);
        break;
    case CAT_COMPOSE:
        rel_compose(to, a, b);
        break;
    case CAT_INVERSE:
        rel_inverse(to, a);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        rel_closure(to, a);
        if (node->op == CAT_STAR)
            add_identity(to, universe);
        break;
    case CAT_OPTION:
        rel_copy(to, a);
        add_identity(to, universe);
        break;
    case CAT_IDENTITY:
        rel_identity(to, a);
        break;
    case CAT_PRODUCT:
        rel_product(to, a, b);
        break;
    case CAT_DOMAIN:
        apply_domain(to, a);
        break;
    case CAT_RANGE:
        apply_range(to, a);
        break;
    case CAT_REC:
        rel_copy(to, a);
        break;
    case CAT_EMPTY:
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        break; /* not operations */
    }
}

/* The scratch value in the form of the node. */
static struct rel **spare_for(struct theory *theory, cat_id node)
{
    return &theory->spare[theory->model->nodes[node].is_set];
}

/* Makes the scratch value that of the node; false when it is that already. */
static bool adopt_spare(struct theory *theory, cat_id node)
{
    struct rel **spare = spare_for(theory, node), *old = theory->now[node];
    if (theory->evaluation > 1 && rel_equal(old, *spare))
        return false;
    theory->now[node] = *spare;
    *spare = old;
    return true;
}

static void evaluate_base(struct theory *theory, cat_id id, bool universe_changed)
{
    const struct cat_node *node = &theory->model->nodes[id];
    enum base base = (enum base)node->base;
    if (theory->bases->settled[base] && !universe_changed)
        return;
    (node->is_set ? base_set : base_rel)(theory->bases, base, *spare_for(theory, id));
    theory->changed[id] = adopt_spare(theory, id);
}

static bool asks_universe(enum cat_op op)
{
    return op == CAT_COMPLEMENT || op == CAT_STAR || op == CAT_OPTION;
}

/* Computes the relation again where something that it depends on changed since the last
 * execution. */
static void evaluate_node(struct theory *theory, cat_id id, bool universe_changed)
{
    const struct cat_node *node = &theory->model->nodes[id];
    if (node->op == CAT_EMPTY)
        return;
    if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL) {
        evaluate_base(theory, id, universe_changed);
        return;
    }
    cat_id kids[2] = {0, 0};
    uint32_t count = cat_node_kids(node, kids);
    bool stale = theory->evaluation == 1 || (universe_changed && asks_universe(node->op));
    for (uint32_t i = 0; i < count; i++)
        stale |= theory->changed[kids[i]];
    if (!stale)
        return;
    theory_apply(node, *spare_for(theory, id), theory->now[kids[0]], theory->now[kids[1]],
                 theory->universe);
    theory->changed[id] = adopt_spare(theory, id);
}

static bool component_is_stale(const struct theory *theory, const struct component *component,
                               bool universe_changed)
{
    for (uint32_t i = 0; i < component->count; i++) {
        const struct cat_node *node = &theory->model->nodes[theory->order[component->first + i]];
        cat_id kids[2];
        uint32_t count = cat_node_kids(node, kids);
        for (uint32_t k = 0; k < count; k++)
            if (theory->changed[kids[k]])
                return true;
        if (universe_changed && asks_universe(node->op))
            return true;
    }
    return theory->evaluation == 1;
}

/* What the next round gives a node of a recursive component; valid until the next call. */
static const struct rel *step(struct theory *theory, cat_id id)
{
    const struct cat_node *node = &theory->model->nodes[id];
    struct rel *to = *spare_for(theory, id);
    cat_id kids[2] = {0, 0};
    cat_node_kids(node, kids);
    theory_apply(node, to, theory->now[kids[0]], theory->now[kids[1]], theory->universe);
    if (node->op == CAT_REC)
        rel_union(to, to, theory->now[id]);
    return to;
}

void theory_iterate(struct theory *theory, const struct component *component, theory_growth *note)
{
    bool grew = true;
    for (uint32_t i = 0; i < component->count; i++)
        rel_clear(theory->now[theory->order[component->first + i]]);
    for (uint32_t round = 0; grew; round++) {
        grew = false;
        for (uint32_t i = 0; i < component->count; i++) {
            cat_id id = theory->order[component->first + i];
            const struct rel *next = step(theory, id);
            if (rel_equal(next, theory->now[id]))
                continue;
            if (note)
                note(theory, id, next, round);
            rel_copy(theory->now[id], next);
            grew = true;
        }
    }
}

static void evaluate_recursive(struct theory *theory, const struct component *component,
                               bool universe_changed)
{
    if (!component_is_stale(theory, component, universe_changed))
        return;
    for (uint32_t i = 0; i < component->count; i++)
        theory->changed[theory->order[component->first + i]] = true;
    theory_iterate(theory, component, NULL);
}

static bool note_universe(struct theory *theory)
{
    if (theory->evaluation > 1 && rel_equal(theory->universe, theory->bases->executed))
        return false;
    rel_copy(theory->universe, theory->bases->executed);
    return true;
}

void theory_evaluate(struct theory *theory, const struct execution *execution)
{
    execution_promises(execution);
    theory->evaluation++;
    base_look(theory->bases, execution);
    bool universe_changed = note_universe(theory);
    memset(theory->changed, 0, theory->model->node_count * sizeof *theory->changed);
    for (uint32_t i = 0; i < theory->component_count; i++) {
        const struct component *component = &theory->components[i];
        if (component->recursive)
            evaluate_recursive(theory, component, universe_changed);
        else
            evaluate_node(theory, theory->order[component->first], universe_changed);
    }
}
