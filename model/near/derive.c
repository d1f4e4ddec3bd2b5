/* SPDX-License-Identifier: MIT */
#include "model/near/state.h"

/* Goes the cheapest way down again and collects what it lacks. Every edge costs something, so a way
 * comes to an end; a text made to be deep is told in part. */
struct way {
    const struct nearness *near;
    struct lack_list *lacks;
    uint32_t nesting, work;
};

enum { NESTING_MOST = 500, WORK_MOST = 20000 };

static void descend(struct way *way, cat_id id, event_id a, event_id b);

static void add_once(struct way *way, struct lack lack)
{
    event_id a = lack.a, b = lack.b;
    for (uint32_t i = 0; i < way->lacks->items.len; i++) {
        const struct lack *told = &way->lacks->items.at[i];
        bool same = told->a == a && told->b == b, turned = told->a == b && told->b == a;
        if (told->kind == lack.kind && (same || turned))
            return;
    }
    vec_push(way->near->arena, &way->lacks->items, lack);
}

static void add_lack(struct way *way, cat_id id, event_id a, event_id b)
{
    struct lack lack = {.a = a, .b = b};
    struct po_edge edge = {a, b};
    if (leaf_is_order(way->near, id))
        vec_push(way->near->arena, &way->lacks->po, edge);
    if (leaf_cost(way->near, id, a, b, &lack.kind) >= COST_LACK)
        add_once(way, lack);
}

/* Of a set: the event that has to be in it no more. */
static void add_excess(struct way *way, cat_id id, event_id a)
{
    struct lack lack = {.a = a, .b = a};
    const struct rel *there = theory_rel(way->near->theory, id);
    if (way->near->model->nodes[id].is_set && rel_has(there, 0, a) &&
        leaf_excess(way->near, id, a, &lack.kind) < COST_NEVER)
        add_once(way, lack);
}

/* The event between, at which 'left' and 'right' together cost 'cost'. */
static event_id midpoint(const struct way *way, cat_id left, cat_id right, event_id a, event_id b,
                         uint32_t cost)
{
    event_id m = 0;
    while (m + 1 < way->near->n &&
           cost_sum(cost_of(way->near, left, a, m), cost_of(way->near, right, m, b)) != cost)
        m++;
    return m;
}

static void descend_path(struct way *way, cat_id id, event_id a, event_id b)
{
    cat_id step = way->near->model->nodes[id].a;
    uint32_t cost = cost_of(way->near, id, a, b);
    if (cost_of(way->near, step, a, b) == cost) {
        descend(way, step, a, b);
        return;
    }
    event_id m = midpoint(way, step, id, a, b, cost);
    descend(way, step, a, m);
    descend(way, id, m, b);
}

/* The event that a domain (of a range: the one that is reached) owes its cost to. */
static void descend_end(struct way *way, cat_id id, event_id x)
{
    const struct cat_node *node = &way->near->model->nodes[id];
    bool from = node->op == CAT_DOMAIN;
    for (event_id y = 0; y < way->near->n; y++)
        if (cost_of(way->near, node->a, from ? x : y, from ? y : x) ==
            cost_of(way->near, id, x, x)) {
            descend(way, node->a, from ? x : y, from ? y : x);
            return;
        }
}

static void descend_node(struct way *way, cat_id id, event_id a, event_id b)
{
    const struct nearness *near = way->near;
    const struct cat_node *node = &near->model->nodes[id];
    uint32_t cost = cost_of(near, id, a, b);
    event_id m;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        add_lack(way, id, a, b);
        break;
    case CAT_UNION:
        descend(way, cost_of(near, node->a, a, b) == cost ? node->a : node->b, a, b);
        break;
    case CAT_INTERSECT:
        descend(way, node->a, a, b);
        descend(way, node->b, a, b);
        break;
    case CAT_DIFFERENCE:
        descend(way, node->a, a, b);
        add_excess(way, node->b, a);
        break;
    case CAT_REC:
        descend(way, node->a, a, b);
        break;
    case CAT_COMPOSE:
        m = midpoint(way, node->a, node->b, a, b, cost);
        descend(way, node->a, a, m);
        descend(way, node->b, m, b);
        break;
    case CAT_INVERSE:
        descend(way, node->a, b, a);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        descend_path(way, id, a, b);
        break;
    case CAT_OPTION:
        descend(way, node->a, a, b);
        break;
    case CAT_IDENTITY:
        descend(way, node->a, a, a);
        break;
    case CAT_PRODUCT:
        descend(way, node->a, a, a);
        descend(way, node->b, b, b);
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        descend_end(way, id, a);
        break;
    case CAT_EMPTY:
    case CAT_COMPLEMENT:
        break;
    }
}

static void descend(struct way *way, cat_id id, event_id a, event_id b)
{
    uint32_t cost = cost_of(way->near, id, a, b);
    if (!cost || cost >= COST_NEVER || way->nesting >= NESTING_MOST || way->work >= WORK_MOST)
        return;
    way->work++;
    way->nesting++;
    descend_node(way, id, a, b);
    way->nesting--;
}

void derive_lacks(const struct nearness *near, cat_id node, event_id a, event_id b,
                  struct lack_list *lacks)
{
    struct way way = {.near = near, .lacks = lacks};
    descend(&way, node, a, b);
}

static bool fits(const struct nearness *near, const struct lack_list *lacks, event_id fence)
{
    const struct event *events = near->execution->graph->events;
    for (uint32_t i = 0; i < lacks->po.len; i++)
        for (uint32_t k = 0; k < lacks->po.len; k++) {
            const struct po_edge *in = &lacks->po.at[i], *out = &lacks->po.at[k];
            if (in->b == fence && out->a == fence &&
                events[in->a].position >= events[out->b].position)
                return false;
        }
    return true;
}

bool derive_fits(const struct nearness *near, const struct lack_list *lacks)
{
    for (uint32_t i = 0; i < lacks->items.len; i++) {
        const struct lack *lack = &lacks->items.at[i];
        bool first = near->execution->graph->events[lack->a].kind == EVENT_FENCE;
        if (lack->kind == LACK_FENCE_PLACE && !fits(near, lacks, first ? lack->a : lack->b))
            return false;
    }
    return true;
}
