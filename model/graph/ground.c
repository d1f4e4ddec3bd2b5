/* SPDX-License-Identifier: MIT */
#include "model/graph/ground.h"

#include <string.h>

#include "litmus/base/arena.h"
#include "model/graph/semantic.h"
#include "model/value/expr_bits.h"

enum {
    DEEPEST = 400, /* expressions deeper than this are left as they are */
};

/* One access and those of other branches that may stand for it. */
struct grounding {
    struct arena *arena;
    struct graph *g;
    event_id event;
    VEC(event_id) others;
    bool *own; /* an event: a read that the access is to be made without */
    bool *all; /* the same, with the reads that have no effect on the others */
};

static bool is_formal(const struct graph *g, event_id event)
{
    for (uint32_t i = 0; i < g->formal_count; i++)
        if (g->formal[i].to == event)
            return true;
    return false;
}

static void add_reads(const struct graph *g, event_id event, bool *reads)
{
    for (uint32_t i = 0; i < g->formal_count; i++)
        if (g->formal[i].to == event)
            reads[g->formal[i].from] = true;
}

/* What has an effect on the access itself stays. */
static void drop_effects(const struct graph *g, event_id event, bool *reads)
{
    for (uint32_t i = 0; i < g->fixed_count[FIXED_semantic_dep]; i++)
        if (g->fixed[FIXED_semantic_dep][i].to == event)
            reads[g->fixed[FIXED_semantic_dep][i].from] = false;
}

/* Finds the reads that the expressions of the access name without effect on it: those of its own,
 * and with them those of the accesses that may stand for it. */
static struct grounding grounding_of(struct arena *arena, struct graph *g, event_id event)
{
    struct grounding r = {.arena = arena, .g = g, .event = event};
    r.own = ARENA_ARRAY(arena, bool, g->event_count);
    r.all = ARENA_ARRAY(arena, bool, g->event_count);
    add_reads(g, event, r.own);
    add_reads(g, event, r.all);
    for (event_id e = 0; e < g->event_count; e++)
        if (semantic_may_stand_for(g, event, e)) {
            vec_push(arena, &r.others, e);
            add_reads(g, e, r.all);
        }
    drop_effects(g, event, r.own);
    drop_effects(g, event, r.all);
    return r;
}

/* ---- expressions without some reads --------------------------------------------------------- */

static bool is_leaf(const struct expr *expr)
{
    return expr_kids(expr, (expr_id[3]){0}) == 0;
}

/* Which expressions the whole is made of. Parts have smaller numbers than what they are part of, so
 * one walk down is enough. */
static bool *parts_of(struct grounding *r, expr_id whole)
{
    const struct expr_pool *pool = r->g->exprs;
    bool *is_part = ARENA_ARRAY(r->arena, bool, whole + 1);
    is_part[whole] = true;
    for (expr_id id = whole + 1; id-- > 0;) {
        const struct expr *expr = expr_get(pool, id);
        if (is_part[id] && !is_leaf(expr))
            is_part[expr->a] = is_part[expr->b] = is_part[expr->c] = true;
    }
    return is_part;
}

/* The expression with 0 for what the reads return: if they have no effect, any number would do. */
static expr_id without(struct grounding *r, expr_id whole, const bool *reads)
{
    struct expr_pool *pool = r->g->exprs;
    const bool *is_part = parts_of(r, whole);
    expr_id *made = ARENA_ARRAY(r->arena, expr_id, whole + 1);
    for (expr_id id = 0; id <= whole; id++) {
        const struct expr expr = *expr_get(pool, id);
        made[id] = id;
        if (!is_part[id])
            continue;
        if (!is_leaf(&expr))
            made[id] = expr_build(pool, &expr, made[expr.a], made[expr.b], made[expr.c]);
        else if (expr.op == EXPR_READ && reads[expr.b])
            made[id] = expr_const(pool, expr.width, 0);
    }
    return made[whole];
}

/* ---- proofs --------------------------------------------------------------------------------- */

static bool is_shallow(const struct grounding *r, expr_id id)
{
    return expr_get(r->g->exprs, id)->depth <= DEEPEST;
}

static bool is_proved(struct grounding *r, unsigned attempt, expr_id a, expr_id b, bool *decided)
{
    struct expr_bits_options options = {.exprs = r->g->exprs};
    expr_bits_attempt(attempt, &options);
    struct expr_bits *bits = expr_bits_new(r->arena, &options);
    struct bdd_pool *pool = expr_bits_pool(bits);
    bdd executes = expr_bit(bits, r->g->events[r->event].guard, 0, false);
    bdd differ = bdd_and(pool, executes, bdd_not(pool, expr_bits_equal(bits, a, b)));
    *decided = !bdd_full(pool);
    return *decided && differ == BDD_FALSE;
}

