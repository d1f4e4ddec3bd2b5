/* SPDX-License-Identifier: MIT */
#include "model/theory/exclude.h"

#include "model/theory/state.h"

/* The bounds say what a relation has in every execution. An axiom that one more pair in one of its parts would break
 * excludes the pair there: from the axiom down, each part gets the pairs that must not be in it ('bad'), and those
 * that must not be missing ('due'). What this says of reads-from and coherence are facts. A pair counts only for
 * executions in which both of its events execute; what lies between must execute in all. */

struct excluding {
    struct theory *theory;
    struct arena *arena, *scratch; /* arena: of what is found */
    struct rel **bad, **due;       /* a node; NULL: none */
    struct rel *one, *two, *three, *spare;
    struct rel *total; /* must not be missing from coherence and its inverse together */
    bool total_only;
};

static bool is_relation(const struct excluding *x, cat_id id)
{
    return !x->theory->model->nodes[id].is_set;
}

/* The part must (not) have the pairs. */
static void note(struct excluding *x, struct rel **of, cat_id id, const struct rel *pairs)
{
    if (!is_relation(x, id) || rel_is_empty(pairs))
        return;
    if (!of[id])
        of[id] = rel_new(x->scratch, x->theory->n);
    rel_union(of[id], of[id], pairs);
}

static void only_to_certain(const struct excluding *x, struct rel *to, const struct rel *from)
{
    const struct rel *certain = x->theory->bases->certain;
    for (uint32_t e = 0; e < to->n; e++)
        for (uint32_t w = 0; w < to->words; w++)
            rel_row(to, e)[w] = rel_row(from, e)[w] & certain->bits[w];
}

/* ---- compositions --------------------------------------------------------------------------- */

/* 'to' of a, b: some c with 'bad' of a, c and 'then' of b, c, where c executes with a and b. */
static void before(struct excluding *x, struct rel *to, const struct rel *bad,
                   const struct rel *then)
{
    only_to_certain(x, x->spare, then);
    rel_inverse(to, x->spare);
    rel_compose(x->spare, bad, to);
    rel_copy(to, x->spare);
    for (uint32_t a = 0; a < to->n; a++)
        for (uint32_t b = 0; b < to->n; b++)
            if ((rel_has(bad, a, a) && rel_has(then, b, a)) ||
                (rel_has(bad, a, b) && rel_has(then, b, b)))
                rel_add(to, a, b);
}

/* 'first; then' must not have the pairs. */
static void compose(struct excluding *x, const struct rel *bad, cat_id first, cat_id then)
{
    struct rel *must_first = x->theory->must[first], *must_then = x->theory->must[then];
    if (is_relation(x, first)) {
        before(x, x->one, bad, must_then);
        note(x, x->bad, first, x->one);
    }
    rel_inverse(x->one, must_first);
    rel_inverse(x->two, bad);
    before(x, x->three, x->two, x->one);
    rel_inverse(x->one, x->three);
    note(x, x->bad, then, x->one);
}

/* A step of a path that must not lead from the one to the other. */
static void step(struct excluding *x, const struct rel *bad, cat_id node, cat_id of)
{
    struct rel *path = x->theory->must[node], *grown = x->three;
    note(x, x->bad, of, bad);
    before(x, grown, bad, path);
    rel_union(grown, grown, bad);
    rel_inverse(x->one, path);
    rel_inverse(x->two, grown);
    before(x, grown, x->two, x->one);
    rel_inverse(x->one, grown);
    note(x, x->bad, of, x->one);
}

/* ---- one node ------------------------------------------------------------------------------- */

