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

lit encode_overlap(struct encoding *encoding, event_id a, event_id b)
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
            if (share_granule(&domains->places[a][p], &domains->places[b][q]))
                lits[n++] =
                    session_and2(session, encoding->at_place[a][p], encoding->at_place[b][q]);
    return session_or(session, lits, n);
}

static bool find(GHashTable *table, gpointer pair, lit *is)
{
    gpointer found = g_hash_table_lookup(table, pair);
    *is = found;
    return found != NULL;
}

static void enter_co(struct encoding *encoding, event_id a, event_id b, lit is)
{
    struct order_pair pair = {a, b, is};
    g_hash_table_insert(encoding->co, key(encoding, a, b), is);
    vec_push(encoding->arena, &encoding->co_pairs, pair);
}

lit encode_co(struct encoding *encoding, event_id a, event_id b)
{
    struct session *session = encoding->session;
    const struct event *events = encoding->graph->events;
    lit is, ab, ba, unordered, overlap, neither[3];
    if (a == b || events[b].kind == EVENT_INIT || !encode_may_overlap(encoding, a, b))
        return session->no;
    if (find(encoding->co, key(encoding, a, b), &is))
        return is;
    overlap = encode_overlap(encoding, a, b);
    if (overlap == session->no)
        return overlap;
    if (events[a].kind == EVENT_INIT) {
        g_hash_table_insert(encoding->co, key(encoding, a, b), overlap);
        return overlap;
    }
    if (a > b) { /* made in one order, so that equal runs make equal clauses */
        encode_co(encoding, b, a);
        find(encoding->co, key(encoding, a, b), &is);
        return is;
    }
    /* Both false by default, which is a before b: what order.c does with pairs that nothing names.
     */
    unordered = session_bool(session);
    ba = session_bool(session);
    neither[0] = overlap;
    neither[1] = session_not(session, ba);
    neither[2] = session_not(session, unordered);
    ab = session_and(session, neither, 3);
    SESSION_CLAUSE(session, session_not(session, ba), overlap);
    enter_co(encoding, a, b, ab);
    enter_co(encoding, b, a, ba);
    return ab;
}

static void enter_sc(struct encoding *encoding, event_id a, event_id b, lit is)
{
    struct order_pair pair = {a, b, is};
    g_hash_table_insert(encoding->sc, key(encoding, a, b), is);
    vec_push(encoding->arena, &encoding->sc_pairs, pair);
}

lit encode_sc(struct encoding *encoding, event_id a, event_id b)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    lit is;
    if (a == b || !graph_scope_contains(graph, a, b) || !graph_scope_contains(graph, b, a))
        return session->no;
    if (find(encoding->sc, key(encoding, a, b), &is))
        return is;
    if (a > b) {
        encode_sc(encoding, b, a);
        find(encoding->sc, key(encoding, a, b), &is);
        return is;
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
    enter_sc(encoding, a, b, ab);
    enter_sc(encoding, b, a, ba);
    return ab;
}
