/* SPDX-License-Identifier: MIT */
#include "model/graph/semantic.h"

#include "litmus/base/arena.h"
#include "litmus/base/sort.h"
#include "model/graph/api_order.h"
#include "model/value/expr_bits.h"

/* Each syntactic dependency is first looked for by example, which finds most effects, and then decided with
 * decision diagrams. */

enum {
    MOST_ROUNDS = 512, /* of looking for cycles: more are taken to be there after it */
    DEEPEST = 400,     /* expressions deeper than this are left undecided */
    ALIKE = 3,         /* of the samples, those below this number */
    SMALL = 7,
    SPARSE = 10,
    SAMPLES = 64,
    PATIENCE = 8, /* failures, less successes, after which larger diagrams are no longer tried */
};

static const enum fixed_relation syntactic[] = {FIXED_addr, FIXED_data, FIXED_ctrl};
enum { SYNTACTIC = sizeof syntactic / sizeof *syntactic };

/* A pair of events with syntactic dependencies: they are there when 'guard' holds. */
struct semantic_pair {
    event_id from, to;
    expr_id guard;
};

/* They end where others take their place: many of them would not fit side by side. */
struct diagrams {
    struct arena *arena;
    struct expr_bits *bits; /* NULL: none yet */
};

struct semantic_finder {
    struct graph *g;
    VEC(struct semantic_pair) pairs;
    expr_id *leaf_of; /* an expression: the read that it counts as, or itself */
    struct diagrams diagrams[EXPR_BITS_ATTEMPTS];
    int patience[EXPR_BITS_ATTEMPTS]; /* that is left */
    bool unsure;                      /* whether reads are one was not decided */
    VEC(struct fixed_edge) edges, undecided, formal;
};

/* The graph with the values of one read varied. */
struct variation {
    struct arena *arena;
    const struct graph *g;
    const expr_id *leaf_of;
    bool *varied; /* an expression: is a piece of the read */
    struct diagrams diagrams[EXPR_BITS_ATTEMPTS];
    struct expr_memo first[SAMPLES], second[SAMPLES];
};

static void renew(struct diagrams *diagrams, const struct graph *g, const expr_id *leaf_of,
                  const bool *varied, unsigned attempt)
{
    struct expr_bits_options options = {.exprs = g->exprs, .leaf_of = leaf_of, .varied = varied};
    arena_free(diagrams->arena);
    diagrams->arena = arena_scratch(g->arena);
    expr_bits_attempt(attempt, &options);
    diagrams->bits = expr_bits_new(diagrams->arena, &options);
}

static void free_all(struct diagrams diagrams[EXPR_BITS_ATTEMPTS])
{
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS; i++)
        arena_free(diagrams[i].arena);
}

/* ---- syntactic dependencies ----------------------------------------------------------------- */

static bool is_dependency(const struct graph *g, const struct fixed_edge *edge)
{
    const struct event *from = &g->events[edge->from], *to = &g->events[edge->to];
    return from->kind == EVENT_READ && (to->kind == EVENT_READ || to->kind == EVENT_WRITE);
}

