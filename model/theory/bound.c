/* SPDX-License-Identifier: MIT */
#include "model/relation/bound.h"
#include "model/theory/state.h"

/* A model over intervals: for each node a lower and an upper bound of its value in all executions
 * that agree with what is known. What is subtracted swaps them. */
struct intervals {
    const struct theory *theory;
    const struct knowledge *knowledge;
    struct value *lower, *upper;
    struct value spare; /* scratch of both forms */
    struct rel *inner;  /* scratch: a relation whose targets are certain to execute */
};

static struct value in_form(struct value value, const struct cat_node *node)
{
    return (struct value){node->is_set ? NULL : value.rel, node->is_set ? value.set : NULL};
}

/* A path through an event is there for certain only when the event is. */
static void through_certain(const struct intervals *v, struct rel *to, const struct rel *from)
{
    const struct set *certain = v->knowledge->certain;
    for (uint32_t x = 0; x < to->n; x++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, x)[w] = rel_row(from, x)[w] & certain->bits[w];
}

static void only_from_certain(const struct intervals *v, struct rel *to, const struct rel *from)
{
    for (uint32_t x = 0; x < to->n; x++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, x)[w] = set_has(v->knowledge->certain, x) ? rel_row(from, x)[w] : 0;
}

static void lower_closure(struct intervals *v, const struct cat_node *node, struct value to,
                          struct value a)
{
    struct cat_node plus = *node;
    plus.op = CAT_OPTION;
    through_certain(v, v->inner, a.rel);
    rel_closure(v->inner, v->inner);
    rel_compose(to.rel, v->inner, a.rel);
    rel_union(to.rel, to.rel, a.rel);
    if (node->op != CAT_STAR)
        return;
    rel_copy(v->inner, to.rel);
    value_apply(&plus, to, (struct value){v->inner, NULL}, (struct value){0},
                v->knowledge->possible);
}

static void lower(struct intervals *v, const struct cat_node *node, struct value to, cat_id a,
                  cat_id b)
{
    struct value x = v->lower[a], y = v->lower[b];
    switch (node->op) {
    case CAT_DIFFERENCE:
        y = v->upper[b];
        break;
    case CAT_COMPLEMENT:
        x = v->upper[a];
        break;
    case CAT_COMPOSE:
    case CAT_DOMAIN:
        through_certain(v, v->inner, x.rel);
        x.rel = v->inner;
        break;
    case CAT_RANGE:
        only_from_certain(v, v->inner, x.rel);
        x.rel = v->inner;
        break;
    case CAT_PLUS:
    case CAT_STAR:
        lower_closure(v, node, to, x);
        return;
    case CAT_BASE_SET: /* more of what they are made of makes them larger, pair by pair */
    case CAT_BASE_REL:
    case CAT_EMPTY:
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_INVERSE:
    case CAT_OPTION:
    case CAT_IDENTITY:
    case CAT_PRODUCT:
    case CAT_REC:
        break;
    }
    value_apply(node, to, x, y, v->knowledge->possible);
}

static void upper(const struct intervals *v, const struct cat_node *node, struct value to, cat_id a,
                  cat_id b)
{
    struct value x = node->op == CAT_COMPLEMENT ? v->lower[a] : v->upper[a];
    struct value y = node->op == CAT_DIFFERENCE ? v->lower[b] : v->upper[b];
    value_apply(node, to, x, y, v->knowledge->possible);
}

static void bound_base(struct intervals *v, cat_id id)
{
    const struct cat_node *node = &v->theory->model->nodes[id];
    if (node->is_set)
        knowledge_set(v->knowledge, (enum base)node->base, v->lower[id].set, v->upper[id].set);
    else
        knowledge_rel(v->knowledge, (enum base)node->base, v->lower[id].rel, v->upper[id].rel);
}

static bool grow(struct value now, struct value spare)
{
    value_union(spare, now);
    if (value_equal(spare, now))
        return false;
    value_copy(now, spare);
    return true;
}

