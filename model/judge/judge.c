/* SPDX-License-Identifier: MIT */
#include "model/judge/judge.h"

#include <stdlib.h>
#include <string.h>

#include "model/judge/base.h"
#include "model/execution/promises.h"

/* A set is a byte an event, a relation a byte a pair: no packing, no sharing with the theory.
 * Events that do not execute are in no set and no relation. */
typedef unsigned char *bytes;

struct judge {
    struct arena *arena;
    const struct cat_model *model;
    const struct execution *execution;
    uint32_t n;
    bytes *values;      /* of the nodes evaluated so far; NULL: not needed (any more) */
    uint32_t *last_use; /* a node: needed by nodes before this one; 0: by none */
    VEC(bytes) free_rels;
};

static size_t size_of(const struct judge *judge, const struct cat_node *node)
{
    return node->is_set ? judge->n : (size_t)judge->n * judge->n;
}

static bytes new_value(struct judge *judge, const struct cat_node *node)
{
    if (node->is_set || !judge->free_rels.len)
        return arena_alloc(judge->arena, size_of(judge, node));
    bytes value = judge->free_rels.at[--judge->free_rels.len];
    return memset(value, 0, size_of(judge, node));
}

static void drop_value(struct judge *judge, cat_id id)
{
    if (judge->values[id] && !judge->model->nodes[id].is_set)
        vec_push(judge->arena, &judge->free_rels, judge->values[id]);
    judge->values[id] = NULL;
}

/* ---- operations ----------------------------------------------------------------------------- */

static bool executes(const struct judge *judge, event_id e)
{
    return judge->execution->executed[e];
}

static void complement(const struct judge *judge, bool is_set, const bytes a, bytes to)
{
    const bool *executed = judge->execution->executed;
    uint32_t n = judge->n;
    for (size_t x = 0; x < n; x++) {
        if (is_set)
            to[x] = executed[x] && !a[x];
        for (size_t y = 0; !is_set && executed[x] && y < n; y++)
            to[x * n + y] = executed[y] && !a[x * n + y];
    }
}

/* Whole rows at a time, and no two that overlap: the compiler makes vectors of that. */
static void add_row(uint32_t n, unsigned char *restrict to, const unsigned char *restrict row)
{
    for (uint32_t z = 0; z < n; z++)
        to[z] |= row[z];
}

static void compose(uint32_t n, const bytes a, const bytes b, bytes to)
{
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            if (a[x * n + y])
                add_row(n, to + x * n, b + y * n);
}

static void close_paths(uint32_t n, bytes r)
{
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            if (x != y && r[x * n + y])
                add_row(n, r + x * n, r + y * n);
}

static void add_identity(const struct judge *judge, bytes r)
{
    for (event_id x = 0; x < judge->n; x++)
        r[(size_t)x * judge->n + x] |= executes(judge, x);
}

static void project(uint32_t n, const bytes r, bool range, bytes to)
{
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            to[range ? y : x] |= r[x * n + y];
}

static void evaluate_pointwise(enum cat_op op, size_t size, const unsigned char *restrict a,
                               const unsigned char *restrict b, unsigned char *restrict to)
{
    if (op == CAT_UNION)
        for (size_t i = 0; i < size; i++)
            to[i] = a[i] | b[i];
    else if (op == CAT_INTERSECT)
        for (size_t i = 0; i < size; i++)
            to[i] = a[i] & b[i];
    else
        for (size_t i = 0; i < size; i++)
            to[i] = a[i] & !b[i];
}

static void invert(uint32_t n, const unsigned char *restrict a, unsigned char *restrict to)
{
    for (size_t x = 0; x < n; x++)
        for (size_t y = 0; y < n; y++)
            to[x * n + y] = a[y * n + x];
}

/* 'to' is all zero, so are the rows of what is not in 'a'. */
static void cross(uint32_t n, const bytes a, const bytes b, bytes to)
{
    for (size_t x = 0; x < n; x++)
        if (a[x])
            add_row(n, to + x * n, b);
}

static void put_identity(uint32_t n, const bytes a, bytes to)
{
    for (size_t x = 0; x < n; x++)
        to[x * n + x] = a[x];
}

