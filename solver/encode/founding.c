/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

/* Values that rest on themselves are no execution's. A clause that excludes one circle of them says nothing of the
 * next, and threads that exchange values in loops have more circles than can be gone through. So where some were met,
 * everything that may be part of one gets a rank: what is known later than what it rests on has no smaller one, and
 * what a read returns has a larger one than the write. How values become known is execution.c's: an operand may
 * decide alone. */

struct circles {
    struct encoding *encoding;
    struct arena *scratch;
    uint32_t exprs, nodes; /* an expression's node is its number; those of events follow */
    bool *in;              /* a node: may be part of a circle */
    VEC(struct resting) edges;
    lit **rank; /* a node: the bits of its rank, NULL outside of circles */
    unsigned bits;
};

/* The first node may need the second. */
struct resting {
    uint32_t from, to;
};

static uint32_t node_of(const struct circles *f, event_id e)
{
    return f->exprs + e;
}

static void add_edge(struct circles *f, uint32_t from, uint32_t to)
{
    vec_push(f->scratch, &f->edges, ((struct resting){from, to}));
}

/* ---- what may rest on itself ---------------------------------------------------------------- */

static void add_read(struct circles *f, expr_id id, const struct expr *read)
{
    const struct encoding *encoding = f->encoding;
    add_edge(f, id, node_of(f, read->b));
    for (uint32_t s = encoding->first_origin[read->b]; s < encoding->first_origin[read->b + 1]; s++)
        for (uint32_t i = 0; i < encoding->origins[s].count; i++)
            if (encoding->origins[s].index == read->a)
                add_edge(f, id, node_of(f, encoding->origins[s].from[i].write));
}

static void add_edges(struct circles *f)
{
    const struct graph *graph = f->encoding->graph;
    for (expr_id id = 0; id < f->exprs; id++) {
        const struct expr *expr = expr_get(graph->exprs, id);
        expr_id kids[3];
        unsigned count = expr_kids(expr, kids);
        if (!f->encoding->of[id])
            continue;
        if (expr->op == EXPR_READ)
            add_read(f, id, expr);
        if (expr->op == EXPR_CHOICE && graph->choices[expr->a].rests_on)
            add_edge(f, id, graph->choices[expr->a].rests_on - 1);
        for (unsigned i = 0; i < count; i++)
            add_edge(f, id, kids[i]);
    }
    for (event_id e = 0; e < graph->event_count; e++) {
        if (!event_is_memory(&graph->events[e]))
            continue;
        add_edge(f, node_of(f, e), event_assured(graph, e));
        add_edge(f, node_of(f, e), graph->events[e].address);
        if (event_is_write(&graph->events[e]))
            add_edge(f, node_of(f, e), graph->events[e].value);
    }
}

/* Takes out what rests on nothing that is in, or on which nothing rests that is. False: there was none. */
static bool trim(struct circles *f, bool *rests, bool *carries)
{
    bool trimmed = false;
    for (uint32_t n = 0; n < f->nodes; n++)
        rests[n] = carries[n] = false;
    for (uint32_t i = 0; i < f->edges.len; i++) {
        const struct resting *edge = &f->edges.at[i];
        if (f->in[edge->from] && f->in[edge->to])
            rests[edge->from] = carries[edge->to] = true;
    }
    for (uint32_t n = 0; n < f->nodes; n++) {
        trimmed |= f->in[n] && !(rests[n] && carries[n]);
        f->in[n] = rests[n] && carries[n];
    }
    return trimmed;
}

