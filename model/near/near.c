/* SPDX-License-Identifier: MIT */
#include "model/near/near.h"

#include "litmus/base/sort.h"
#include "model/near/state.h"

/* The violations that are nearly there, axiom by axiom. */
struct collection {
    struct nearness near;
    VEC(struct near_miss) items;
};

static void add_miss(struct collection *c, struct near_miss miss, cat_id node, event_id a,
                     event_id b)
{
    struct lack_list lacks = {0};
    miss.cost = cost_of(&c->near, node, a, b);
    if (miss.cost < COST_LACK || miss.cost >= COST_NEVER)
        return;
    derive_lacks(&c->near, node, a, b, &lacks);
    if (!derive_fits(&c->near, &lacks))
        return;
    miss.lacks = lacks.items.at;
    miss.lack_count = lacks.items.len;
    vec_push(c->near.arena, &c->items, miss);
}

/* 'irreflexive r; s' is broken where one leads back to where an edge of the other begins: the order that is missing is
 * that of the one which is nearly there. */
static void miss_composed(struct collection *c, struct near_miss miss, cat_id there, cat_id missing)
{
    for (event_id a = 0; a < c->near.n; a++)
        for (event_id m = 0; m < c->near.n; m++)
            if (a != m && cost_of(&c->near, there, a, m) < COST_LACK) {
                miss.from = m;
                miss.to = a;
                add_miss(c, miss, missing, m, a);
            }
}

static void miss_irreflexive(struct collection *c, uint32_t axiom)
{
    cat_id id = c->near.model->axioms[axiom].node;
    const struct cat_node *node = &c->near.model->nodes[id];
    struct near_miss miss = {.axiom = axiom, .from = NONE, .to = NONE};
    if (node->op == CAT_COMPOSE) {
        miss_composed(c, miss, node->a, node->b);
        miss_composed(c, miss, node->b, node->a);
        return;
    }
    for (event_id a = 0; a < c->near.n; a++)
        add_miss(c, miss, id, a, a);
}

/* Goes the cheapest cycle through an event once: 'closed' are the paths over edges of 'node'. */
static void go_round(const struct nearness *near, cat_id node, const uint32_t *closed,
                     event_id start, struct lack_list *lacks)
{
    uint32_t n = near->n, left = closed[start * n + start];
    for (event_id a = start; left < COST_NEVER;) {
        event_id b = 0;
        while (b + 1 < n &&
               cost_sum(cost_of(near, node, a, b), b == start ? 0 : closed[b * n + start]) != left)
            b++;
        derive_lacks(near, node, a, b, lacks);
        left -= cost_of(near, node, a, b);
        a = b;
        if (a == start)
            return;
    }
}

/* A cycle is not mended by a fence, which orders but does not make two accesses observe each other. */
static bool wants_fence(const struct lack_list *lacks)
{
    for (uint32_t i = 0; i < lacks->items.len; i++) {
        enum lack_kind kind = lacks->items.at[i].kind;
        if (kind == LACK_PROXY || kind == LACK_NAME || kind == LACK_RANGE ||
            kind == LACK_FENCE_PLACE)
            return true;
    }
    return false;
}

/* The cheapest cycle through each event. */
static void miss_acyclic(struct collection *c, uint32_t axiom)
{
    struct nearness *near = &c->near;
    cat_id id = near->model->axioms[axiom].node;
    uint32_t *closed = cost_closed(near, id);
    for (event_id a = 0; a < near->n; a++) {
        struct near_miss miss = {.axiom = axiom, .from = NONE, .to = NONE};
        struct lack_list lacks = {0};
        miss.cost = closed[a * near->n + a];
        if (miss.cost < COST_LACK || miss.cost >= COST_NEVER)
            continue;
        go_round(near, id, closed, a, &lacks);
        if (wants_fence(&lacks))
            continue;
        miss.lacks = lacks.items.at;
        miss.lack_count = lacks.items.len;
        vec_push(near->arena, &c->items, miss);
    }
}

/* 'empty r \ co': only where coherence goes the other way would the pair be one too many. */
static void miss_empty(struct collection *c, uint32_t axiom)
{
    cat_id id = c->near.model->axioms[axiom].node;
    const struct cat_node *node = &c->near.model->nodes[id];
    bool without = node->op == CAT_DIFFERENCE;
    for (event_id a = 0; a < c->near.n; a++)
        for (event_id b = 0; b < c->near.n; b++) {
            struct near_miss miss = {.axiom = axiom, .from = NONE, .to = NONE};
            if (without) {
                miss.from = a;
                miss.to = b;
            }
            if (!without || rel_has(theory_rel(c->near.theory, node->b), b, a))
                add_miss(c, miss, id, a, b);
        }
}

static int by_cost(const void *x, const void *y)
{
    const struct near_miss *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    if (a->axiom != b->axiom)
        return a->axiom < b->axiom ? 1 : -1; /* causality is the last one, and tells most */
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

static bool has_lack(const struct near_miss *miss, const struct lack *lack)
{
    for (uint32_t i = 0; i < miss->lack_count; i++) {
        const struct lack *other = &miss->lacks[i];
        bool same = other->a == lack->a && other->b == lack->b;
        bool turned = other->a == lack->b && other->b == lack->a;
        if (other->kind == lack->kind && (same || turned))
            return true;
    }
    return false;
}

/* Does 'more' lack all that 'less' does? Then what mends it mends 'less' first. */
static bool lacks_all(const struct near_miss *more, const struct near_miss *less)
{
    for (uint32_t i = 0; i < less->lack_count; i++)
        if (!has_lack(more, &less->lacks[i]))
            return false;
    return true;
}

static void keep_telling(struct collection *c)
{
    uint32_t kept = 0;
    sort_array(c->items.at, c->items.len, sizeof *c->items.at, by_cost);
    for (uint32_t i = 0; i < c->items.len && kept < NEAR_MOST_MISSES; i++) {
        bool told = false;
        for (uint32_t k = 0; k < kept; k++)
            told |= lacks_all(&c->items.at[i], &c->items.at[k]);
        if (!told)
            c->items.at[kept++] = c->items.at[i];
    }
    c->items.len = kept;
}

uint32_t near_misses(struct arena *arena, const struct theory *theory,
                     const struct cat_model *model, const struct execution *execution,
                     struct near_miss **misses)
{
    struct collection c = {.near = {.arena = arena,
                                    .theory = theory,
                                    .model = model,
                                    .execution = execution,
                                    .n = execution->graph->event_count}};
    if (c.near.n > NEAR_MOST_EVENTS)
        return 0;
    cost_evaluate(&c.near);
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        const struct cat_axiom *axiom = &model->axioms[i];
        if (axiom->flag || axiom->negated)
            continue;
        if (axiom->check == CAT_IRREFLEXIVE)
            miss_irreflexive(&c, i);
        else if (axiom->check == CAT_ACYCLIC)
            miss_acyclic(&c, i);
        else
            miss_empty(&c, i);
    }
    keep_telling(&c);
    *misses = c.items.at;
    return c.items.len;
}