/* Whatever the reads return: when the access executes, both are the same. */
static bool is_same(struct grounding *r, expr_id a, expr_id b)
{
    expr_id guard = r->g->events[r->event].guard;
    if (a == b)
        return true;
    if (!is_shallow(r, a) || !is_shallow(r, b) || !is_shallow(r, guard))
        return false;
    bool decided = false, same = false;
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS && !decided; i++)
        same = is_proved(r, i, a, b, &decided);
    return same;
}

/* ---- one access ----------------------------------------------------------------------------- */

/* It or one that may stand for it happens. */
static expr_id some_guard(const struct grounding *r)
{
    expr_id some = r->g->events[r->event].guard;
    for (uint32_t i = 0; i < r->others.len; i++)
        some = expr_or(r->g->exprs, some, r->g->events[r->others.at[i]].guard);
    return some;
}

static expr_id field_of(const struct event *event, bool is_address)
{
    return is_address ? event->address : event->value;
}

/* The address or the value of whichever happens. */
static expr_id some_field(const struct grounding *r, bool is_address)
{
    const struct event *events = r->g->events, *event = &events[r->event];
    expr_id some = field_of(event, is_address);
    for (uint32_t i = r->others.len; i-- > 0;) {
        const struct event *other = &events[r->others.at[i]];
        some = expr_ite(r->g->exprs, other->guard, field_of(other, is_address), some);
    }
    return expr_ite(r->g->exprs, event->guard, field_of(event, is_address), some);
}

/* The first that is proved to be 'old' of: 'old' and 'some' without all reads, without the own. */
static bool replace(struct grounding *r, expr_id old, expr_id some, expr_id *instead)
{
    expr_id whole[] = {old, old, some, some};
    const bool *reads[] = {r->all, r->own, r->all, r->own};
    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++) {
        *instead = without(r, whole[i], reads[i]);
        if (is_same(r, old, *instead))
            return true;
    }
    return false;
}

static bool replace_guard(struct grounding *r, expr_id *assured)
{
    expr_id some = some_guard(r), yes = expr_true(r->g->exprs);
    *assured = without(r, some, r->all);
    if (is_same(r, *assured, yes))
        return true;
    *assured = without(r, some, r->own);
    return is_same(r, *assured, yes);
}

/* Rewrites the access without the reads that have no effect on it. False: no rewriting was proved
 * to be the same, and the access stays as it is. */
static bool ground(struct grounding *r)
{
    struct event *event = &r->g->events[r->event];
    expr_id assured, address, value = event->value;
    if (!replace_guard(r, &assured) || !replace(r, event->address, some_field(r, true), &address) ||
        (event->kind == EVENT_WRITE && !replace(r, value, some_field(r, false), &value)))
        return false;
    if (!graph_guesses_branches(r->g))
        r->g->assured[r->event] = assured;
    event->address = address;
    event->value = value;
    return true;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void assure_guards(struct graph *g)
{
    if (g->assured)
        return;
    g->assured = ARENA_ARRAY(g->arena, expr_id, g->event_count);
    for (event_id e = 0; e < g->event_count; e++)
        g->assured[e] = g->events[e].guard;
}

static void keep_formal(struct graph *g, const bool *grounded)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < g->formal_count; i++)
        if (!grounded[g->formal[i].to] || /* has an effect, or that was not decided */
            semantic_is_among(g, &g->formal[i], g->fixed_count[FIXED_semantic_dep]))
            g->formal[kept++] = g->formal[i];
    g->formal_count = kept;
}

void ground_accesses(struct graph *graph)
{
    semantic_find(graph);
    if (graph->grounded || !graph->formal_count)
        return;
    graph->grounded = true;
    bool *grounded = ARENA_ARRAY(graph->arena, bool, graph->event_count);
    assure_guards(graph);
    for (event_id e = 0; e < graph->event_count; e++) {
        if (!is_formal(graph, e))
            continue;
        struct arena *scratch = arena_scratch(graph->arena);
        struct grounding r = grounding_of(scratch, graph, e);
        grounded[e] = ground(&r);
        arena_free(scratch);
    }
    keep_formal(graph, grounded);
}
