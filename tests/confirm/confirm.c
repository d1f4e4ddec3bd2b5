/* SPDX-License-Identifier: MIT */
#include "tests/confirm/confirm.h"

#include "model/theory/bound.h"
#include "model/theory/reason.h"
#include "tests/confirm/knowledge.h"

static bool has_diagonal(const struct rel *r)
{
    for (uint32_t x = 0; x < r->n; x++)
        if (rel_has(r, x, x))
            return true;
    return false;
}

/* Do all relations from 'least' up break the check, at the place that the violation names? */
static bool breaks(const struct violation *violation, enum cat_check check, const struct rel *least,
                   const struct rel *certain)
{
    for (uint32_t i = 0; i < violation->cycle_length; i++)
        if (!set_has(certain, violation->cycle[i]))
            return false;
    if (check == CAT_IS_EMPTY)
        return theory_has(least, violation->cycle[0], violation->cycle[1]);
    if (check == CAT_IRREFLEXIVE)
        return rel_has(least, violation->cycle[0], violation->cycle[0]);
    for (uint32_t i = 0; i < violation->cycle_length; i++)
        if (!rel_has(least, violation->cycle[i],
                     violation->cycle[(i + 1) % violation->cycle_length]))
            return false;
    return violation->cycle_length > 0;
}

/* Do all relations up to 'most' break the negated check? */
static bool breaks_negated(struct arena *arena, enum cat_check check, const struct rel *most)
{
    if (check == CAT_IS_EMPTY)
        return rel_is_empty(most);
    if (check == CAT_IRREFLEXIVE)
        return !has_diagonal(most);
    struct rel *closure = rel_new(arena, most->n);
    rel_closure(closure, most);
    return !has_diagonal(closure);
}

static struct bounds bound(struct arena *arena, const struct theory *theory,
                           const struct knowledge *knowledge)
{
    struct bounds v = bounds_new(arena, theory);
    v.possible = knowledge->possible;
    v.certain = knowledge->certain;
    for (cat_id id = 0; id < theory->model->node_count; id++) {
        const struct cat_node *node = &theory->model->nodes[id];
        if (node->op == CAT_BASE_SET)
            knowledge_set(knowledge, (enum base)node->base, v.lower[id], v.upper[id]);
        else if (node->op == CAT_BASE_REL)
            knowledge_rel(knowledge, (enum base)node->base, v.lower[id], v.upper[id]);
    }
    bounds_derive(&v);
    return v;
}

bool confirm_violation(struct theory *theory, const struct violation *violation)
{
    const struct cat_axiom *axiom = &theory->model->axioms[violation->axiom];
    struct arena *scratch = arena_scratch(theory->arena);
    struct knowledge *knowledge = knowledge_new(scratch, theory->bases, &violation->facts);
    struct bounds v = bound(scratch, theory, knowledge);
    bool result = axiom->negated ? breaks_negated(scratch, axiom->check, v.upper[axiom->node])
                                 : breaks(violation, axiom->check, v.lower[axiom->node], v.certain);
    arena_free(scratch);
    return result;
}