static bool bound_node(struct intervals *v, cat_id id)
{
    const struct cat_node *node = &v->theory->model->nodes[id];
    cat_id kids[2] = {0, 0};
    if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL) {
        bound_base(v, id);
        return false;
    }
    if (!node_kids(node, kids))
        return false;
    struct value spare = in_form(v->spare, node);
    if (node->op == CAT_REC)
        value_copy(spare, v->lower[node->a]);
    else
        lower(v, node, spare, kids[0], kids[1]);
    bool grew = grow(v->lower[id], spare);
    if (node->op == CAT_REC)
        value_copy(spare, v->upper[node->a]);
    else
        upper(v, node, spare, kids[0], kids[1]);
    return grow(v->upper[id], spare) || grew;
}

static struct intervals bound(struct arena *arena, const struct theory *theory,
                              const struct fact_list *facts)
{
    uint32_t count = theory->model->node_count;
    struct intervals v = {.theory = theory};
    v.knowledge = knowledge_new(arena, theory->bases, facts);
    v.lower = ARENA_ARRAY(arena, struct value, count);
    v.upper = ARENA_ARRAY(arena, struct value, count);
    v.spare = (struct value){rel_new(arena, theory->n), set_new(arena, theory->n)};
    v.inner = rel_new(arena, theory->n);
    for (cat_id id = 0; id < count; id++) {
        v.lower[id] = value_new(arena, &theory->model->nodes[id], theory->n);
        v.upper[id] = value_new(arena, &theory->model->nodes[id], theory->n);
    }
    for (uint32_t i = 0; i < theory->component_count; i++) {
        const struct component *component = &theory->components[i];
        bool grew = true;
        while (grew) {
            grew = false;
            for (uint32_t k = 0; k < component->count; k++)
                grew |= bound_node(&v, theory->order[component->first + k]);
            grew &= component->recursive;
        }
    }
    return v;
}

void theory_bound(struct theory *theory)
{
    struct intervals v = bound(theory->arena, theory, NULL);
    theory->may = v.upper;
    theory->must = v.lower;
}

void theory_bounds(struct theory *theory, cat_id node, struct rel *may, struct rel *must)
{
    rel_copy(may, theory->may[node].rel);
    rel_copy(must, theory->must[node].rel);
}

static bool has_diagonal(const struct rel *r)
{
    for (uint32_t x = 0; x < r->n; x++)
        if (rel_has(r, x, x))
            return true;
    return false;
}

static bool is_empty(struct value value)
{
    if (value.rel)
        return rel_is_empty(value.rel);
    for (uint32_t w = 0; w < value.set->words; w++)
        if (value.set->bits[w])
            return false;
    return true;
}

/* Do all relations from 'least' up break the check, at the place that the violation names? */
static bool breaks(const struct violation *violation, enum cat_check check, struct value least,
                   const struct set *certain)
{
    for (uint32_t i = 0; i < violation->cycle_length; i++)
        if (!set_has(certain, violation->cycle[i]))
            return false;
    if (check == CAT_IS_EMPTY)
        return least.rel ? rel_has(least.rel, violation->cycle[0], violation->cycle[1])
                         : set_has(least.set, violation->cycle[0]);
    if (check == CAT_IRREFLEXIVE)
        return rel_has(least.rel, violation->cycle[0], violation->cycle[0]);
    for (uint32_t i = 0; i < violation->cycle_length; i++)
        if (!rel_has(least.rel, violation->cycle[i],
                     violation->cycle[(i + 1) % violation->cycle_length]))
            return false;
    return violation->cycle_length > 0;
}

/* Do all relations up to 'most' break the negated check? */
static bool breaks_negated(struct arena *arena, enum cat_check check, struct value most)
{
    if (check == CAT_IS_EMPTY)
        return is_empty(most);
    if (check == CAT_IRREFLEXIVE)
        return !has_diagonal(most.rel);
    struct rel *closure = rel_new(arena, most.rel->n);
    rel_closure(closure, most.rel);
    return !has_diagonal(closure);
}

bool theory_confirms(struct theory *theory, const struct violation *violation)
{
    const struct cat_axiom *axiom = &theory->model->axioms[violation->axiom];
    struct arena *scratch = arena_scratch(theory->arena);
    struct intervals v = bound(scratch, theory, &violation->facts);
    bool result = axiom->negated
                      ? breaks_negated(scratch, axiom->check, v.upper[axiom->node])
                      : breaks(violation, axiom->check, v.lower[axiom->node], v.knowledge->certain);
    arena_free(scratch);
    return result;
}
