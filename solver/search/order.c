/* SPDX-License-Identifier: MIT */
#include "solver/search/order.h"

#include <assert.h>
#include <string.h>

/* The pairs that hold in the model, as a graph: the literal of an edge beside its end. */
struct edge {
    event_id to;
    lit is;
    uint32_t next; /* plus 1 */
};

struct order_edges {
    uint32_t n;
    uint32_t *first; /* an event: index of its first edge plus 1 */
    VEC(struct edge) all;
    event_id *queue, *parent; /* of a search */
    lit *parent_is;
    uint32_t *seen, round;
};

static struct order_edges *edges_new(struct arena *scratch, uint32_t n)
{
    struct order_edges *edges = ARENA_NEW(scratch, struct order_edges);
    edges->n = n;
    edges->first = ARENA_ARRAY(scratch, uint32_t, n);
    edges->queue = ARENA_ARRAY(scratch, event_id, n);
    edges->parent = ARENA_ARRAY(scratch, event_id, n);
    edges->parent_is = ARENA_ARRAY(scratch, lit, n);
    edges->seen = ARENA_ARRAY(scratch, uint32_t, n);
    return edges;
}

static void add_edge(struct arena *scratch, struct order_edges *edges, event_id a, event_id b,
                     lit is)
{
    struct edge edge = {b, is, edges->first[a]};
    vec_push(scratch, &edges->all, edge);
    edges->first[a] = edges->all.len;
}

/* A shortest way from a to b of at least one edge; 'parent' then leads back from b. */
static bool find_path(struct order_edges *edges, event_id a, event_id b)
{
    uint32_t head = 0, tail = 0;
    edges->round++;
    edges->queue[tail++] = a;
    while (head < tail) {
        event_id from = edges->queue[head++];
        for (uint32_t i = edges->first[from]; i; i = edges->all.at[i - 1].next) {
            const struct edge *edge = &edges->all.at[i - 1];
            if (edges->seen[edge->to] == edges->round)
                continue;
            edges->seen[edge->to] = edges->round;
            edges->parent[edge->to] = from;
            edges->parent_is[edge->to] = edge->is;
            if (edge->to == b)
                return true;
            if (edge->to != a)
                edges->queue[tail++] = edge->to;
        }
    }
    return false;
}

/* Learns: the way found from a to b implies 'then'. */
static void learn_path(struct encoding *encoding, struct arena *scratch,
                       const struct order_edges *edges, event_id a, event_id b, lit then)
{
    VEC(lit) lits = {0};
    event_id at = b;
    vec_push(scratch, &lits, then);
    do {
        lit not_edge = session_not(encoding->session, edges->parent_is[at]);
        vec_push(scratch, &lits, not_edge);
        at = edges->parent[at];
    } while (at != a);
    session_clause(encoding->session, lits.at, lits.len);
}

/* Cycles learned at one time: enough to make progress on all of an order at once. */
enum { CYCLES = 256 };

/* Learns a shortest cycle through each event that is on one. */
static bool learn_cycles(struct encoding *encoding, struct arena *scratch,
                         struct order_edges *edges)
{
    uint32_t found = 0;
    for (event_id e = 0; e < edges->n && found < CYCLES; e++)
        if (edges->first[e] && find_path(edges, e, e)) {
            learn_path(encoding, scratch, edges, e, e, encoding->session->no);
            found++;
        }
    return found > 0;
}

/* 'events', of which there are 'count', in an order that respects the edges: the first of them that
 * is free comes first. There is no cycle, and no edge begins at another event. */
static event_id *line_up(struct arena *scratch, const struct order_edges *edges,
                         const event_id *events, uint32_t count)
{
    uint32_t *before = ARENA_ARRAY(scratch, uint32_t, edges->n);
    event_id *line = ARENA_ARRAY(scratch, event_id, count);
    bool *done = ARENA_ARRAY(scratch, bool, count);
    for (uint32_t i = 0; i < edges->all.len; i++)
        before[edges->all.at[i].to]++;
    uint32_t placed = 0;
    for (uint32_t round = 0; round < count; round++)
        for (uint32_t i = 0; i < count; i++) {
            if (done[i] || before[events[i]])
                continue;
            done[i] = true;
            line[placed++] = events[i];
            for (uint32_t j = edges->first[events[i]]; j; j = edges->all.at[j - 1].next)
                before[edges->all.at[j - 1].to]--;
            break;
        }
    assert(placed == count);
    (void)placed;
    return line;
}

