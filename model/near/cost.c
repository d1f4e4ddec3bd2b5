/* SPDX-License-Identifier: MIT */
#include "model/near/state.h"

#include <glib.h>
#include <string.h>

/* Evaluates the nodes of the model with costs: a union takes the cheaper side, an intersection and a
 * composition pay for both, a closure is a cheapest path. */

static size_t cell_count(const struct nearness *near, cat_id id)
{
    return near->model->nodes[id].is_set ? near->n : (size_t)near->n * near->n;
}

static void fill_base(const struct nearness *near, cat_id id, uint32_t *to)
{
    const bool *executed = near->execution->executed;
    bool is_set = near->model->nodes[id].is_set;
    enum lack_kind kind;
    for (event_id a = 0; a < near->n; a++)
        for (event_id b = is_set ? a : 0; b < (is_set ? a + 1 : near->n); b++)
            to[is_set ? a : a * near->n + b] =
                executed[a] && executed[b] ? leaf_cost(near, id, a, b, &kind) : COST_NEVER;
}

/* What is taken away must not be there; that it is not is free, and that it would not be may cost something. */
static void fill_without(const struct nearness *near, cat_id id, uint32_t *to, const uint32_t *from,
                         cat_id away)
{
    const struct rel *there = theory_rel(near->theory, away);
    bool is_set = near->model->nodes[id].is_set;
    enum lack_kind kind;
    for (event_id a = 0; a < (is_set ? 1 : near->n); a++)
        for (event_id b = 0; b < near->n; b++) {
            uint32_t gone = !rel_has(there, a, b) ? 0
                            : is_set              ? leaf_excess(near, away, b, &kind)
                                                  : COST_NEVER;
            to[a * near->n + b] = cost_sum(gone, from ? from[a * near->n + b] : 0);
        }
}

static void fill_composed(uint32_t n, uint32_t *to, const uint32_t *left, const uint32_t *right)
{
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t m = 0; m < n; m++) {
            uint32_t first = left[a * n + m];
            for (uint32_t b = 0; first < COST_NEVER && b < n; b++)
                to[a * n + b] = MIN(to[a * n + b], cost_sum(first, right[m * n + b]));
        }
}

static void fill_closed(uint32_t n, uint32_t *to, const uint32_t *step)
{
    memcpy(to, step, (size_t)n * n * sizeof *to);
    for (uint32_t m = 0; m < n; m++)
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; to[a * n + m] < COST_NEVER && b < n; b++)
                to[a * n + b] = MIN(to[a * n + b], cost_sum(to[a * n + m], to[m * n + b]));
}

uint32_t *cost_closed(const struct nearness *near, cat_id relation)
{
    uint32_t *closed = ARENA_ARRAY(near->arena, uint32_t, cell_count(near, relation));
    fill_closed(near->n, closed, near->cost[relation]);
    return closed;
}

static void fill_reflexive(const struct nearness *near, uint32_t *to)
{
    for (event_id a = 0; a < near->n; a++)
        if (near->execution->executed[a])
            to[a * near->n + a] = 0;
}

static void fill_both(uint32_t *to, const uint32_t *a, const uint32_t *b, size_t cells, bool either)
{
    for (size_t i = 0; i < cells; i++)
        to[i] = either ? MIN(a[i], b[i]) : cost_sum(a[i], b[i]);
}

/* Relations made of sets, sets made of relations, and the inverse. */
static void fill_across(uint32_t n, enum cat_op op, uint32_t *to, const uint32_t *a,
                        const uint32_t *b)
{
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < n; y++) {
            if (op == CAT_INVERSE)
                to[x * n + y] = a[y * n + x];
            else if (op == CAT_PRODUCT)
                to[x * n + y] = cost_sum(a[x], b[y]);
            else if (op == CAT_IDENTITY && x == y)
                to[x * n + x] = a[x];
            else if (op == CAT_DOMAIN)
                to[x] = MIN(to[x], a[x * n + y]);
            else if (op == CAT_RANGE)
                to[y] = MIN(to[y], a[x * n + y]);
        }
}

