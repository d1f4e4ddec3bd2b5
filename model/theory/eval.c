/* SPDX-License-Identifier: MIT */
#include "model/theory/state.h"
#include "model/execution/promises.h"

/* Evaluates the nodes of a model in an execution, operands before users; let rec groups are
 * iterated. */

struct theory_value theory_value_new(struct arena *arena, const struct cat_node *node, uint32_t n)
{
    bool both = node->op == CAT_EMPTY;
    return (struct theory_value){
        .rel = both || !node->is_set ? rel_new(arena, n) : NULL,
        .set = both || node->is_set ? set_new(arena, n) : NULL,
    };
}

/* The words of a value, sets and relations alike. */
static uint64_t *words_of(struct theory_value value, size_t *count)
{
    *count = value.rel ? (size_t)value.rel->n * value.rel->words : value.set->words;
    return value.rel ? value.rel->bits : value.set->bits;
}

bool theory_value_is_empty(struct theory_value value)
{
    size_t count;
    const uint64_t *bits = words_of(value, &count);
    for (size_t i = 0; i < count; i++)
        if (bits[i])
            return false;
    return true;
}

void theory_value_clear(struct theory_value value)
{
    size_t count;
    uint64_t *bits = words_of(value, &count);
    memset(bits, 0, count * sizeof *bits);
}

void theory_value_copy(struct theory_value to, struct theory_value from)
{
    if (to.rel)
        rel_copy(to.rel, from.rel);
    else
        memcpy(to.set->bits, from.set->bits, to.set->words * sizeof(uint64_t));
}

bool theory_value_equal(struct theory_value a, struct theory_value b)
{
    size_t count;
    const uint64_t *x = words_of(a, &count), *y = words_of(b, &count);
    return !memcmp(x, y, count * sizeof *x);
}

void theory_value_union(struct theory_value to, struct theory_value from)
{
    size_t count;
    uint64_t *x = words_of(to, &count);
    const uint64_t *y = to.rel ? from.rel->bits : from.set->bits;
    for (size_t i = 0; i < count; i++)
        x[i] |= y[i];
}

/* The bits of an operand of a union and the like; CAT_EMPTY has both forms. */
static const uint64_t *bits_as(struct theory_value to, struct theory_value operand)
{
    return to.rel ? operand.rel->bits : operand.set->bits;
}

static void apply_boolean(enum cat_op op, struct theory_value to, struct theory_value a,
                          struct theory_value b)
{
    size_t count;
    uint64_t *result = words_of(to, &count);
    const uint64_t *x = bits_as(to, a), *y = bits_as(to, b);
    for (size_t i = 0; i < count; i++)
        result[i] = op == CAT_UNION       ? x[i] | y[i]
                    : op == CAT_INTERSECT ? x[i] & y[i]
                                          : x[i] & ~y[i];
}

static void apply_complement(struct theory_value to, struct theory_value a,
                             const struct set *universe)
{
    uint32_t words = universe->words;
    if (!to.rel) {
        for (uint32_t w = 0; w < words; w++)
            to.set->bits[w] = universe->bits[w] & ~a.set->bits[w];
        return;
    }
    for (uint32_t x = 0; x < to.rel->n; x++)
        for (uint32_t w = 0; w < words; w++)
            rel_row(to.rel, x)[w] =
                set_has(universe, x) ? universe->bits[w] & ~rel_row(a.rel, x)[w] : 0;
}

static void add_identity(struct rel *to, const struct set *universe)
{
    for (uint32_t x = 0; x < to->n; x++)
        if (set_has(universe, x))
            rel_add(to, x, x);
}

static void apply_domain(struct set *to, const struct rel *r)
{
    memset(to->bits, 0, to->words * sizeof *to->bits);
    for (uint32_t x = 0; x < r->n; x++)
        for (uint32_t w = 0; w < r->words; w++)
            if (rel_row(r, x)[w]) {
                set_add(to, x);
                break;
            }
}

static void apply_range(struct set *to, const struct rel *r)
{
    memset(to->bits, 0, to->words * sizeof *to->bits);
    for (uint32_t x = 0; x < r->n; x++)
        for (uint32_t w = 0; w < r->words; w++)
            to->bits[w] |= rel_row(r, x)[w];
}