static int by_events(const void *a, const void *b)
{
    const struct semantic_pair *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Each pair of events with a syntactic dependency once, under the condition that some of its edges
 * is there. */
static void collect_pairs(struct semantic_finder *f)
{
    struct graph *g = f->g;
    uint32_t kept = 0;
    for (unsigned k = 0; k < SYNTACTIC; k++)
        for (uint32_t i = 0; i < g->fixed_count[syntactic[k]]; i++) {
            const struct fixed_edge *edge = &g->fixed[syntactic[k]][i];
            struct semantic_pair pair = {edge->from, edge->to, edge->guard};
            if (is_dependency(g, edge))
                vec_push(g->arena, &f->pairs, pair);
        }
    if (f->pairs.len)
        sort_array(f->pairs.at, f->pairs.len, sizeof *f->pairs.at, by_events);
    for (uint32_t i = 0; i < f->pairs.len; i++) {
        struct semantic_pair *last = kept ? &f->pairs.at[kept - 1] : NULL, next = f->pairs.at[i];
        if (last && by_events(last, &next) == 0)
            last->guard = expr_or(g->exprs, last->guard, next.guard);
        else
            f->pairs.at[kept++] = next;
    }
    f->pairs.len = kept;
}

/* ---- accesses of other branches ------------------------------------------------------------- */

static bool are_alike(const struct event *a, const struct event *b)
{
    return a->thread == b->thread && a->kind == b->kind && a->tags == b->tags &&
           a->scope == b->scope && a->bytes == b->bytes;
}

bool semantic_may_stand_for(const struct graph *g, event_id first, event_id other)
{
    const struct event *a = &g->events[first], *b = &g->events[other];
    return first != other && are_alike(a, b) && !expr_is_true(g->exprs, a->guard) &&
           !expr_is_true(g->exprs, b->guard);
}

static expr_id piece_of(const struct graph *g, event_id read, uint32_t piece)
{
    const struct event *event = &g->events[read];
    uint32_t bytes = event->piece_start[piece + 1] - event->piece_start[piece];
    return expr_read(g->exprs, bytes * 8, piece, read);
}

/* Whatever the reads return, no more than one of the two happens, and both read one address. */
static bool exclude_alike(struct expr_bits *bits, const struct event *a, const struct event *b)
{
    struct bdd_pool *pool = expr_bits_pool(bits);
    bdd both =
        bdd_and(pool, expr_bit(bits, a->guard, 0, false), expr_bit(bits, b->guard, 0, false));
    return both == BDD_FALSE &&
           (a->address == b->address || expr_bits_equal(bits, a->address, b->address) == BDD_TRUE);
}

/* False: it took too much work. */
static bool exclude_decided(struct semantic_finder *f, unsigned attempt, event_id first,
                            event_id later, bool *result)
{
    struct diagrams *diagrams = &f->diagrams[attempt];
    for (bool fresh = false;; fresh = true) {
        if (fresh || !diagrams->bits)
            renew(diagrams, f->g, NULL, NULL, attempt);
        *result = exclude_alike(diagrams->bits, &f->g->events[first], &f->g->events[later]);
        if (fresh || !bdd_full(expr_bits_pool(diagrams->bits)))
            return !bdd_full(expr_bits_pool(diagrams->bits));
    }
}

/* Reads of two branches of which only one happens: what they return is one value to what follows.
 * False also where that takes too much work to tell. */
static bool are_one_read(struct semantic_finder *f, event_id first, event_id later)
{
    const struct event *a = &f->g->events[first], *b = &f->g->events[later];
    bool same = false, decided = false;
    if (a->pieces != b->pieces || !semantic_may_stand_for(f->g, first, later) ||
        expr_get(f->g->exprs, a->guard)->depth > DEEPEST ||
        expr_get(f->g->exprs, b->guard)->depth > DEEPEST)
        return false;
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS && !decided && !f->unsure; i++)
        decided = exclude_decided(f, i, first, later, &same);
    f->unsure |= !decided;
    return decided && same;
}

static void unite(struct semantic_finder *f, event_id first, event_id later)
{
    for (uint32_t i = 0; i < f->g->events[first].pieces; i++)
        f->leaf_of[piece_of(f->g, later, i)] = f->leaf_of[piece_of(f->g, first, i)];
}

/* Every piece of every read as an expression, so that later ones are all there. */
static void make_pieces(struct graph *g)
{
    for (event_id e = 0; e < g->event_count; e++)
        for (uint32_t i = 0; g->events[e].kind == EVENT_READ && i < g->events[e].pieces; i++)
            piece_of(g, e, i);
}

/* Unites each conditional read with a later one of its thread that happens in its stead. */
static void unite_reads(struct semantic_finder *f)
{
    const struct graph *g = f->g;
    uint32_t count = expr_count(g->exprs);
    f->leaf_of = ARENA_ARRAY(g->arena, expr_id, count);
    for (expr_id id = 0; id < count; id++)
        f->leaf_of[id] = id;
    bool *united = ARENA_ARRAY(g->arena, bool, g->event_count);
    for (event_id a = 0; a < g->event_count; a++) {
        const struct event *event = &g->events[a];
        if (event->kind != EVENT_READ || united[a] || expr_is_true(g->exprs, event->guard))
            continue;
        event_id b = a + 1;
        while (b < g->event_count && g->events[b].thread == event->thread &&
               (united[b] || !are_one_read(f, a, b)))
            b++;
        if (b == g->event_count || g->events[b].thread != event->thread)
            continue;
        unite(f, a, b);
        united[b] = true;
    }
}