static void down_bad(struct excluding *x, cat_id id)
{
    const struct cat_node *node = &x->theory->model->nodes[id];
    const struct rel *bad = x->bad[id];
    switch (node->op) {
    case CAT_UNION:
        note(x, x->bad, node->a, bad);
        note(x, x->bad, node->b, bad);
        return;
    case CAT_INTERSECT:
        rel_intersect(x->one, bad, x->theory->must[node->b]);
        note(x, x->bad, node->a, x->one);
        rel_intersect(x->one, bad, x->theory->must[node->a]);
        note(x, x->bad, node->b, x->one);
        return;
    case CAT_DIFFERENCE:
        rel_difference(x->one, bad, x->theory->may[node->b]);
        note(x, x->bad, node->a, x->one);
        rel_intersect(x->one, bad, x->theory->must[node->a]);
        note(x, x->due, node->b, x->one);
        return;
    case CAT_COMPLEMENT:
        note(x, x->due, node->a, bad);
        return;
    case CAT_INVERSE:
        rel_inverse(x->one, bad);
        note(x, x->bad, node->a, x->one);
        return;
    case CAT_COMPOSE:
        if (!x->total_only)
            compose(x, bad, node->a, node->b);
        return;
    case CAT_PLUS:
    case CAT_STAR:
        if (!x->total_only)
            step(x, bad, id, node->a);
        return;
    case CAT_OPTION:
    case CAT_REC:
        note(x, x->bad, node->a, bad);
        return;
    case CAT_BASE_SET:
    case CAT_BASE_REL:
    case CAT_EMPTY:
    case CAT_IDENTITY:
    case CAT_PRODUCT:
    case CAT_DOMAIN:
    case CAT_RANGE:
        return;
    }
}

static bool is_co(const struct cat_node *node)
{
    return node->op == CAT_BASE_REL && node->base == BASE_co;
}

/* co | co^-1, in this order or the other. */
static bool is_co_either_way(const struct cat_model *model, const struct cat_node *node)
{
    const struct cat_node *a = &model->nodes[node->a], *b = &model->nodes[node->b];
    const struct cat_node *co = is_co(a) ? a : b, *inverse = is_co(a) ? b : a;
    return is_co(co) && inverse->op == CAT_INVERSE && is_co(&model->nodes[inverse->a]);
}

static void down_due(struct excluding *x, cat_id id)
{
    const struct cat_node *node = &x->theory->model->nodes[id];
    if (node->op == CAT_UNION) {
        if (is_co_either_way(x->theory->model, node))
            rel_union(x->total, x->total, x->due[id]);
        rel_difference(x->one, x->due[id], x->theory->may[node->b]);
        note(x, x->due, node->a, x->one);
        rel_difference(x->one, x->due[id], x->theory->may[node->a]);
        note(x, x->due, node->b, x->one);
    } else if (node->op == CAT_INVERSE) {
        rel_inverse(x->one, x->due[id]);
        note(x, x->due, node->a, x->one);
    }
}

/* ---- axioms --------------------------------------------------------------------------------- */

static void of_axiom(struct excluding *x, const struct cat_axiom *axiom)
{
    struct theory *theory = x->theory;
    struct rel *bad = rel_new(x->scratch, theory->n);
    if (axiom->flag || axiom->negated)
        return;
    for (uint32_t a = 0; a < theory->n; a++)
        rel_add(bad, a, a);
    if (axiom->check == CAT_ACYCLIC) {
        only_to_certain(x, x->one, theory->must[axiom->node]);
        rel_closure(x->one, x->one);
        rel_compose(x->two, x->one, theory->must[axiom->node]);
        rel_union(x->two, x->two, theory->must[axiom->node]);
        rel_inverse(x->one, x->two);
        rel_union(bad, bad, x->one);
    } else if (axiom->check == CAT_IS_EMPTY) {
        rel_product(bad, theory->bases->live, theory->bases->live);
    }
    note(x, x->bad, axiom->node, bad);
}

/* ---- choices -------------------------------------------------------------------------------- */

static bool is_fixed(const struct bases *bases, event_id e)
{
    return !bases->address_open[e] && bases->count[e];
}

/* Every byte of the one is touched by the other. */
static bool covers(const struct bases *bases, event_id e, event_id of)
{
    return is_fixed(bases, e) && is_fixed(bases, of) && bases->first[e] <= bases->first[of] &&
           bases->first[e] + bases->count[e] >= bases->first[of] + bases->count[of];
}

/* A write that comes after 'w' for certain, in all bytes of 'of'; 'bad' (or NULL): and that the read 'of' must not
 * come before. */