void theory_value_apply(const struct cat_node *node, struct theory_value to, struct theory_value a,
                        struct theory_value b, const struct set *universe)
{
    switch (node->op) {
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
        apply_boolean(node->op, to, a, b);
        break;
    case CAT_COMPLEMENT:
        apply_complement(to, a, universe);
        break;
    case CAT_COMPOSE:
        rel_compose(to.rel, a.rel, b.rel);
        break;
    case CAT_INVERSE:
        rel_inverse(to.rel, a.rel);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        rel_closure(to.rel, a.rel);
        if (node->op == CAT_STAR)
            add_identity(to.rel, universe);
        break;
    case CAT_OPTION:
        rel_copy(to.rel, a.rel);
        add_identity(to.rel, universe);
        break;
    case CAT_IDENTITY:
        rel_identity(to.rel, a.set);
        break;
    case CAT_PRODUCT:
        rel_product(to.rel, a.set, b.set);
        break;
    case CAT_DOMAIN:
        apply_domain(to.set, a.rel);
        break;
    case CAT_RANGE:
        apply_range(to.set, a.rel);
        break;
    case CAT_REC:
        theory_value_copy(to, a);
        break;
    case CAT_EMPTY:
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        break; /* not operations */
    }
}

/* The scratch value in the form of the node. */
static struct theory_value spare_for(const struct theory *theory, cat_id node)
{
    bool is_set = theory->model->nodes[node].is_set;
    return (struct theory_value){is_set ? NULL : theory->spare.rel,
                                 is_set ? theory->spare.set : NULL};
}

/* Makes the scratch value that of the node; false when it is that already. */
static bool adopt_spare(struct theory *theory, cat_id node)
{
    struct theory_value spare = spare_for(theory, node);
    if (theory->evaluation > 1 && theory_value_equal(theory->now[node], spare))
        return false;
    struct theory_value old = theory->now[node];
    theory->now[node] = spare;
    if (old.rel)
        theory->spare.rel = old.rel;
    else
        theory->spare.set = old.set;
    return true;
}

static void evaluate_base(struct theory *theory, cat_id id, bool universe_changed)
{
    const struct cat_node *node = &theory->model->nodes[id];
    enum base base = (enum base)node->base;
    if (theory->bases->settled[base] && !universe_changed)
        return;
    if (node->is_set)
        base_set(theory->bases, base, theory->spare.set);
    else
        base_rel(theory->bases, base, theory->spare.rel);
    theory->changed[id] = adopt_spare(theory, id);
}

static bool asks_universe(enum cat_op op)
{
    return op == CAT_COMPLEMENT || op == CAT_STAR || op == CAT_OPTION;
}

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
    theory_value_apply(node, spare_for(theory, id), theory->now[kids[0]], theory->now[kids[1]],
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
static struct theory_value step(struct theory *theory, cat_id id)
{
    const struct cat_node *node = &theory->model->nodes[id];
    struct theory_value to = spare_for(theory, id);
    cat_id kids[2] = {0, 0};
    cat_node_kids(node, kids);
    theory_value_apply(node, to, theory->now[kids[0]], theory->now[kids[1]], theory->universe);
    if (node->op == CAT_REC)
        theory_value_union(to, theory->now[id]);
    return to;
}

void theory_iterate(struct theory *theory, const struct component *component, theory_growth *note)
{
    bool grew = true;
    for (uint32_t i = 0; i < component->count; i++)
        theory_value_clear(theory->now[theory->order[component->first + i]]);
    for (uint32_t round = 0; grew; round++) {
        grew = false;
        for (uint32_t i = 0; i < component->count; i++) {
            cat_id id = theory->order[component->first + i];
            struct theory_value next = step(theory, id);
            if (theory_value_equal(next, theory->now[id]))
                continue;
            if (note)
                note(theory, id, next, round);
            theory_value_copy(theory->now[id], next);
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
    const struct set *executed = theory->bases->executed;
    size_t bytes = theory->words * sizeof(uint64_t);
    if (theory->evaluation > 1 && !memcmp(theory->universe->bits, executed->bits, bytes))
        return false;
    memcpy(theory->universe->bits, executed->bits, bytes);
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
