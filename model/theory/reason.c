/* SPDX-License-Identifier: MIT */
#include "model/theory/reason.h"

#include <assert.h>
#include <glib.h>

/* How deep a reason follows the nodes of a model. In a text that is deeper the reason is the whole
 * execution, which is correct but excludes nothing else. */
enum { DEPTH_LIMIT = 4000 };

enum { UNKNOWN = UINT16_MAX };

struct reasons {
    uint16_t **cost;       /* a node, once asked: the cost of each pair, or UNKNOWN */
    uint64_t **evaluation; /* a node, a row: the evaluation its costs are of */
    uint32_t depth;
    VEC(uint64_t) explained; /* pairs of the reason in the making, see 'explained' */
    struct hash_table table; /* of them */
};

struct reasons *reasons_new(struct theory *theory)
{
    struct reasons *reasons = ARENA_NEW(theory->arena, struct reasons);
    reasons->cost = ARENA_ARRAY(theory->arena, uint16_t *, theory->model->node_count);
    reasons->evaluation = ARENA_ARRAY(theory->arena, uint64_t *, theory->model->node_count);
    return reasons;
}

/* ---- costs ---------------------------------------------------------------------------------- */

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a + b > COST_LIMIT ? COST_LIMIT : a + b;
}

static uint32_t guard_cost(const struct theory *theory, cat_id node, event_id a, event_id b)
{
    bool second = !theory->model->nodes[node].is_set && b != a;
    return theory->bases->guard_open[a] + (second && theory->bases->guard_open[b]);
}

uint32_t reason_deadline(struct theory *theory, cat_id id, cat_id kid, event_id a, event_id b)
{
    bool together = theory->component[id] == theory->component[kid];
    return together ? reason_round(theory, id, a, b) : UINT32_MAX;
}

/* Is the pair there, by the round in which it may be used? */
static bool in_time(struct theory *theory, cat_id kid, event_id a, event_id b, uint32_t deadline)
{
    return theory_has(theory->now[kid], a, b) &&
           (deadline == UINT32_MAX || reason_round(theory, kid, a, b) <= deadline);
}

cat_id reason_operand(struct theory *theory, cat_id id, event_id a, event_id b, uint32_t *cost)
{
    const struct cat_node *node = &theory->model->nodes[id];
    uint32_t left = UINT32_MAX, right = UINT32_MAX;
    if (in_time(theory, node->a, a, b, reason_deadline(theory, id, node->a, a, b)))
        left = reason_cost(theory, node->a, a, b);
    if (left && in_time(theory, node->b, a, b, reason_deadline(theory, id, node->b, a, b)))
        right = reason_cost(theory, node->b, a, b);
    *cost = right < left ? right : left;
    return right < left ? node->b : node->a;
}

event_id reason_midpoint(struct theory *theory, cat_id id, event_id a, event_id b, uint32_t *cost)
{
    const struct cat_node *node = &theory->model->nodes[id];
    const struct rel *first = theory->now[node->a];
    uint32_t by_first = reason_deadline(theory, id, node->a, a, b);
    uint32_t by_second = reason_deadline(theory, id, node->b, a, b);
    event_id best = NONE;
    *cost = UINT32_MAX;
    for (uint32_t w = 0; w < first->words && *cost; w++)
        for (uint64_t left = rel_row(first, a)[w]; left && *cost; left &= left - 1) {
            event_id m = w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!in_time(theory, node->a, a, m, by_first) ||
                !in_time(theory, node->b, m, b, by_second))
                continue;
            uint32_t here = reason_cost(theory, node->a, a, m);
            if (here < *cost)
                here = plus(here, reason_cost(theory, node->b, m, b));
            if (here < *cost) {
                *cost = here;
                best = m;
            }
        }
    return best;
}

/* The cheapest pair that makes a a member of the domain (or range) 'id'. */
static event_id witness(struct theory *theory, cat_id id, event_id a, uint32_t *cost)
{
    const struct cat_node *node = &theory->model->nodes[id];
    bool domain = node->op == CAT_DOMAIN;
    uint32_t deadline = reason_deadline(theory, id, node->a, a, 0);
    event_id best = NONE;
    *cost = UINT32_MAX;
    for (event_id b = 0; b < theory->n && *cost; b++) {
        event_id from = domain ? a : b, to = domain ? b : a;
        if (!in_time(theory, node->a, from, to, deadline))
            continue;
        uint32_t here = reason_cost(theory, node->a, from, to);
        if (here < *cost) {
            *cost = here;
            best = b;
        }
    }
    return best;
}

/* What has to be absent is not looked into to know its cost; it is free when it never can be there.
 */
static uint32_t absent_cost(const struct theory *theory, cat_id node, event_id a, event_id b)
{
    enum { GUESS = 3 };
    return theory_has(theory->may[node], a, b) ? GUESS : 0;
}

static uint32_t base_cost(struct theory *theory, const struct cat_node *node, event_id a,
                          event_id b)
{
    struct fact_sink sink = {.counting = true};
    base_why(theory->bases, (enum base)node->base, a, b, true, &sink);
    return sink.count;
}

