/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

/* What 'complete' stands for: no barrier and no spin loop holds a thread for ever. */
static lit encode_complete(struct encoding *encoding)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    uint32_t n = 0;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count + graph->assumption_count);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        if (graph->barriers[i].counted && graph->events[graph->barriers[i].event].tags & TAG(SYNC))
            lits[n++] = session_not(session, encode_completion(encoding, i, NONE));
    for (uint32_t i = 0; i < graph->assumption_count; i++)
        if (graph->assumptions[i].kind == ASSUME_SPIN_EXIT)
            lits[n++] = encode_is(encoding, encoding->of[graph->assumptions[i].condition], 1);
    return session_and(session, lits, n);
}

lit encode_assumptions(struct encoding *encoding, enum assumption_kind kind)
{
    const struct graph *graph = encoding->graph;
    uint32_t n = 0;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, graph->assumption_count);
    for (uint32_t i = 0; i < graph->assumption_count; i++)
        if (graph->assumptions[i].kind == kind)
            lits[n++] = encode_is(encoding, encoding->of[graph->assumptions[i].condition], 1);
    return session_and(encoding->session, lits, n);
}

static void assume_plain(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    for (uint32_t i = 0; i < graph->assumption_count; i++)
        if (graph->assumptions[i].kind == ASSUME_PLAIN)
            SESSION_CLAUSE(encoding->session,
                           encode_is(encoding, encoding->of[graph->assumptions[i].condition], 1));
}

static void release(void *object)
{
    struct encoding *encoding = object;
    g_hash_table_destroy(encoding->co.table);
    g_hash_table_destroy(encoding->sc.table);
}

struct encoding *encoding_new(struct arena *arena, struct session *session,
                              const struct graph *graph, const struct exclusion *excluded)
{
    struct encoding *encoding = ARENA_NEW(arena, struct encoding);
    encoding->arena = arena;
    encoding->session = session;
    encoding->graph = graph;
    encoding->co.table = g_hash_table_new(NULL, NULL);
    encoding->sc.table = g_hash_table_new(NULL, NULL);
    arena_tie(arena, &encoding->tie, release, encoding);
    encoding->domains = domains_new(arena, graph, excluded);
    encode_values(encoding);
    encode_choices(encoding);
    encode_barriers(encoding);
    assume_plain(encoding);
    encoding->complete = encode_complete(encoding);
    encoding->within_bound = encode_assumptions(encoding, ASSUME_BOUND);
    encoding->defined = encode_assumptions(encoding, ASSUME_DEFINED);
    return encoding;
}

void encoding_free(struct encoding *encoding)
{
    if (!encoding)
        return;
    arena_untie(&encoding->tie);
    release(encoding);
}