static void turn_round(event_id *events, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        event_id e = events[i];
        events[i] = events[count - 1 - i];
        events[count - 1 - i] = e;
    }
}

/* ---- coherence ------------------------------------------------------------------------------ */

/* Pairs that follow by transitivity, whose literal says otherwise. */
static bool learn_transitivity(struct encoding *encoding, struct arena *scratch,
                               struct order_edges *edges, const struct rel *co)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < encoding->co.pairs.len && found < CYCLES; i++) {
        const struct order_pair *pair = &encoding->co.pairs.at[i];
        if (!rel_has(co, pair->a, pair->b) || session_true(encoding->session, pair->is))
            continue;
        if (find_path(edges, pair->a, pair->b)) {
            learn_path(encoding, scratch, edges, pair->a, pair->b, pair->is);
            found++;
        }
    }
    return found > 0;
}

static bool overlapping(const struct execution *x, event_id a, event_id b)
{
    return x->executed[a] && x->executed[b] &&
           x->first_granule[a] < x->first_granule[b] + x->granules[b] &&
           x->first_granule[b] < x->first_granule[a] + x->granules[a];
}

/* Transitivity runs through writes that overlap their neighbours; what it relates is kept where the
 * two ends overlap (8.9.6). Initial writes come first. */
static void restrict_to_overlap(const struct graph *graph, struct execution *x)
{
    for (event_id a = 0; a < graph->event_count; a++)
        for (event_id b = 0; b < graph->event_count && event_is_write(&graph->events[a]); b++) {
            bool initial =
                graph->events[a].kind == EVENT_INIT && graph->events[b].kind == EVENT_WRITE;
            if (initial && overlapping(x, a, b))
                rel_add(x->co, a, b);
            else if (rel_has(x->co, a, b) && !overlapping(x, a, b))
                rel_remove(x->co, a, b);
        }
}

/* No write of a granule comes after its final one. */
static bool learn_finals(struct encoding *encoding, struct arena *scratch,
                         struct order_edges *edges, const struct execution *x)
{
    const struct graph *graph = encoding->graph;
    struct session *session = encoding->session;
    bool learned = false;
    for (uint32_t g = 0; g < graph->granule_count; g++) {
        event_id last = x->final[g];
        for (uint32_t i = 0; encoding->final[g] && i < encoding->final_count[g]; i++) {
            event_id w = encoding->final[g][i].write;
            if (w == last || !rel_has(x->co, last, w) || graph->events[last].kind == EVENT_INIT)
                continue;
            if (!find_path(edges, last, w))
                continue;
            for (uint32_t j = 0; j < encoding->final_count[g]; j++)
                if (encoding->final[g][j].write == last) {
                    lit covers = encode_covers(encoding, w, g);
                    learn_path(encoding, scratch, edges, last, w,
                               session_or2(session, session_not(session, encoding->final[g][j].is),
                                           session_not(session, covers)));
                }
            learned = true;
        }
    }
    return learned;
}

/* Orders all writes of a location although nothing asks for it: most models want writes that can
 * see each other ordered, and what no clause names may be ordered in any way. */
struct completing {
    struct encoding *encoding;
    struct execution *x;
    event_id *line; /* executed writes, respecting the literals */
    uint32_t count;
    bool *left_alone;  /* a location whose literals want two writes unordered */
    struct rel *named; /* pairs that have a literal, either way */
};

static uint32_t location_of(const struct execution *x, event_id e)
{
    return x->graph->granules[x->first_granule[e]].location;
}

static bool ends_before(const struct completing *c, event_id a, event_id b)
{
    for (uint32_t g = c->x->first_granule[a]; g < c->x->first_granule[a] + c->x->granules[a]; g++)
        if (c->encoding->final[g] && c->x->final[g] == a &&
            g - c->x->first_granule[b] < c->x->granules[b])
            return true;
    return false;
}

static void complete_pairs(struct completing *c, const struct rel *chosen)
{
    struct execution *x = c->x;
    rel_copy(x->co, chosen);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = i + 1; j < c->count; j++) {
            event_id a = c->line[i], b = c->line[j];
            if (!overlapping(x, a, b) || c->left_alone[location_of(x, a)] ||
                rel_has(c->named, a, b))
                continue;
            rel_add(x->co, ends_before(c, a, b) ? b : a, ends_before(c, a, b) ? a : b);
        }
    rel_closure(x->co, x->co);
}