static void keep(struct theory *theory, cat_id node, event_id a, event_id b, uint32_t cost);

/* One search from 'a' gives the cost to every event. All are kept, since others will be asked
 * for. */
static uint32_t closure_cost(struct theory *theory, cat_id id, event_id a, event_id b)
{
    const struct cat_node *node = &theory->model->nodes[id];
    if (node->op == CAT_STAR && a == b)
        return guard_cost(theory, id, a, b);
    struct arena *scratch = arena_scratch(theory->arena);
    uint32_t *costs = ARENA_ARRAY(scratch, uint32_t, theory->n);
    uint32_t deadline = reason_deadline(theory, id, node->a, a, b);
    reason_costs_from(theory, node->a, a, deadline, costs);
    uint32_t result = costs[b];
    for (event_id e = 0; deadline == UINT32_MAX && e < theory->n; e++)
        if (costs[e] != UINT32_MAX && !(node->op == CAT_STAR && e == a))
            keep(theory, id, a, e, costs[e]);
    arena_free(scratch);
    return result;
}

/* The least cost of facts that suffice for the pair. */
static uint32_t cost_of(struct theory *theory, cat_id id, event_id a, event_id b)
{
    const struct cat_node *node = &theory->model->nodes[id];
    uint32_t cost = 0;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        return base_cost(theory, node, a, b);
    case CAT_UNION:
        reason_operand(theory, id, a, b, &cost);
        return cost;
    case CAT_INTERSECT:
        cost = reason_cost(theory, node->a, a, b);
        return plus(cost, reason_cost(theory, node->b, a, b));
    case CAT_DIFFERENCE:
        cost = reason_cost(theory, node->a, a, b);
        return plus(cost, absent_cost(theory, node->b, a, b));
    case CAT_COMPLEMENT:
        return plus(guard_cost(theory, id, a, b), absent_cost(theory, node->a, a, b));
    case CAT_COMPOSE:
        reason_midpoint(theory, id, a, b, &cost);
        return cost;
    case CAT_INVERSE:
        return reason_cost(theory, node->a, b, a);
    case CAT_PLUS:
    case CAT_STAR:
        return closure_cost(theory, id, a, b);
    case CAT_OPTION:
        return a == b ? guard_cost(theory, id, a, b) : reason_cost(theory, node->a, a, b);
    case CAT_IDENTITY:
        return reason_cost(theory, node->a, a, 0);
    case CAT_PRODUCT:
        cost = reason_cost(theory, node->a, a, 0);
        return plus(cost, reason_cost(theory, node->b, b, 0));
    case CAT_DOMAIN:
    case CAT_RANGE:
        witness(theory, id, a, &cost);
        return cost;
    case CAT_REC:
        return reason_cost(theory, node->a, a, b);
    case CAT_EMPTY:
        break;
    }
    return COST_LIMIT;
}

/* Where the cost of a pair is kept; forgets those of earlier evaluations. */
static uint16_t *cost_slot(struct theory *theory, cat_id node, event_id a, event_id b)
{
    struct reasons *reasons = theory->reasons;
    bool is_set = theory->model->nodes[node].is_set;
    uint32_t n = theory->n, row = is_set ? 0 : a;
    if (!reasons->cost[node]) {
        reasons->cost[node] = ARENA_ARRAY(theory->arena, uint16_t, (size_t)n * (is_set ? 1 : n));
        reasons->evaluation[node] = ARENA_ARRAY(theory->arena, uint64_t, is_set ? 1 : n);
    }
    uint16_t *costs = reasons->cost[node] + (size_t)row * n;
    if (reasons->evaluation[node][row] != theory->evaluation) {
        reasons->evaluation[node][row] = theory->evaluation;
        memset(costs, 0xff, n * sizeof *costs);
    }
    return &costs[is_set ? a : b];
}

static void keep(struct theory *theory, cat_id node, event_id a, event_id b, uint32_t cost)
{
    *cost_slot(theory, node, a, b) = (uint16_t)(cost > COST_LIMIT ? COST_LIMIT : cost);
}

uint32_t reason_cost(struct theory *theory, cat_id node, event_id a, event_id b)
{
    if (theory_has(theory->must[node], a, b))
        return guard_cost(theory, node, a, b);
    uint16_t known = *cost_slot(theory, node, a, b);
    if (known != UNKNOWN)
        return known;
    if (theory->reasons->depth > DEPTH_LIMIT)
        return COST_LIMIT;
    theory->reasons->depth++;
    uint32_t cost = cost_of(theory, node, a, b);
    theory->reasons->depth--;
    keep(theory, node, a, b, cost);
    return cost;
}

/* ---- facts ---------------------------------------------------------------------------------- */

void reason_open(struct theory *theory)
{
    theory->reasons->explained.len = 0;
    hash_clear(&theory->reasons->table);
}

