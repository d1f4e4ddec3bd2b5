/* SPDX-License-Identifier: MIT */
#include "solver/answer/standstill.h"

/* The operation j arrived at the barrier of 'op', with its whole party and for the same need, and
 * is in no completion. */
static lit encode_pending(struct encoding *encoding, const struct barrier_op *op, uint32_t j)
{
    struct session *session = encoding->session;
    const struct barrier_op *other = &encoding->graph->barriers[j];
    lit there = session_and2(session, encode_completion(encoding, j, NONE),
                             encode_is(encoding, encoding->of[other->gathered], 1));
    there = session_and2(session, there,
                         encode_equal(encoding, encoding->of[op->need], encoding->of[other->need]));
    return session_and2(
        session, there,
        encode_equal(encoding, encoding->of[op->resource], encoding->of[other->resource]));
}

/* The operation waits for a completion that never gathers: pending arrivals stay below its need. */
static lit encode_wait(struct encoding *encoding, const struct standstill *still, uint32_t i)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    const struct barrier_op *op = &graph->barriers[i];
    const struct domain *need = &encoding->domains->of[op->need];
    lit *pending = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count), waits;
    int *weights = ARENA_ARRAY(encoding->arena, int, graph->barrier_count);
    uint32_t *parties = ARENA_ARRAY(encoding->arena, uint32_t, graph->barrier_count), n = 0;
    if (!op->counted || !(graph->events[op->event].tags & TAG(SYNC)))
        return session->no;
    waits = session_and2(session, encode_completion(encoding, i, NONE), session_bool(session));
    if (op->yields)
        waits = session_and2(session, waits, still->some_spins);
    for (uint32_t j = 0; j < graph->barrier_count; j++) {
        const struct barrier_op *other = &graph->barriers[j];
        uint32_t p = 0;
        if (!graph_counted_together(graph, op, other) || !other->weight)
            continue;
        lit is = encode_pending(encoding, op, j);
        while (p < n && parties[p] != other->party)
            p++;
        pending[p] = p < n ? session_or2(session, pending[p], is) : is;
        weights[p] = (int)other->weight;
        parties[p] = other->party;
        n += p == n;
    }
    for (uint32_t v = 0; v < need->count; v++)
        session_sum(session, session_and2(session, waits, encoding->of[op->need]->is[v]), pending,
                    weights, n, (int)MIN(need->at[v], INT32_MAX) - 1, false);
    if (need->any) /* a need that nothing bounds is met by nobody's count: larger than any sum of
                      ours */
        SESSION_CLAUSE(session, session_not(session, waits));
    return waits;
}

/* Writes that are made for ever say nothing about which is the last one. */
static lit is_last_write(struct encoding *encoding, const struct standstill *still, event_id w)
{
    uint32_t thread = encoding->graph->events[w].thread;
    return thread == NONE ? session_not(encoding->session, encoding->session->no)
                          : session_not(encoding->session, still->goes_on[thread]);
}

/* when -> no write that the read must see in the end comes after what it takes its granules from: 'w' does not overwrite
 * it for good, where that is promised to be seen. */
static void encode_seen(struct encoding *encoding, const struct standstill *still, lit when,
                        const struct origin *origin, const struct candidate *from)
{
    struct session *session = encoding->session;
    const struct domains *domains = encoding->domains;
    for (uint32_t j = 0; j < domains->writer_count[origin->granule]; j++) {
        event_id w = domains->writers[origin->granule][j];
        lit promised = session->no;
        if (graph_mutual(encoding->graph, origin->read, w))
            promised = encode_same_range(encoding, origin->read, w);
        if (promised == session->no && still->some_write == session->no)
            continue;
        lit later = session_not(session, encode_co(encoding, from->write, w));
        lit misses = session_not(session, encode_covers(encoding, w, origin->granule));
        lit replaced = session_not(session, is_last_write(encoding, still, w));
        lit not_when = session_not(session, when), other = session_not(session, from->is);
        SESSION_CLAUSE(session, not_when, other, later, misses, replaced,
                       session_not(session, promised));
        SESSION_CLAUSE(session, not_when, other, later, misses, replaced,
                       session_not(session, still->some_write), still->unsure);
    }
}

static void encode_read(struct encoding *encoding, const struct standstill *still, lit when,
                        event_id read, event_id before)
{
    struct session *session = encoding->session;
    for (uint32_t s = encoding->first_origin[read]; s < encoding->first_origin[read + 1]; s++) {
        const struct origin *origin = &encoding->origins[s];
        for (uint32_t i = 0; i < origin->count; i++) {
            const struct candidate *from = &origin->from[i];
            encode_seen(encoding, still, when, origin, from);
            if (before != NONE)
                SESSION_CLAUSE(session, session_not(session, when), session_not(session, from->is),
                               encode_rf(encoding, from->write, before, origin->granule));
        }
    }
}

/* The fence.sc of second iterations. */
static bool *find_last_fences(struct encoding *encoding)
{
    const struct graph *graph = encoding->graph;
    bool *last = ARENA_ARRAY(encoding->arena, bool, graph->event_count);
    for (uint32_t i = 0; i < graph->spin_count; i++)
        for (uint32_t f = 0; f < graph->spins[i].fence_count; f++)
            last[graph->spins[i].fences[f]] = true;
    return last;
}