/* Locations where completing went against a literal, or put a write after the final one. */
static bool note_conflicts(struct completing *c, const struct rel *chosen)
{
    struct execution *x = c->x;
    bool found = false;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = 0; j < c->count; j++) {
            event_id a = c->line[i], b = c->line[j];
            if (!rel_has(x->co, a, b) || rel_has(chosen, a, b))
                continue;
            if (a == b || rel_has(c->named, a, b) || (overlapping(x, a, b) && ends_before(c, a, b)))
                found = c->left_alone[location_of(x, a)] = true;
        }
    return found;
}

/* 'chosen': what the literals say, closed. */
static void complete_co(struct encoding *encoding, struct arena *scratch,
                        const struct order_edges *edges, struct execution *x, bool opposite)
{
    const struct graph *graph = encoding->graph;
    struct rel *chosen = rel_new(scratch, graph->event_count);
    struct completing c = {.encoding = encoding,
                           .x = x,
                           .left_alone =
                               ARENA_ARRAY(scratch, bool, graph->test->location_count + 1),
                           .named = rel_new(scratch, graph->event_count)};
    event_id *writes = ARENA_ARRAY(scratch, event_id, graph->event_count);
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_WRITE && x->executed[e])
            writes[c.count++] = e;
    if (c.count < 2)
        return;
    if (opposite)
        turn_round(writes, c.count);
    for (uint32_t i = 0; i < encoding->co.pairs.len; i++)
        rel_add(c.named, encoding->co.pairs.at[i].a, encoding->co.pairs.at[i].b);
    rel_copy(chosen, x->co);
    c.line = line_up(scratch, edges, writes, c.count);
    do
        complete_pairs(&c, chosen);
    while (note_conflicts(&c, chosen));
}

static bool settle_co(struct encoding *encoding, struct arena *scratch, struct execution *x,
                      bool opposite)
{
    struct order_edges *edges = edges_new(scratch, encoding->graph->event_count);
    rel_clear(x->co);
    for (uint32_t i = 0; i < encoding->co.pairs.len; i++) {
        const struct order_pair *pair = &encoding->co.pairs.at[i];
        if (session_true(encoding->session, pair->is)) {
            add_edge(scratch, edges, pair->a, pair->b, pair->is);
            rel_add(x->co, pair->a, pair->b);
        }
    }
    if (edges->all.len > 0) {
        if (learn_cycles(encoding, scratch, edges))
            return false;
        rel_closure(x->co, x->co);
        if (learn_transitivity(encoding, scratch, edges, x->co))
            return false;
    }
    complete_co(encoding, scratch, edges, x, opposite);
    restrict_to_overlap(encoding->graph, x);
    return edges->all.len == 0 || !learn_finals(encoding, scratch, edges, x);
}

/* ---- Fence-SC ------------------------------------------------------------------------------- */

static bool settle_sc(struct encoding *encoding, struct arena *scratch, struct execution *x,
                      bool opposite)
{
    const struct graph *graph = encoding->graph;
    struct order_edges *edges = edges_new(scratch, graph->event_count);
    event_id *fences = ARENA_ARRAY(scratch, event_id, graph->event_count), *line;
    uint32_t count = 0;
    rel_clear(x->sc);
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].kind == EVENT_FENCE && graph->events[e].tags & TAG(SC) &&
            x->executed[e])
            fences[count++] = e;
    for (uint32_t i = 0; i < encoding->sc.pairs.len; i++) {
        const struct order_pair *pair = &encoding->sc.pairs.at[i];
        if (x->executed[pair->a] && x->executed[pair->b] &&
            session_true(encoding->session, pair->is))
            add_edge(scratch, edges, pair->a, pair->b, pair->is);
    }
    if (edges->all.len && learn_cycles(encoding, scratch, edges))
        return false;
    if (opposite)
        turn_round(fences, count);
    line = line_up(scratch, edges, fences, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (graph_scope_contains(graph, line[i], line[j]) &&
                graph_scope_contains(graph, line[j], line[i]))
                rel_add(x->sc, line[i], line[j]);
    return true;
}

bool order_settle(struct encoding *encoding, struct arena *scratch, struct execution *execution,
                  bool opposite)
{
    bool co = settle_co(encoding, scratch, execution, opposite);
    return settle_sc(encoding, scratch, execution, opposite) && co;
}