static void evaluate_closure(struct judge *judge, const struct cat_node *node, bytes to)
{
    memcpy(to, judge->values[node->a], size_of(judge, node));
    if (node->op != CAT_OPTION)
        close_paths(judge->n, to);
    if (node->op != CAT_PLUS)
        add_identity(judge, to);
}

static void evaluate(struct judge *judge, cat_id id, bytes to)
{
    const struct cat_node *node = &judge->model->nodes[id];
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        judge_base_fill(judge->execution, node->base, to);
        break;
    case CAT_EMPTY:
        break;
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
        evaluate_pointwise(node->op, size_of(judge, node), judge->values[node->a],
                           judge->values[node->b], to);
        break;
    case CAT_COMPLEMENT:
        complement(judge, node->is_set, judge->values[node->a], to);
        break;
    case CAT_COMPOSE:
        compose(judge->n, judge->values[node->a], judge->values[node->b], to);
        break;
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPTION:
        evaluate_closure(judge, node, to);
        break;
    case CAT_INVERSE:
        invert(judge->n, judge->values[node->a], to);
        break;
    case CAT_IDENTITY:
        put_identity(judge->n, judge->values[node->a], to);
        break;
    case CAT_PRODUCT:
        cross(judge->n, judge->values[node->a], judge->values[node->b], to);
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        project(judge->n, judge->values[node->a], node->op == CAT_RANGE, to);
        break;
    case CAT_REC:
        memcpy(to, judge->values[node->a], size_of(judge, node));
        break;
    }
}

/* ---- the nodes in order --------------------------------------------------------------------- */

/* The last node of the let rec that 'id' belongs to, or 'id'. */
static cat_id group_end(const struct cat_model *model, cat_id id)
{
    uint32_t group = model->nodes[id].group;
    cat_id end = id;
    for (cat_id i = id; group != UINT32_MAX && i < model->node_count; i++)
        if (model->nodes[i].group == group)
            end = i;
    return end;
}

/* Notes that the value of 'kid' is needed until 'by'; true when that is news. */
static bool use(struct judge *judge, cat_id kid, uint32_t by)
{
    if (judge->last_use[kid] >= by)
        return false;
    judge->last_use[kid] = by;
    return true;
}

/* Only what the axioms need is evaluated, and kept only while it is needed. What a let rec needs is
 * needed until its end. */
static void plan(struct judge *judge)
{
    const struct cat_model *model = judge->model;
    for (uint32_t i = 0; i < model->axiom_count; i++)
        use(judge, model->axioms[i].node, UINT32_MAX);
    bool news = true; /* a recursive body comes after its name: one round is not enough */
    while (news) {
        news = false;
        for (cat_id id = model->node_count; id-- > 0;) {
            cat_id kids[2];
            uint32_t count = judge->last_use[id] ? cat_node_kids(&model->nodes[id], kids) : 0;
            for (uint32_t k = 0; k < count; k++)
                news |= use(judge, kids[k], group_end(model, id) + 1);
        }
    }
}

/* The least solution, by going round from nothing until nothing is added. */
static void evaluate_group(struct judge *judge, cat_id first, cat_id end)
{
    const struct cat_node *nodes = judge->model->nodes;
    bool changed = true;
    while (changed) {
        changed = false;
        for (cat_id id = first; id <= end; id++) {
            if (nodes[id].group != nodes[first].group || !judge->values[id])
                continue;
            bytes now = new_value(judge, &nodes[id]);
            evaluate(judge, id, now);
            changed |= memcmp(now, judge->values[id], size_of(judge, &nodes[id])) != 0;
            drop_value(judge, id);
            judge->values[id] = now;
        }
    }
}

static void evaluate_range(struct judge *judge, cat_id first, cat_id end)
{
    const struct cat_node *nodes = judge->model->nodes;
    uint32_t group = nodes[first].group;
    for (cat_id id = first; id <= end; id++) {
        if (!judge->last_use[id])
            continue;
        judge->values[id] = new_value(judge, &nodes[id]);
        if (nodes[id].group == UINT32_MAX)
            evaluate(judge, id, judge->values[id]);
    }
    if (group != UINT32_MAX)
        evaluate_group(judge, first, end);
}