static bool is_fence_sc(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->tags & TAG(SC);
}

/* when -> every fence.sc that is executed once comes before this one, which is for ever. */
static void encode_last(struct encoding *encoding, const bool *last, lit when, event_id fence)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    for (event_id e = 0; e < graph->event_count; e++) {
        if (last[e] || !is_fence_sc(&graph->events[e]) ||
            graph->events[e].thread == graph->events[fence].thread)
            continue;
        lit after = encode_sc(encoding, fence, e);
        if (after != session->no)
            SESSION_CLAUSE(session, session_not(session, when), session_not(session, after));
    }
}

static lit encode_quiet_thread(struct encoding *encoding, const struct standstill *still,
                               uint32_t thread)
{
    const struct graph *graph = encoding->graph;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count + graph->spin_count + 1);
    uint32_t n = 0;
    lits[n++] = encode_is(encoding, encoding->of[graph->ended[thread]], 1);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        if (graph->events[graph->barriers[i].event].thread == thread)
            lits[n++] = still->waits[i];
    for (uint32_t i = 0; i < graph->spin_count; i++)
        if (graph->spins[i].thread == thread)
            lits[n++] = still->spins[i];
    return session_or(encoding->session, lits, n);
}

/* Can what the spin writes tell another thread of what came before it? It may itself come after a release,
 * or pass on what a third thread released. */
static bool tells(const struct graph *graph, const struct spin *spin)
{
    const event_tags releases = TAG(REL) | TAG(ACQ_REL) | TAG(RELEASE_FENCE) | TAG(SC);
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].tags & releases &&
            (graph->thread_count > 2 || graph->events[e].thread == spin->thread))
            return true;
    return false;
}

static void encode_spins(struct encoding *encoding, struct standstill *still)
{
    const struct graph *graph = encoding->graph;
    struct session *session = encoding->session;
    for (uint32_t t = 0; t < graph->thread_count; t++)
        still->goes_on[t] = session->no;
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        const struct spin *spin = &graph->spins[i];
        still->spins[i] = encode_is(encoding, encoding->of[spin->condition], 1);
        lit writes = encode_is(encoding, encoding->of[spin->writes], 1);
        if (tells(graph, spin))
            still->some_write = session_or2(session, still->some_write,
                                            session_and2(session, still->spins[i], writes));
        if (spin->open)
            still->goes_on[spin->thread] =
                session_or2(session, still->goes_on[spin->thread], still->spins[i]);
        if (spin->timed)
            still->spins[i] = session->no;
    }
    still->some_spins = session_or(session, still->spins, graph->spin_count);
    still->some_go_on = session_or(session, still->goes_on, graph->thread_count);
}

static void encode_unchanged(struct encoding *encoding, const struct standstill *still)
{
    const struct graph *graph = encoding->graph;
    const bool *last = find_last_fences(encoding);
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        const struct spin *spin = &graph->spins[i];
        lit when = session_and2(encoding->session, still->unchanged, still->spins[i]);
        for (uint32_t r = 0; r < spin->read_count; r++)
            encode_read(encoding, still, when, spin->reads[r],
                        spin->before ? spin->before[r] : NONE);
        for (uint32_t f = 0; f < spin->fence_count; f++)
            encode_last(encoding, last, when, spin->fences[f]);
    }
}

/* Those that spin go on for ever; what has not ended either is left standing. */
static lit encode_abandoned(struct encoding *encoding, const struct standstill *still,
                            const struct guarantee *progress)
{
    const struct graph *graph = encoding->graph;
    struct session *session = encoding->session;
    lit *looping = ARENA_ARRAY(encoding->arena, lit, graph->thread_count);
    lit *live = ARENA_ARRAY(encoding->arena, lit, graph->thread_count);
    for (uint32_t t = 0; t < graph->thread_count; t++) {
        looping[t] = session->no;
        live[t] = session_not(session, encode_is(encoding, encoding->of[graph->ended[t]], 1));
    }
    for (uint32_t i = 0; i < graph->spin_count; i++)
        looping[graph->spins[i].thread] =
            session_or2(session, looping[graph->spins[i].thread], still->spins[i]);
    return guarantee_allows(encoding, progress, &(struct standing){looping, live});
}

struct standstill encode_standstill(struct encoding *encoding, const struct guarantee *progress)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    struct standstill still = {.waits = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count),
                               .spins = ARENA_ARRAY(encoding->arena, lit, graph->spin_count),
                               .goes_on = ARENA_ARRAY(encoding->arena, lit, graph->thread_count),
                               .some_write = session->no,
                               .unchanged = session_bool(session),
                               .unsure = session_bool(session)};
    lit *quiet = ARENA_ARRAY(encoding->arena, lit, graph->thread_count);
    encode_spins(encoding, &still);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        still.waits[i] = encode_wait(encoding, &still, i);
    encode_unchanged(encoding, &still);
    for (uint32_t t = 0; t < graph->thread_count; t++)
        quiet[t] = encode_quiet_thread(encoding, &still, t);
    still.some_waits = session_or(session, still.waits, graph->barrier_count);
    still.quiet = progress ? encode_abandoned(encoding, &still, progress)
                           : session_and(session, quiet, graph->thread_count);
    return still;
}