static void find_circles(struct circles *f)
{
    bool *rests = ARENA_ARRAY(f->scratch, bool, f->nodes);
    bool *carries = ARENA_ARRAY(f->scratch, bool, f->nodes);
    f->in = ARENA_ARRAY(f->scratch, bool, f->nodes);
    for (uint32_t n = 0; n < f->nodes; n++)
        f->in[n] = true;
    while (trim(f, rests, carries))
        ;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

/* An operation on one operand is known when that is. */
static bool is_operand(const struct expr *expr)
{
    return expr->op == EXPR_NOT || expr->op == EXPR_ZEXT || expr->op == EXPR_SEXT;
}

static lit *fresh_rank(const struct circles *f)
{
    lit *bits = ARENA_ARRAY(f->scratch, lit, f->bits);
    for (unsigned i = 0; i < f->bits; i++)
        bits[i] = session_bool(f->encoding->session);
    return bits;
}

static void make_ranks(struct circles *f)
{
    const struct graph *graph = f->encoding->graph;
    uint32_t writes = 1;
    for (event_id e = 0; e < graph->event_count; e++)
        writes += f->in[node_of(f, e)] && event_is_write(&graph->events[e]);
    f->bits = 64 - (unsigned)__builtin_clzll(writes + 1);
    f->rank = ARENA_ARRAY(f->scratch, lit *, f->nodes);
    for (uint32_t n = 0; n < f->nodes; n++) {
        const struct expr *expr = n < f->exprs ? expr_get(graph->exprs, n) : NULL;
        if (f->in[n])
            f->rank[n] =
                expr && is_operand(expr) && f->in[expr->a] ? f->rank[expr->a] : fresh_rank(f);
    }
}

/* The first is known no earlier than the second, as a literal; 'yes' where that goes without saying. */
static lit not_before(const struct circles *f, uint32_t a, uint32_t b)
{
    struct session *session = f->encoding->session;
    if (!f->in[a] || !f->in[b] || f->rank[a] == f->rank[b])
        return session->yes;
    return session_at_least(session, f->rank[a], f->rank[b], f->bits);
}

static void require(const struct circles *f, lit when, uint32_t a, uint32_t b)
{
    struct session *session = f->encoding->session;
    SESSION_CLAUSE(session, session_not(session, when), not_before(f, a, b));
}

/* One operand decides alone where it absorbs the other; else both are needed. */
static void rank_absorbing(const struct circles *f, expr_id id, const struct expr *expr)
{
    struct encoding *encoding = f->encoding;
    struct session *session = encoding->session;
    uint64_t absorbs = expr->op == EXPR_OR ? UINT64_MAX >> (64 - expr->width) : 0;
    lit after_a = not_before(f, id, expr->a), after_b = not_before(f, id, expr->b);
    SESSION_CLAUSE(session, after_a, after_b);
    SESSION_CLAUSE(session, after_a, encode_is(encoding, encoding->of[expr->b], absorbs));
    SESSION_CLAUSE(session, after_b, encode_is(encoding, encoding->of[expr->a], absorbs));
}

static void rank_choice(const struct circles *f, expr_id id, const struct expr *expr)
{
    struct encoding *encoding = f->encoding;
    const struct value *condition = encoding->of[expr->a];
    require(f, encoding->session->yes, id, expr->a);
    require(f, encode_is(encoding, condition, 1), id, expr->b);
    require(f, encode_is(encoding, condition, 0), id, expr->c);
}

static void rank_read(const struct circles *f, expr_id id, const struct expr *expr)
{
    struct encoding *encoding = f->encoding;
    struct session *session = encoding->session;
    event_id read = expr->b;
    require(f, encoding->executed[read], id, node_of(f, read));
    for (uint32_t s = encoding->first_origin[read]; s < encoding->first_origin[read + 1]; s++) {
        const struct origin *origin = &encoding->origins[s];
        for (uint32_t i = 0; i < origin->count && origin->index == expr->a; i++) {
            uint32_t write = node_of(f, origin->from[i].write);
            if (f->in[write])
                SESSION_CLAUSE(session, session_not(session, origin->from[i].is),
                               session_above(session, f->rank[id], f->rank[write], f->bits));
        }
    }
}

static void rank_expr(const struct circles *f, expr_id id)
{
    struct session *session = f->encoding->session;
    const struct expr_pool *exprs = f->encoding->graph->exprs;
    const struct expr *expr = expr_get(exprs, id);
    expr_id kids[3];
    unsigned count = expr_kids(expr, kids);
    for (unsigned i = 0; i < count; i++)
        if (!f->encoding->of[kids[i]] || expr->width > 64 || expr_get(exprs, kids[i])->width > 64)
            return; /* parts of it may be known */
    switch (expr->op) {
    case EXPR_READ:
        rank_read(f, id, expr);
        return;
    case EXPR_CHOICE:
        require(f, session->yes, id, f->encoding->graph->choices[expr->a].rests_on - 1);
        return;
    case EXPR_ITE:
        rank_choice(f, id, expr);
        return;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_MUL:
        rank_absorbing(f, id, expr);
        return;
    default:
        for (unsigned i = 0; i < count; i++)
            require(f, session->yes, id, kids[i]);
    }
}

static void rank_event(const struct circles *f, event_id e)
{
    const struct event *event = &f->encoding->graph->events[e];
    lit executed = f->encoding->executed[e];
    require(f, executed, node_of(f, e), event_assured(f->encoding->graph, e));
    require(f, executed, node_of(f, e), event->address);
    if (event_is_write(event))
        require(f, executed, node_of(f, e), event->value);
}

void encode_founding(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    struct circles f = {.encoding = encoding,
                        .scratch = arena_scratch(encoding->arena),
                        .exprs = expr_count(graph->exprs)};
    f.nodes = f.exprs + graph->event_count;
    add_edges(&f);
    find_circles(&f);
    make_ranks(&f);
    for (expr_id id = 0; id < f.exprs; id++)
        if (f.in[id])
            rank_expr(&f, id);
    for (event_id e = 0; e < graph->event_count; e++)
        if (f.in[node_of(&f, e)])
            rank_event(&f, e);
    arena_free(f.scratch);
}
