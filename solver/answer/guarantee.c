/* SPDX-License-Identifier: MIT */
#include "solver/answer/guarantee.h"

#include "solver/answer/answer.h"

/* Threads or units of them, the lowest first. */
struct ranking {
    lit *enabled, *started;
    uint32_t count;
};

static struct ranking ranking_new(struct arena *arena, uint32_t most)
{
    return (struct ranking){ARENA_ARRAY(arena, lit, most), ARENA_ARRAY(arena, lit, most), 0};
}

static lit is_lowest(struct session *session, const struct ranking *ranking, uint32_t i)
{
    return session_and2(session, ranking->enabled[i],
                        session_not(session, session_or(session, ranking->enabled, i)));
}

/* The scheduler owes the i-th a turn (progress.def). */
static lit is_owed(struct session *session, enum progress_model model,
                   const struct ranking *ranking, uint32_t i)
{
    lit started = session_and2(session, ranking->enabled[i], ranking->started[i]);
    switch (model) {
    case PROGRESS_FAIR:
        return ranking->enabled[i];
    case PROGRESS_HSA:
        return is_lowest(session, ranking, i);
    case PROGRESS_OBE:
        return started;
    case PROGRESS_HSA_OBE:
        return session_or2(session, started, is_lowest(session, ranking, i));
    case PROGRESS_LOBE:
        return session_and2(session, ranking->enabled[i],
                            session_or(session, ranking->started + i, ranking->count - i));
    case PROGRESS_UNFAIR:
    case PROGRESS_COUNT:
        break;
    }
    return session->no;
}

/* It has executed an instruction that others can notice. */
static lit has_started(struct encoding *encoding, uint32_t thread)
{
    const struct graph *graph = encoding->graph;
    lit *lits = ARENA_ARRAY(encoding->arena, lit, graph->event_count + 1);
    uint32_t n = 0;
    for (event_id e = 0; e < graph->event_count; e++)
        if (graph->events[e].thread == thread)
            lits[n++] = encoding->executed[e];
    return session_or(encoding->session, lits, n);
}

static bool same_unit(const struct graph *graph, enum progress_unit unit, uint32_t a, uint32_t b)
{
    const struct thread *x = &graph->threads[a], *y = &graph->threads[b];
    switch (unit) {
    case PROGRESS_CTA:
        return x->cta == y->cta;
    case PROGRESS_CUDA:
        return x->cluster == y->cluster;
    case PROGRESS_FLAT:
        break;
    }
    return true;
}

static bool is_cooperative(const struct graph *graph, uint32_t thread)
{
    uint32_t launch = graph->threads[thread].launch;
    return launch != NONE && graph->test->launches[launch].cooperative;
}

/* A unit that is alone is the lowest one, and has started when anything has. */
bool solver_is_fair(const struct graph *graph, const struct guarantee *progress)
{
    bool alone = progress->units != PROGRESS_UNFAIR, cooperative = progress->unit == PROGRESS_CUDA;
    for (uint32_t t = 0; t < graph->thread_count; t++) {
        alone &= same_unit(graph, progress->unit, 0, t);
        cooperative &= is_cooperative(graph, t);
    }
    return progress->threads == PROGRESS_FAIR &&
           (progress->units == PROGRESS_FAIR || alone || cooperative);
}

/* The units of a graph, and the threads of each. */
struct units {
    struct ranking all;
    uint32_t *first, *of; /* a unit: its lowest thread; a thread: its unit */
};

static void add_unit(struct encoding *encoding, struct units *units, const struct ranking *threads,
                     enum progress_unit unit, uint32_t first)
{
    struct session *session = encoding->session;
    uint32_t u = units->all.count++;
    lit enabled = session->no, started = session->no;
    units->first[u] = first;
    for (uint32_t t = first; t < threads->count; t++)
        if (same_unit(encoding->graph, unit, first, t)) {
            units->of[t] = u;
            enabled = session_or2(session, enabled, threads->enabled[t]);
            started = session_or2(session, started, threads->started[t]);
        }
    units->all.enabled[u] = enabled;
    units->all.started[u] = started;
}

static struct units find_units(struct encoding *encoding, const struct ranking *threads,
                               enum progress_unit unit)
{
    struct units units = {.all = ranking_new(encoding->arena, threads->count)};
    units.first = ARENA_ARRAY(encoding->arena, uint32_t, threads->count);
    units.of = ARENA_ARRAY(encoding->arena, uint32_t, threads->count);
    for (uint32_t t = 0; t < threads->count; t++)
        units.of[t] = NONE;
    for (uint32_t t = 0; t < threads->count; t++)
        if (units.of[t] == NONE)
            add_unit(encoding, &units, threads, unit, t);
    return units;
}

/* A unit that is owed a turn has a thread that loops, and none that is owed one stands still. */
static lit unit_allows(struct encoding *encoding, const struct guarantee *progress,
                       const struct ranking *threads, const struct units *units, uint32_t unit,
                       const struct standing *standing)
{
    struct session *session = encoding->session;
    struct ranking own = ranking_new(encoding->arena, threads->count);
    uint32_t *members = ARENA_ARRAY(encoding->arena, uint32_t, threads->count);
    lit moves = session->no, wronged = session->no;
    for (uint32_t t = 0; t < threads->count; t++)
        if (units->of[t] == unit) {
            own.enabled[own.count] = threads->enabled[t];
            own.started[own.count] = threads->started[t];
            members[own.count++] = t;
            moves = session_or2(session, moves, standing->looping[t]);
        }
    for (uint32_t i = 0; i < own.count; i++) {
        lit still = session_not(session, standing->looping[members[i]]);
        lit owed = is_owed(session, progress->threads, &own, i);
        wronged = session_or2(session, wronged, session_and2(session, owed, still));
    }
    lit owed = is_owed(session, progress->units, &units->all, unit);
    if (progress->unit == PROGRESS_CUDA && is_cooperative(encoding->graph, units->first[unit]))
        owed = units->all.enabled[unit];
    lit good = session_and2(session, moves, session_not(session, wronged));
    return session_or2(session, session_not(session, owed), good);
}

lit guarantee_allows(struct encoding *encoding, const struct guarantee *progress,
                     const struct standing *standing)
{
    struct session *session = encoding->session;
    struct ranking threads = ranking_new(encoding->arena, encoding->graph->thread_count);
    for (uint32_t t = 0; t < encoding->graph->thread_count; t++) {
        threads.enabled[t] = standing->live[t];
        threads.started[t] = has_started(encoding, t);
    }
    threads.count = encoding->graph->thread_count;
    struct units units = find_units(encoding, &threads, progress->unit);
    lit all = session->yes;
    for (uint32_t u = 0; u < units.all.count; u++)
        all = session_and2(session, all,
                           unit_allows(encoding, progress, &threads, &units, u, standing));
    return all;
}