static bool is_hidden(const struct excluding *x, const struct rel *due, const struct rel *bad,
                      event_id w, event_id of)
{
    const struct bases *bases = x->theory->bases;
    const struct event *events = x->theory->graph->events;
    for (event_id later = 0; later < x->theory->n; later++)
        if (later != w && (!bad || rel_has(bad, of, later)) && set_has(bases->certain, later) &&
            events[later].kind == EVENT_WRITE && covers(bases, later, of) &&
            (events[w].kind == EVENT_INIT || (due && rel_has(due, w, later))))
            return true;
    return false;
}

static void of_reads(struct excluding *x, struct exclusion *to, const struct rel *rf,
                     const struct rel *fr, const struct rel *co)
{
    const struct event *events = x->theory->graph->events;
    uint32_t n = x->theory->n;
    to->origin = ARENA_ARRAY(x->arena, bool *, n);
    for (event_id r = 0; r < n; r++) {
        if (events[r].kind != EVENT_READ)
            continue;
        to->origin[r] = ARENA_ARRAY(x->arena, bool, n);
        for (event_id w = 0; w < n; w++)
            to->origin[r][w] = event_is_write(&events[w]) &&
                               ((rf && rel_has(rf, w, r)) || (fr && is_hidden(x, co, fr, w, r)));
    }
}

static void of_writes(struct excluding *x, struct exclusion *to, const struct rel *bad,
                      const struct rel *due)
{
    const struct event *events = x->theory->graph->events;
    to->overwritten = ARENA_ARRAY(x->arena, bool, x->theory->n);
    for (event_id a = 0; a < x->theory->n; a++) {
        to->overwritten[a] = event_is_write(&events[a]) && is_hidden(x, due, NULL, a, a);
        for (event_id b = 0; b < x->theory->n; b++)
            if (a != b && ((bad && rel_has(bad, a, b)) || (due && rel_has(due, b, a))) &&
                events[a].kind == EVENT_WRITE && events[b].kind == EVENT_WRITE) {
                struct fact fact = {.kind = FACT_CO, .a = a, .b = b};
                vec_push(x->arena, &to->co.items, fact);
            }
    }
}

static cat_id base_node(const struct cat_model *model, enum base base)
{
    cat_id id = 0;
    while (id < model->node_count &&
           (model->nodes[id].op != CAT_BASE_REL || model->nodes[id].base != base))
        id++;
    return id;
}

static const struct rel *pairs_of(const struct excluding *x, struct rel **of, enum base base)
{
    cat_id id = base_node(x->theory->model, base);
    return id == x->theory->model->node_count ? NULL : of[id];
}

struct exclusion theory_exclude(struct theory *theory, struct arena *arena, bool total_only)
{
    uint32_t nodes = theory->model->node_count;
    struct exclusion to = {.total = rel_new(arena, theory->n)};
    struct arena *scratch = arena_scratch(arena);
    struct excluding x = {.theory = theory,
                          .arena = arena,
                          .scratch = scratch,
                          .total = to.total,
                          .total_only = total_only};
    x.bad = ARENA_ARRAY(scratch, struct rel *, nodes);
    x.due = ARENA_ARRAY(scratch, struct rel *, nodes);
    x.one = rel_new(scratch, theory->n);
    x.two = rel_new(scratch, theory->n);
    x.three = rel_new(scratch, theory->n);
    x.spare = rel_new(scratch, theory->n);
    for (uint32_t i = 0; i < theory->model->axiom_count; i++)
        of_axiom(&x, &theory->model->axioms[i]);
    for (uint32_t i = nodes; i-- > 0;) {
        cat_id id = theory->order[i];
        if (x.bad[id])
            down_bad(&x, id);
        if (x.due[id])
            down_due(&x, id);
    }
    const struct rel *due = pairs_of(&x, x.due, BASE_co);
    if (!total_only) {
        of_writes(&x, &to, pairs_of(&x, x.bad, BASE_co), due);
        of_reads(&x, &to, pairs_of(&x, x.bad, BASE_rf), pairs_of(&x, x.bad, BASE_fr), due);
    }
    arena_free(scratch);
    return to;
}
