/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

/* Literals for coherence and Fence-SC. A pair gets one when a clause first mentions it. That these
 * orders are acyclic and transitive is learned when Z3 proposes one that is not
 * (solver/search/order.c). */

static gpointer key(const struct encoding *encoding, event_id a, event_id b)
{
    return GSIZE_TO_POINTER((gsize)a * encoding->graph->event_count + b + 1);
}

static bool share_granule(const struct footprint *a, const struct footprint *b)
{
    return a->first < b->first + b->count && b->first < a->first + a->count;
}

bool encode_may_overlap(const struct encoding *encoding, event_id a, event_id b)
{
    const struct domains *domains = encoding->domains;
    for (uint32_t p = 0; p < domains->place_count[a]; p++)
        for (uint32_t q = 0; q < domains->place_count[b]; q++)
            if (share_granule(&domains->places[a][p], &domains->places[b][q]))
                return true;
    return false;
}

/* Both execute, at places that go together. */
static lit encode_places(struct encoding *encoding, event_id a, event_id b,
                         bool (*together)(const struct footprint *, const struct footprint *))
{
    const struct domains *domains = encoding->domains;
    struct session *session = encoding->session;
    uint32_t n = 0;
    if (!encoding->at_place[a] || !encoding->at_place[b])
        return session->no;
    lit *lits =
        ARENA_ARRAY(encoding->arena, lit, domains->place_count[a] * domains->place_count[b]);
    for (uint32_t p = 0; p < domains->place_count[a]; p++)
        for (uint32_t q = 0; q < domains->place_count[b]; q++)
            if (together(&domains->places[a][p], &domains->places[b][q]))
                lits[n++] =
                    session_and2(session, encoding->at_place[a][p], encoding->at_place[b][q]);
    return session_or(session, lits, n);
}

lit encode_overlap(struct encoding *encoding, event_id a, event_id b)
{
    return encode_places(encoding, a, b, share_granule);
}

static bool start_alike(const struct footprint *a, const struct footprint *b)
{
    return a->address == b->address;
}

lit encode_same_range(struct encoding *encoding, event_id a, event_id b)
{
    const struct event *events = encoding->graph->events;
    return events[a].bytes == events[b].bytes ? encode_places(encoding, a, b, start_alike)
                                              : encoding->session->no;
}

/* The literal of the pair, or NULL. */
static lit known(const struct encoding *encoding, const struct order_literals *order, event_id a,
                 event_id b)
{
    return g_hash_table_lookup(order->table, key(encoding, a, b));
}

static void enter(struct encoding *encoding, struct order_literals *order, event_id a, event_id b,
                  lit is)
{
    struct order_pair pair = {a, b, is};
    g_hash_table_insert(order->table, key(encoding, a, b), is);
    vec_push(encoding->arena, &order->pairs, pair);
}

lit encode_co(struct encoding *encoding, event_id a, event_id b)
{
    struct session *session = encoding->session;
    const struct event *events = encoding->graph->events;
    if (a == b || events[b].kind == EVENT_INIT || !encode_may_overlap(encoding, a, b))
        return session->no;
    lit is = known(encoding, &encoding->co, a, b);
    if (is)
        return is;
    lit overlap = encode_overlap(encoding, a, b);
    if (overlap == session->no)
        return overlap;
    if (events[a].kind == EVENT_INIT) {
        g_hash_table_insert(encoding->co.table, key(encoding, a, b), overlap);
        return overlap;
    }
    if (a > b) { /* made in one order, so that equal runs make equal clauses */
        encode_co(encoding, b, a);
        return known(encoding, &encoding->co, a, b);
    }
    /* Both false by default, which is a before b: what search/order.c does with pairs
     * that nothing names. */
    const struct exclusion *excluded = encoding->domains->excluded;
    bool total = excluded && (rel_has(excluded->total, a, b) || rel_has(excluded->total, b, a));
    lit unordered = total ? session->no : session_bool(session), ba = session_bool(session);
    lit neither[] = {overlap, session_not(session, ba), session_not(session, unordered)};
    lit ab = session_and(session, neither, 3);
    SESSION_CLAUSE(session, session_not(session, ba), overlap);
    enter(encoding, &encoding->co, a, b, ab);
    enter(encoding, &encoding->co, b, a, ba);
    return ab;
}

lit encode_sc(struct encoding *encoding, event_id a, event_id b)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    if (a == b || !graph_scope_contains(graph, a, b) || !graph_scope_contains(graph, b, a))
        return session->no;
    lit is = known(encoding, &encoding->sc, a, b);
    if (is)
        return is;
    if (a > b) {
        encode_sc(encoding, b, a);
        return known(encoding, &encoding->sc, a, b);
    }
    lit both = session_and2(session, encoding->executed[a], encoding->executed[b]);
    /* False by default: fences stand in the order of their numbers. */
    lit ba = session_bool(session);
    lit ab = both == session->yes ? session_not(session, ba) : session_bool(session);
    if (both != session->yes) {
        SESSION_CLAUSE(session, session_not(session, ab), session_not(session, ba));
        SESSION_CLAUSE(session, session_not(session, both), ab, ba);
        SESSION_CLAUSE(session, session_not(session, ab), both);
        SESSION_CLAUSE(session, session_not(session, ba), both);
    }
    enter(encoding, &encoding->sc, a, b, ab);
    enter(encoding, &encoding->sc, b, a, ba);
    return ab;
}