/* ---- by example ----------------------------------------------------------------------------- */

struct sample {
    const struct variation *v;
    unsigned number;
    bool second;
};

static uint64_t scramble(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Programs compare reads with each other, and with small numbers: all alike first, then small ones, then any. Where many
 * reads lead to an access most are zero: the first lane whose flag is set. */
static uint64_t sample_number(const struct sample *s, expr_id id)
{
    bool changed = s->second && s->v->varied[id];
    uint64_t any = scramble(scramble(id * 2u + changed) + s->number);
    if (s->number < ALIKE)
        return changed ? ~(uint64_t)s->number : s->number;
    if (s->number >= SPARSE)
        return any >> 62 & any >> 60 & any >> 58;
    return s->number < SMALL ? any >> 62 : any;
}

static bool sample_leaf(void *context, const struct expr *leaf, uint64_t *value)
{
    const struct sample *s = context;
    struct expr_pool *exprs = s->v->g->exprs;
    expr_id id = leaf->op == EXPR_READ ? expr_read(exprs, leaf->width, leaf->a, leaf->b)
                                       : expr_choice(exprs, leaf->width, leaf->a);
    *value = sample_number(s, s->v->leaf_of[id]);
    return true;
}

static bool sample_value(struct variation *v, unsigned number, bool second, expr_id id,
                         uint64_t *value)
{
    struct sample s = {v, number, second};
    struct expr_memo *memo = second ? &v->second[number] : &v->first[number];
    if (!memo->known)
        *memo = expr_memo_new(v->arena, v->g->exprs);
    return expr_eval_memo(v->g->exprs, memo, id, sample_leaf, &s, value);
}

static bool sample_holds(struct variation *v, unsigned number, bool second, expr_id id)
{
    uint64_t value;
    return sample_value(v, number, second, id, &value) && value;
}

static bool sample_differs(struct variation *v, unsigned number, expr_id a, expr_id b)
{
    uint64_t x, y;
    return sample_value(v, number, false, a, &x) && sample_value(v, number, true, b, &y) && x != y;
}

/* With the second value 'other' is surely not made as 'to' is made with the first. */
static bool sample_lacks(struct variation *v, unsigned number, const struct event *to,
                         const struct event *other)
{
    uint64_t made;
    return (sample_value(v, number, true, other->guard, &made) && !made) ||
           sample_differs(v, number, to->address, other->address) ||
           (to->kind == EVENT_WRITE && sample_differs(v, number, to->value, other->value));
}

static bool shows_effect(struct variation *v, const struct semantic_pair *pair,
                         const event_id *others, uint32_t count, unsigned number)
{
    const struct event *to = &v->g->events[pair->to];
    bool lost = sample_holds(v, number, false, pair->guard) &&
                sample_holds(v, number, false, to->guard) && sample_lacks(v, number, to, to);
    for (uint32_t i = 0; i < count && lost; i++)
        lost = sample_lacks(v, number, to, &v->g->events[others[i]]);
    return lost;
}

/* ---- for all values ------------------------------------------------------------------------- */

/* With the second value 'other' is made as 'to' is made with the first. */
static bdd is_made(const struct graph *g, struct expr_bits *bits, event_id to, event_id other)
{
    const struct event *a = &g->events[to], *b = &g->events[other];
    struct bdd_pool *pool = expr_bits_pool(bits);
    bdd made = expr_bit(bits, b->guard, 0, true);
    if (to != other) { /* in its stead, not beside it */
        made = bdd_and(pool, made, bdd_not(pool, expr_bit(bits, a->guard, 0, true)));
        made = bdd_and(pool, made, bdd_not(pool, expr_bit(bits, b->guard, 0, false)));
    }
    if (made != BDD_FALSE)
        made = bdd_and(pool, made, expr_bits_equal(bits, a->address, b->address));
    if (made != BDD_FALSE && a->kind == EVENT_WRITE)
        made = bdd_and(pool, made, expr_bits_equal(bits, a->value, b->value));
    return made;
}

static uint16_t depth_of(const struct variation *v, event_id e)
{
    const struct event *event = &v->g->events[e];
    uint16_t depth = expr_get(v->g->exprs, event->guard)->depth;
    uint16_t address = expr_get(v->g->exprs, event->address)->depth;
    uint16_t value = expr_get(v->g->exprs, event->value)->depth;
    depth = address > depth ? address : depth;
    return event->kind == EVENT_WRITE && value > depth ? value : depth;
}

enum effect { NO_EFFECT, EFFECT, UNDECIDED };

static bool are_shallow(const struct variation *v, const struct semantic_pair *pair,
                        const event_id *others, uint32_t count)
{
    uint16_t depth = depth_of(v, pair->to), guard = expr_get(v->g->exprs, pair->guard)->depth;
    for (uint32_t i = 0; i < count; i++)
        depth = depth_of(v, others[i]) > depth ? depth_of(v, others[i]) : depth;
    return depth <= DEEPEST && guard <= DEEPEST;
}

/* Is there a value of the read with which neither the access nor another in its stead is made as it
 * is made now? */
static enum effect prove_effect(const struct variation *v, struct expr_bits *bits,
                                const struct semantic_pair *pair, const event_id *others,
                                uint32_t count)
{
    const struct event *to = &v->g->events[pair->to];
    struct bdd_pool *pool = expr_bits_pool(bits);
    bdd lost =
        bdd_and(pool, expr_bit(bits, pair->guard, 0, false), expr_bit(bits, to->guard, 0, false));
    if (lost != BDD_FALSE)
        lost = bdd_and(pool, lost, bdd_not(pool, is_made(v->g, bits, pair->to, pair->to)));
    for (uint32_t i = 0; i < count && lost != BDD_FALSE; i++)
        lost = bdd_and(pool, lost, bdd_not(pool, is_made(v->g, bits, pair->to, others[i])));
    if (bdd_full(pool))
        return UNDECIDED;
    return lost == BDD_FALSE ? NO_EFFECT : EFFECT;
}

/* With what earlier pairs left in the diagrams, then with fresh ones. */
static enum effect prove_in(struct variation *v, unsigned attempt, const struct semantic_pair *pair,
                            const event_id *others, uint32_t count)
{
    struct diagrams *diagrams = &v->diagrams[attempt];
    enum effect effect = UNDECIDED;
    if (diagrams->bits && !bdd_full(expr_bits_pool(diagrams->bits)))
        effect = prove_effect(v, diagrams->bits, pair, others, count);
    if (effect != UNDECIDED)
        return effect;
    renew(diagrams, v->g, v->leaf_of, v->varied, attempt);
    return prove_effect(v, diagrams->bits, pair, others, count);
}

/* In a graph where diagrams of one size and order did not do, they hardly ever do for the pairs that are left. */
static enum effect prove(struct semantic_finder *f, struct variation *v,
                         const struct semantic_pair *pair, const event_id *others, uint32_t count)
{
    enum effect effect = UNDECIDED;
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS && effect == UNDECIDED; i++) {
        if (i >= EXPR_BITS_ORDERS && f->patience[i] < 0)
            continue;
        effect = prove_in(v, i, pair, others, count);
        f->patience[i] += effect == UNDECIDED ? -1 : 1;
    }
    return effect;
}

