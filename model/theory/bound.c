/* SPDX-License-Identifier: MIT */
#include "model/theory/bound.h"

/* A path through an event is there for certain only when the event is. */
static void through_certain(const struct bounds *v, struct rel *to, const struct rel *from)
{
    const struct rel *certain = v->certain;
    for (uint32_t x = 0; x < to->n; x++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, x)[w] = rel_row(from, x)[w] & certain->bits[w];
}

static void only_from_certain(const struct bounds *v, struct rel *to, const struct rel *from)
{
    for (uint32_t x = 0; x < to->n; x++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, x)[w] = set_has(v->certain, x) ? rel_row(from, x)[w] : 0;
}

/* A path counts only through events that certainly execute. */
static void lower_closure(struct bounds *v, const struct cat_node *node, struct rel *to,
                          const struct rel *a)
{
    struct cat_node plus = *node;
    plus.op = CAT_OPTION;
    through_certain(v, v->inner, a);
    rel_closure(v->inner, v->inner);
    rel_compose(to, v->inner, a);
    rel_union(to, to, a);
    if (node->op != CAT_STAR)
        return;
    rel_copy(v->inner, to);
    theory_apply(&plus, to, v->inner, NULL, v->possible);
}

/* Pairs that the relation has in every execution. What is taken away counts with all that it may
 * have. */
static void lower(struct bounds *v, const struct cat_node *node, struct rel *to, cat_id a, cat_id b)
{
    const struct rel *x = v->lower[a], *y = v->lower[b];
    switch (node->op) {
    case CAT_DIFFERENCE:
        y = v->upper[b];
        break;
    case CAT_COMPLEMENT:
        x = v->upper[a];
        break;
    case CAT_COMPOSE:
    case CAT_DOMAIN:
        through_certain(v, v->inner, x);
        x = v->inner;
        break;
    case CAT_RANGE:
        only_from_certain(v, v->inner, x);
        x = v->inner;
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
    theory_apply(node, to, x, y, v->possible);
}

static void upper(const struct bounds *v, const struct cat_node *node, struct rel *to, cat_id a,
                  cat_id b)
{
    const struct rel *x = node->op == CAT_COMPLEMENT ? v->lower[a] : v->upper[a];
    const struct rel *y = node->op == CAT_DIFFERENCE ? v->lower[b] : v->upper[b];
    theory_apply(node, to, x, y, v->possible);
}

static bool grow(struct rel *now, struct rel *spare)
{
    rel_union(spare, spare, now);
    if (rel_equal(spare, now))
        return false;
    rel_copy(now, spare);
    return true;
}

/* True: a bound of the relation became larger. */
static bool bound_node(struct bounds *v, cat_id id)
{
    const struct cat_node *node = &v->theory->model->nodes[id];
    cat_id kids[2] = {0, 0};
    if (!cat_node_kids(node, kids))
        return false;
    struct rel *spare = v->spare[node->is_set];
    lower(v, node, spare, kids[0], kids[1]);
    bool grew = grow(v->lower[id], spare);
    upper(v, node, spare, kids[0], kids[1]);
    return grow(v->upper[id], spare) || grew;
}

struct bounds bounds_new(struct arena *arena, const struct theory *theory)
{
    uint32_t count = theory->model->node_count;
    struct bounds v = {.theory = theory};
    v.lower = ARENA_ARRAY(arena, struct rel *, count);
    v.upper = ARENA_ARRAY(arena, struct rel *, count);
    v.spare[false] = rel_new(arena, theory->n);
    v.spare[true] = set_new(arena, theory->n);
    v.inner = rel_new(arena, theory->n);
    for (cat_id id = 0; id < count; id++) {
        v.lower[id] = theory_value_new(arena, &theory->model->nodes[id], theory->n);
        v.upper[id] = theory_value_new(arena, &theory->model->nodes[id], theory->n);
    }
    return v;
}

void bounds_derive(struct bounds *v)
{
    for (uint32_t i = 0; i < v->theory->component_count; i++) {
        const struct component *component = &v->theory->components[i];
        bool grew = true;
        while (grew) {
            grew = false;
            for (uint32_t k = 0; k < component->count; k++)
                grew |= bound_node(v, v->theory->order[component->first + k]);
            grew &= component->recursive;
        }
    }
}

void theory_bound(struct theory *theory)
{
    const struct bases *bases = theory->bases;
    struct bounds v = bounds_new(theory->arena, theory);
    v.possible = bases->live;
    v.certain = bases->certain;
    for (cat_id id = 0; id < theory->model->node_count; id++) {
        const struct cat_node *node = &theory->model->nodes[id];
        if (node->op != CAT_BASE_SET && node->op != CAT_BASE_REL)
            continue;
        rel_copy(v.upper[id], bases->may[node->base]);
        rel_copy(v.lower[id], bases->may[node->base]);
        if (!node->is_set)
            base_must(bases, (enum base)node->base, v.lower[id]);
    }
    bounds_derive(&v);
    theory->may = v.upper;
    theory->must = v.lower;
}

void theory_bounds(struct theory *theory, cat_id node, struct rel *may, struct rel *must)
{
    rel_copy(may, theory->may[node]);
    rel_copy(must, theory->must[node]);
}