static bool same_pair(const void *items, uint32_t index, const void *key)
{
    return ((const uint64_t *)items)[index] == *(const uint64_t *)key;
}

/* Was the pair explained in this reason already? Notes that it is now. */
static bool explained(struct theory *theory, cat_id node, event_id a, event_id b, bool present)
{
    struct reasons *reasons = theory->reasons;
    uint64_t pair = (((uint64_t)node * theory->n + a) * theory->n + b) * 2 + present;
    uint64_t hash = hash_bytes(&pair, sizeof pair, 0);
    if (hash_find(&reasons->table, hash, same_pair, reasons->explained.at, &pair) != HASH_NONE)
        return true;
    hash_add(theory->arena, &reasons->table, hash);
    vec_push(theory->arena, &reasons->explained, pair);
    return false;
}

static void add_guards(struct theory *theory, cat_id node, event_id a, event_id b,
                       struct fact_sink *sink)
{
    base_why_executed(theory->bases, a, sink);
    if (!theory->model->nodes[node].is_set)
        base_why_executed(theory->bases, b, sink);
}

/* The facts of each step of a path of least cost. */
static void add_path(struct theory *theory, cat_id id, event_id a, event_id b,
                     struct fact_sink *sink)
{
    const struct cat_node *node = &theory->model->nodes[id];
    if (node->op == CAT_STAR && a == b) {
        base_why_executed(theory->bases, a, sink);
        return;
    }
    uint32_t deadline = reason_deadline(theory, id, node->a, a, b), cost;
    struct arena *scratch = arena_scratch(theory->arena);
    event_id *path = ARENA_ARRAY(scratch, event_id, theory->n);
    uint32_t length = reason_path(theory, node->a, a, b, deadline, NULL, path, &cost);
    for (uint32_t i = 0; i < length; i++)
        reason_add(theory, node->a, i ? path[i - 1] : a, path[i], true, sink);
    arena_free(scratch);
}

/* The facts that suffice for a pair: those of the cheapest way to make it from the operands. */
static void add_present(struct theory *theory, cat_id id, event_id a, event_id b,
                        struct fact_sink *sink)
{
    const struct cat_node *node = &theory->model->nodes[id];
    uint32_t cost;
    event_id m;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        base_why(theory->bases, (enum base)node->base, a, b, true, sink);
        break;
    case CAT_UNION:
        reason_add(theory, reason_operand(theory, id, a, b, &cost), a, b, true, sink);
        break;
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
        reason_add(theory, node->a, a, b, true, sink);
        reason_add(theory, node->b, a, b, node->op == CAT_INTERSECT, sink);
        break;
    case CAT_COMPLEMENT:
        add_guards(theory, id, a, b, sink);
        reason_add(theory, node->a, a, b, false, sink);
        break;
    case CAT_COMPOSE:
        m = reason_midpoint(theory, id, a, b, &cost);
        reason_add(theory, node->a, a, m, true, sink);
        reason_add(theory, node->b, m, b, true, sink);
        break;
    case CAT_INVERSE:
        reason_add(theory, node->a, b, a, true, sink);
        break;
    case CAT_PLUS:
    case CAT_STAR:
        add_path(theory, id, a, b, sink);
        break;
    case CAT_OPTION:
        if (a == b)
            base_why_executed(theory->bases, a, sink);
        else
            reason_add(theory, node->a, a, b, true, sink);
        break;
    case CAT_IDENTITY:
        reason_add(theory, node->a, a, 0, true, sink);
        break;
    case CAT_PRODUCT:
        reason_add(theory, node->a, a, 0, true, sink);
        reason_add(theory, node->b, b, 0, true, sink);
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        m = witness(theory, id, a, &cost);
        reason_add(theory, node->a, node->op == CAT_DOMAIN ? a : m, node->op == CAT_DOMAIN ? m : a,
                   true, sink);
        break;
    case CAT_REC:
        reason_add(theory, node->a, a, b, true, sink);
        break;
    case CAT_EMPTY:
        break;
    }
}

void reason_add(struct theory *theory, cat_id node, event_id a, event_id b, bool present,
                struct fact_sink *sink)
{
    if (present && theory_has(theory->must[node], a, b)) {
        add_guards(theory, node, a, b, sink);
        return;
    }
    if (!present && !theory_has(theory->may[node], a, b))
        return;
    if (explained(theory, node, a, b, present))
        return;
    if (theory->reasons->depth > DEPTH_LIMIT) {
        base_why_all(theory->bases, sink);
        return;
    }
    theory->reasons->depth++;
    (present ? add_present : reason_absent)(theory, node, a, b, sink);
    theory->reasons->depth--;
}

void theory_why(struct theory *theory, struct arena *arena, cat_id node, event_id a, event_id b,
                bool present, struct fact_list *facts)
{
    assert(theory->evaluation && node < theory->model->node_count);
    struct fact_sink sink = {.arena = arena};
    reason_open(theory);
    reason_add(theory, node, a, b, present, &sink);
    fact_sort(&sink.list);
    *facts = sink.list;
}