/* What was needed by these nodes last. */
static void drop_used(struct judge *judge, cat_id first, cat_id end)
{
    for (cat_id id = first; id <= end; id++) {
        cat_id kids[2];
        uint32_t count = judge->last_use[id] ? cat_node_kids(&judge->model->nodes[id], kids) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (judge->values[kids[k]] && judge->last_use[kids[k]] <= end + 1)
                drop_value(judge, kids[k]);
    }
}

static void evaluate_model(struct judge *judge)
{
    for (cat_id id = 0; id < judge->model->node_count;) {
        cat_id end = group_end(judge->model, id);
        evaluate_range(judge, id, end);
        drop_used(judge, id, end);
        id = end + 1;
    }
}

/* ---- the verdict ---------------------------------------------------------------------------- */

static bool find_member(const struct judge *judge, const struct cat_axiom *axiom, event_id *a,
                        event_id *b)
{
    const bytes value = judge->values[axiom->node];
    size_t n = judge->n, size = size_of(judge, &judge->model->nodes[axiom->node]);
    for (size_t i = 0; i < size; i++) {
        if (!value[i])
            continue;
        *a = (event_id)(size == n ? i : i / n);
        *b = (event_id)(i % n);
        return true;
    }
    return false;
}

static bool find_loop(const struct judge *judge, const bytes value, event_id *a, event_id *b)
{
    for (event_id x = 0; x < judge->n; x++) {
        if (!value[(size_t)x * judge->n + x])
            continue;
        *a = *b = x;
        return true;
    }
    return false;
}

/* An edge of a cycle. */
static bool find_cycle(struct judge *judge, const struct cat_axiom *axiom, event_id *a, event_id *b)
{
    uint32_t n = judge->n;
    const struct cat_node *node = &judge->model->nodes[axiom->node];
    const bytes value = judge->values[axiom->node];
    bytes closed = new_value(judge, node);
    memcpy(closed, value, size_of(judge, node));
    close_paths(n, closed);
    bool found = find_loop(judge, closed, a, b);
    for (event_id y = 0; found && y < n; y++) {
        if (!value[(size_t)*a * n + y] || !(y == *a || closed[(size_t)y * n + *a]))
            continue;
        *b = y;
        break;
    }
    vec_push(judge->arena, &judge->free_rels, closed);
    return found;
}

/* Is the condition of the axiom broken, as "empty r" is by a member? Says where. */
static bool is_broken(struct judge *judge, const struct cat_axiom *axiom, event_id *a, event_id *b)
{
    switch (axiom->check) {
    case CAT_IS_EMPTY:
        return find_member(judge, axiom, a, b);
    case CAT_IRREFLEXIVE:
        return find_loop(judge, judge->values[axiom->node], a, b);
    case CAT_ACYCLIC:
        return find_cycle(judge, axiom, a, b);
    }
    return false;
}

struct judgement judge(struct arena *arena, const struct cat_model *model,
                       const struct execution *execution)
{
    execution_promises(execution);
    struct judge judge = {.arena = arena_scratch(arena), .model = model, .execution = execution};
    struct judgement judgement = {.consistent = true, .axiom = NONE, .a = NONE, .b = NONE};
    judge.n = execution->graph->event_count;
    judge.values = ARENA_ARRAY(judge.arena, bytes, model->node_count);
    judge.last_use = ARENA_ARRAY(judge.arena, uint32_t, model->node_count);
    judgement.flags = ARENA_ARRAY(arena, bool, model->axiom_count);
    plan(&judge);
    evaluate_model(&judge);
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        const struct cat_axiom *axiom = &model->axioms[i];
        event_id a = NONE, b = NONE;
        bool holds = is_broken(&judge, axiom, &a, &b) == axiom->negated;
        judgement.flags[i] = axiom->flag && holds;
        if (axiom->flag || holds || !judgement.consistent)
            continue;
        judgement = (struct judgement){false, i, a, b, judgement.flags};
    }
    arena_free(judge.arena);
    return judgement;
}