/* A few sample values show most effects; decision diagrams find the others, or prove that there is
 * none. */
static enum effect effect_of(struct semantic_finder *f, struct variation *v,
                             const struct semantic_pair *pair)
{
    VEC(event_id) others = {0};
    for (event_id e = 0; e < v->g->event_count; e++)
        if (semantic_may_stand_for(v->g, pair->to, e))
            vec_push(v->arena, &others, e);
    for (unsigned i = 0; i < SAMPLES; i++)
        if (shows_effect(v, pair, others.at, others.len, i))
            return EFFECT;
    if (!are_shallow(v, pair, others.at, others.len))
        return UNDECIDED;
    return prove(f, v, pair, others.at, others.len);
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void vary(struct semantic_finder *f, struct variation *v, event_id read)
{
    free_all(v->diagrams);
    arena_free(v->arena);
    *v = (struct variation){.arena = arena_scratch(f->g->arena), .g = f->g, .leaf_of = f->leaf_of};
    v->varied = ARENA_ARRAY(v->arena, bool, expr_count(f->g->exprs));
    for (uint32_t i = 0; i < f->g->events[read].pieces; i++)
        v->varied[f->leaf_of[piece_of(f->g, read, i)]] = true;
}

/* Is the access computed from the read, although the result is always the same? */
static bool mentions(struct variation *v, event_id e)
{
    const struct expr_pool *exprs = v->g->exprs;
    const struct event *event = &v->g->events[e];
    bool *named = ARENA_ARRAY(v->arena, bool, expr_count(exprs));
    for (expr_id id = 0; id < expr_count(exprs); id++) {
        const struct expr *expr = expr_get(exprs, id);
        bool leaf = expr_kids(expr, (expr_id[3]){0}) == 0;
        named[id] =
            leaf ? v->varied[v->leaf_of[id]] : named[expr->a] || named[expr->b] || named[expr->c];
    }
    return named[event->guard] || named[event->address] ||
           (event->kind == EVENT_WRITE && named[event->value]);
}

/* A dependency without effect is dropped, but noted where the expressions of the access still name
 * the read. What stays undecided counts as a dependency, with the reason. */
static void decide(struct semantic_finder *f, struct variation *v, const struct semantic_pair *pair)
{
    static const char unknown[] = "whether it has an effect was not decided";
    struct fixed_edge edge = {pair->from, pair->to, pair->guard, API_EDGE_NONE, NULL};
    enum effect effect = effect_of(f, v, pair);
    switch (effect == EFFECT && f->unsure ? UNDECIDED : effect) {
    case EFFECT:
        vec_push(f->g->arena, &f->edges, edge);
        return;
    case UNDECIDED:
        edge.reason = unknown;
        vec_push(f->g->arena, &f->undecided, edge);
        break;
    case NO_EFFECT:
        break;
    }
    if (mentions(v, pair->to))
        vec_push(f->g->arena, &f->formal, edge);
}

void semantic_find(struct graph *graph)
{
    struct semantic_finder f = {.g = graph};
    struct variation v = {0};
    if (graph->semantic_known)
        return;
    graph->semantic_known = true;
    collect_pairs(&f);
    if (!f.pairs.len)
        return;
    for (unsigned i = 0; i < EXPR_BITS_ATTEMPTS; i++)
        f.patience[i] = PATIENCE;
    make_pieces(graph);
    unite_reads(&f);
    for (uint32_t i = 0; i < f.pairs.len; i++) {
        const struct semantic_pair *pair = &f.pairs.at[i];
        if (!i || pair->from != f.pairs.at[i - 1].from)
            vary(&f, &v, pair->from);
        decide(&f, &v, pair);
    }
    free_all(v.diagrams);
    free_all(f.diagrams);
    arena_free(v.arena);
    graph->semantic_decided = f.edges.len;
    for (uint32_t i = 0; i < f.undecided.len; i++)
        vec_push(graph->arena, &f.edges, f.undecided.at[i]);
    graph->formal = f.formal.at;
    graph->formal_count = f.formal.len;
    graph->fixed[FIXED_semantic_dep] = f.edges.at;
    graph->fixed_count[FIXED_semantic_dep] = f.edges.len;
}

/* ---- where it can matter -------------------------------------------------------------------- */

/* Events, then granules: a write reaches what it may write, and that who may read it. */
struct semantic_flow {
    uint32_t from, to;
};

struct flows {
    struct arena *arena;
    VEC(struct semantic_flow) items;
};

/* From a write to the granules that it may write, and from those to a read that may read them. */
static void add_memory(struct flows *flows, const struct graph *g, event_id e)
{
    const struct event *event = &g->events[e];
    uint32_t first, count;
    for (uint32_t i = 0; i < event->address_count; i++)
        if (graph_granules(g, event->addresses[i], event->bytes, &first, &count))
            for (uint32_t k = first; k < first + count; k++) {
                struct semantic_flow flow = {e, g->event_count + k};
                if (event->kind == EVENT_READ)
                    flow = (struct semantic_flow){flow.to, flow.from};
                vec_push(flows->arena, &flows->items, flow);
            }
}

/* Marks the granules that an event may touch, or says whether one of them is marked. */
static bool touches(const struct graph *g, event_id e, bool *granules, bool mark)
{
    const struct event *event = &g->events[e];
    uint32_t first, count;
    bool met = false;
    for (uint32_t i = 0; i < event->address_count; i++)
        if (graph_granules(g, event->addresses[i], event->bytes, &first, &count))
            for (uint32_t k = first; k < first + count; k++) {
                granules[k] |= mark;
                met |= granules[k];
            }
    return met;
}

/* From writes to a read; not from those that the calls of a host program put behind it, which are most of them where
 * one kernel after the other updates the same memory. */
static void add_writes_to(struct flows *flows, const struct graph *g, event_id read)
{
    struct arena *scratch = arena_scratch(flows->arena);
    const bool *later = api_order_after(scratch, g, read);
    bool *granules = ARENA_ARRAY(scratch, bool, g->granule_count + 1);
    touches(g, read, granules, true);
    for (event_id w = 0; w < g->event_count; w++) {
        struct semantic_flow flow = {w, read};
        if (g->events[w].kind == EVENT_WRITE && !later[w] && touches(g, w, granules, false))
            vec_push(flows->arena, &flows->items, flow);
    }
    arena_free(scratch);
}

/* Every way by which a value can get from one event to another. */
static void add_flows(struct flows *flows, const struct graph *g)
{
    for (unsigned k = 0; k < SYNTACTIC; k++)
        for (uint32_t i = 0; i < g->fixed_count[syntactic[k]]; i++) {
            const struct fixed_edge *edge = &g->fixed[syntactic[k]][i];
            struct semantic_flow flow = {edge->from, edge->to};
            if (is_dependency(g, edge))
                vec_push(flows->arena, &flows->items, flow);
        }
    for (event_id e = 0; e < g->event_count; e++) {
        const struct event *event = &g->events[e];
        struct semantic_flow flow = {e, event->rmw};
        if (event->kind == EVENT_READ && event->rmw != NONE)
            vec_push(flows->arena, &flows->items, flow);
        if (g->fixed_count[FIXED_api_sync] && event->kind == EVENT_READ)
            add_writes_to(flows, g, e);
        else if (!g->fixed_count[FIXED_api_sync] &&
                 (event->kind == EVENT_READ || event->kind == EVENT_WRITE))
            add_memory(flows, g, e);
    }
}

/* Marks what nothing leads to, or what leads nowhere, until nothing is left that has not both:
 * those on cycles, and between them. */
static bool *on_cycles(struct flows *flows, uint32_t count)
{
    bool *alive = ARENA_ARRAY(flows->arena, bool, count);
    bool *in = ARENA_ARRAY(flows->arena, bool, count),
         *out = ARENA_ARRAY(flows->arena, bool, count);
    for (uint32_t i = 0; i < count; i++)
        alive[i] = true;
    bool changed = true;
    for (uint32_t round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            in[i] = out[i] = false;
        for (uint32_t i = 0; i < flows->items.len; i++) {
            struct semantic_flow flow = flows->items.at[i];
            bool both = alive[flow.from] && alive[flow.to];
            out[flow.from] |= both;
            in[flow.to] |= both;
        }
        for (uint32_t i = 0; i < count; i++) {
            changed |= alive[i] && !(in[i] && out[i]);
            alive[i] = alive[i] && in[i] && out[i];
        }
    }
    return alive;
}

bool semantic_is_among(const struct graph *g, const struct fixed_edge *edge, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct fixed_edge *semantic = &g->fixed[FIXED_semantic_dep][i];
        if (semantic->from == edge->from && semantic->to == edge->to)
            return true;
    }
    return false;
}

bool semantic_matters(struct graph *graph)
{
    struct flows flows = {.arena = arena_scratch(graph->arena)};
    bool matters = false;
    add_flows(&flows, graph);
    const bool *alive = on_cycles(&flows, graph->event_count + graph->granule_count);
    for (unsigned k = 0; k < SYNTACTIC; k++)
        for (uint32_t i = 0; i < graph->fixed_count[syntactic[k]] && !matters; i++) {
            const struct fixed_edge *edge = &graph->fixed[syntactic[k]][i];
            if (!is_dependency(graph, edge) || !alive[edge->from] || !alive[edge->to])
                continue;
            semantic_find(graph);
            matters = !semantic_is_among(graph, edge, graph->semantic_decided);
        }
    arena_free(flows.arena);
    return matters;
}

bool semantic_cut_short(struct graph *graph)
{
    struct flows flows = {.arena = arena_scratch(graph->arena)};
    bool cut = false;
    add_flows(&flows, graph);
    const bool *alive = on_cycles(&flows, graph->event_count + graph->granule_count);
    for (uint32_t i = 0; i < graph->formal_count && !cut; i++)
        cut = alive[graph->formal[i].from] && alive[graph->formal[i].to];
    arena_free(flows.arena);
    return cut;
}
