/* SPDX-License-Identifier: MIT */
#include "model/near/state.h"

/* What base names cost: lack.def read over the events of the graph. */

/* The rows of base.def by name. */
enum leaf {
#define BASESET(name, test, meaning)      LEAF_##name,
#define BASEEDGES(name, meaning)          LEAF_##name,
#define BASEREL(name, kind, may, meaning) LEAF_##name,
#include "model/graph/base.def"
};

static bool is_memory_fence(const struct event *x)
{
    return x->kind == EVENT_FENCE && !(x->tags & (TAG(PROXY_FENCE) | TAG(ONE_WAY)));
}

static bool is_proxy_fence(const struct event *x)
{
    return x->kind == EVENT_FENCE && x->tags & TAG(PROXY_FENCE);
}

/* Could the access be written with another strength? */
static bool is_plain(const struct event *x)
{
    event_tags others = TAG(READ_ONLY) | TAG(HOST);
    return event_is_memory(x) && x->kind != EVENT_INIT && x->tags & TAG(GEN) && x->inst &&
           !(x->tags & others) && !x->copied;
}

static bool is_other_proxy(const struct event *x)
{
    return event_is_memory(x) && x->kind != EVENT_INIT && !(x->tags & TAG(GEN));
}

/* A weak access has no scope yet: that it is weak is told, not what scope it would need. */
static bool have_scopes(const struct event *x, const struct event *y)
{
    return x->scope != SCOPE_NONE && y->scope != SCOPE_NONE;
}

static bool is_weak(const struct event *x)
{
    return is_plain(x) && x->tags & TAG(WEAK) && !(x->tags & TAG(MBARRIER));
}

/* Does x, in the same thread, come after y although it should come before, and is one of them a fence? */
static bool is_before_fence(const struct event *x, const struct event *y)
{
    return x->thread == y->thread && x->thread != NONE && y->position < x->position &&
           (x->kind == EVENT_FENCE || y->kind == EVENT_FENCE);
}

static bool share_bytes(const struct nearness *near, const struct event *x, const struct event *y)
{
    const struct execution *execution = near->execution;
    event_id a = (event_id)(x - execution->graph->events),
             b = (event_id)(y - execution->graph->events);
    uint32_t first_a = execution->first_granule[a], first_b = execution->first_granule[b];
    return event_is_memory(x) && event_is_memory(y) && first_a < first_b + execution->granules[b] &&
           first_b < first_a + execution->granules[a];
}

bool leaf_is_order(const struct nearness *near, cat_id node)
{
    enum leaf leaf = (enum leaf)near->model->nodes[node].base;
    return leaf == LEAF_po || leaf == LEAF_sb;
}

uint32_t leaf_cost(const struct nearness *near, cat_id id, event_id a, event_id b,
                   enum lack_kind *kind)
{
    const struct cat_node *node = &near->model->nodes[id];
    const struct event *x = &near->execution->graph->events[a];
    const struct event *y = &near->execution->graph->events[b];
    if (rel_has(theory_rel(near->theory, id), node->is_set ? 0 : a, b))
        return node->is_set ? 0 : COST_EDGE;
    bool scopes = node->base == LEAF_sr || node->base == LEAF_incl;
    if (scopes && (is_weak(x) || is_weak(y)))
        return COST_EDGE;
#define LACK(what, name, price, when)                                                              \
    if (node->base == LEAF_##name && (when)) {                                                     \
        *kind = LACK_##what;                                                                       \
        return price;                                                                              \
    }
#include "model/near/lack.def"
    return COST_NEVER;
}

uint32_t leaf_excess(const struct nearness *near, cat_id id, event_id a, enum lack_kind *kind)
{
    const struct cat_node *node = &near->model->nodes[id];
    const struct event *x = &near->execution->graph->events[a];
#define EXCESS(what, name, price, when)                                                            \
    if (node->op == CAT_BASE_SET && node->base == LEAF_##name && (when)) {                         \
        *kind = LACK_##what;                                                                       \
        return price;                                                                              \
    }
#include "model/near/lack.def"
    return COST_NEVER;
}