static void fill(const struct nearness *near, cat_id id, uint32_t *to)
{
    const struct cat_node *node = &near->model->nodes[id];
    cat_id kids[2];
    uint32_t count = cat_node_kids(node, kids);
    const uint32_t *a = count > 0 ? near->cost[kids[0]] : NULL;
    const uint32_t *b = count > 1 ? near->cost[kids[1]] : NULL;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        fill_base(near, id, to);
        break;
    case CAT_EMPTY:
        break;
    case CAT_UNION:
    case CAT_INTERSECT:
        fill_both(to, a, b, cell_count(near, id), node->op == CAT_UNION);
        break;
    case CAT_DIFFERENCE:
        fill_without(near, id, to, a, node->b);
        break;
    case CAT_COMPLEMENT:
        fill_without(near, id, to, NULL, node->a);
        break;
    case CAT_COMPOSE:
        fill_composed(near->n, to, a, b);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        fill_closed(near->n, to, a);
        if (node->op == CAT_STAR)
            fill_reflexive(near, to);
        break;
    case CAT_OPTION:
    case CAT_REC:
        memcpy(to, a, cell_count(near, id) * sizeof *to);
        if (node->op == CAT_OPTION)
            fill_reflexive(near, to);
        break;
    case CAT_INVERSE:
    case CAT_IDENTITY:
    case CAT_PRODUCT:
    case CAT_DOMAIN:
    case CAT_RANGE:
        fill_across(near->n, node->op, to, a, b);
        break;
    }
}

/* The axioms that forbid, and what they are made of. */
static bool *used_nodes(const struct nearness *near)
{
    const struct cat_model *model = near->model;
    bool *used = ARENA_ARRAY(near->arena, bool, model->node_count);
    for (uint32_t i = 0; i < model->axiom_count; i++)
        used[model->axioms[i].node] |= !model->axioms[i].flag;
    for (bool more = true; more;) {
        more = false;
        for (cat_id id = model->node_count; id-- > 0;) {
            cat_id kids[2];
            uint32_t count = used[id] ? cat_node_kids(&model->nodes[id], kids) : 0;
            for (uint32_t k = 0; k < count; k++)
                if (!used[kids[k]])
                    more = used[kids[k]] = true;
        }
    }
    return used;
}

/* Costs only fall: a node is evaluated again while one of its operands has become cheaper. */
void cost_evaluate(struct nearness *near)
{
    const struct cat_model *model = near->model;
    bool *used = used_nodes(near), *fell = ARENA_ARRAY(near->arena, bool, model->node_count);
    uint32_t *next = ARENA_ARRAY(near->arena, uint32_t, (size_t)near->n * near->n);
    near->cost = ARENA_ARRAY(near->arena, uint32_t *, model->node_count);
    for (cat_id id = 0; id < model->node_count; id++)
        if (used[id]) {
            near->cost[id] = ARENA_ARRAY(near->arena, uint32_t, cell_count(near, id));
            for (size_t i = 0; i < cell_count(near, id); i++)
                near->cost[id][i] = COST_NEVER;
        }
    for (bool first = true, more = true; more; first = false) {
        more = false;
        for (cat_id id = 0; id < model->node_count; id++) {
            cat_id kids[2];
            uint32_t count = used[id] ? cat_node_kids(&model->nodes[id], kids) : 0;
            bool due =
                used[id] && (first || (count > 0 && fell[kids[0]]) || (count > 1 && fell[kids[1]]));
            fell[id] = false;
            if (!due)
                continue;
            for (size_t i = 0; i < cell_count(near, id); i++)
                next[i] = COST_NEVER;
            fill(near, id, next);
            if (memcmp(next, near->cost[id], cell_count(near, id) * sizeof *next) != 0) {
                memcpy(near->cost[id], next, cell_count(near, id) * sizeof *next);
                more = fell[id] = true;
            }
        }
    }
}
