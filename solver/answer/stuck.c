/* SPDX-License-Identifier: MIT */
#include "solver/answer/stuck.h"

/* Looks for executions that never end. The definition, what a stuck execution is, is at struct spin
 * in model/graph/graph.h; here it becomes literals. */

/* Literals of a stuck execution. */
struct standstill {
    lit *waits;   /* a barrier op: it waits, and what arrived will never suffice */
    lit *spins;   /* a spin loop: it goes round for ever */
    lit *goes_on; /* a thread: it goes round a loop that is not unrolled any further */
    lit some_waits, some_spins, some_go_on;
    lit quiet;     /* every thread ended, waits or spins */
    lit unchanged; /* spinning threads read what nothing will ever replace */
};

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
static lit encode_wait(struct encoding *encoding, uint32_t i)
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

/* spins -> no write comes after the one that read r takes its granules from. */
static void encode_unchanged(struct encoding *encoding, const struct standstill *still, lit when,
                             event_id read)
{
    struct session *session = encoding->session;
    const struct domains *domains = encoding->domains;
    for (uint32_t s = encoding->first_origin[read]; s < encoding->first_origin[read + 1]; s++) {
        const struct origin *origin = &encoding->origins[s];
        for (uint32_t i = 0; i < origin->count; i++) {
            event_id from = origin->from[i].write;
            for (uint32_t j = 0; j < domains->writer_count[origin->granule]; j++) {
                event_id w = domains->writers[origin->granule][j];
                lit later = session_and2(session, encode_co(encoding, from, w),
                                         encode_covers(encoding, w, origin->granule));
                later = session_and2(session, later, is_last_write(encoding, still, w));
                SESSION_CLAUSE(session, session_not(session, when),
                               session_not(session, origin->from[i].is),
                               session_not(session, later));
            }
        }
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

static void encode_spins(struct encoding *encoding, struct standstill *still)
{
    const struct graph *graph = encoding->graph;
    struct session *session = encoding->session;
    for (uint32_t t = 0; t < graph->thread_count; t++)
        still->goes_on[t] = session->no;
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        const struct spin *spin = &graph->spins[i];
        still->spins[i] = encode_is(encoding, encoding->of[spin->condition], 1);
        if (spin->open)
            still->goes_on[spin->thread] =
                session_or2(session, still->goes_on[spin->thread], still->spins[i]);
    }
    for (uint32_t i = 0; i < graph->spin_count; i++) {
        lit when = session_and2(session, still->unchanged, still->spins[i]);
        for (uint32_t r = 0; r < graph->spins[i].read_count; r++)
            encode_unchanged(encoding, still, when, graph->spins[i].reads[r]);
    }
    still->some_spins = session_or(session, still->spins, graph->spin_count);
    still->some_go_on = session_or(session, still->goes_on, graph->thread_count);
}

static struct standstill encode_standstill(struct encoding *encoding)
{
    struct session *session = encoding->session;
    const struct graph *graph = encoding->graph;
    struct standstill still = {.waits = ARENA_ARRAY(encoding->arena, lit, graph->barrier_count),
                               .spins = ARENA_ARRAY(encoding->arena, lit, graph->spin_count),
                               .goes_on = ARENA_ARRAY(encoding->arena, lit, graph->thread_count),
                               .unchanged = session_bool(session)};
    lit *quiet = ARENA_ARRAY(encoding->arena, lit, graph->thread_count);
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        still.waits[i] = encode_wait(encoding, i);
    encode_spins(encoding, &still);
    for (uint32_t t = 0; t < graph->thread_count; t++)
        quiet[t] = encode_quiet_thread(encoding, &still, t);
    still.some_waits = session_or(session, still.waits, graph->barrier_count);
    still.quiet = session_and(session, quiet, graph->thread_count);
    return still;
}

static bool has_counted(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        if (graph->barriers[i].counted)
            return true;
    return false;
}

/* "P1 waits for ever at 'bar.sync 1, 128'". */
static const char *describe(struct solving *solving, const struct execution *x)
{
    const struct graph *graph = x->graph;
    for (uint32_t i = 0; i < graph->barrier_count; i++) {
        const struct event *event = &graph->events[graph->barriers[i].event];
        if (graph->barriers[i].counted && event->tags & TAG(SYNC) &&
            x->executed[graph->barriers[i].event] && x->completion[i] == NONE)
            return arena_printf(solving->arena, "%s waits for ever at '%s'",
                                graph->threads[event->thread].name, event->text);
    }
    return NULL;
}

void stuck_decide(struct solving *solving, struct search *search)
{
    struct execution *x;
    lit goals[5];
    if (!has_counted(search->graph) || solving->result->can_hang)
        return;
    struct standstill still = encode_standstill(search->encoding);
    goals[0] = still.some_waits;
    goals[1] = still.quiet;
    goals[2] = search->encoding->within_bound;
    goals[3] = encode_assumptions(search->encoding, ASSUME_SPIN_EXIT);
    goals[4] = search->encoding->defined;
    search->stuck = true;
    enum search_answer answer = search_find(search, solving->arena, goals, G_N_ELEMENTS(goals), &x);
    search->stuck = false;
    if (!solving_decided(solving, search, answer))
        solving->result->hang_decided = false;
    if (answer != SEARCH_FOUND)
        return;
    solving->result->can_hang = true;
    solving->result->hang = describe(solving, x);
    solving->result->hang_run = x;
}

/* Why nothing is known: a loop that goes on beyond what was unrolled, undefined behaviour. */
struct doubts {
    bool past_bound, undefined;
};

static enum search_answer find_doubts(struct search *search, const struct standstill *still,
                                      struct doubts *doubts)
{
    struct encoding *encoding = search->encoding;
    const struct graph *graph = search->graph;
    lit *lits = ARENA_ARRAY(search->arena, lit, graph->undefined_count);
    lit open[] = {still->some_go_on, still->quiet, still->unchanged, encoding->defined}, some;
    enum search_answer answer = SEARCH_NONE;
    struct execution *x;
    if (still->some_go_on != search->session->no)
        answer = search_find(search, search->arena, open, G_N_ELEMENTS(open), &x);
    doubts->past_bound |= answer == SEARCH_FOUND;
    if (answer != SEARCH_NONE || !graph->undefined_count)
        return answer == SEARCH_FOUND ? SEARCH_NONE : answer;
    for (uint32_t i = 0; i < graph->undefined_count; i++)
        lits[i] = encode_is(encoding, encoding->of[graph->undefined[i].condition], 1);
    some = session_or(search->session, lits, graph->undefined_count);
    answer = search_find(search, search->arena, &some, 1, &x);
    doubts->undefined |= answer == SEARCH_FOUND;
    return answer == SEARCH_FOUND ? SEARCH_NONE : answer;
}

/* An execution that is stuck. */
static enum search_answer find_stuck(struct arena *arena, const struct solver_options *options,
                                     int64_t deadline, uint32_t graph, struct execution **stuck,
                                     struct doubts *doubts)
{
    struct session *session = session_new(arena, options, deadline);
    struct search *search = search_new(arena, session, options, graph, false);
    struct standstill still = encode_standstill(search->encoding);
    lit goals[] = {session_or2(session, still.some_waits, still.some_spins), still.quiet,
                   still.unchanged, search->encoding->within_bound, search->encoding->defined};
    search->stuck = true;
    search->question = "termination";
    enum search_answer answer = search_find(search, arena, goals, G_N_ELEMENTS(goals), stuck);
    if (answer == SEARCH_NONE)
        answer = find_doubts(search, &still, doubts);
    search_free(search);
    session_free(session);
    return answer;
}

bool solver_terminates(struct arena *arena, const struct solver_options *options,
                       enum solver_status *status, struct execution **stuck)
{
    struct doubts doubts = {false, false};
    int64_t deadline = session_deadline(options); /* of all graphs together */
    *status = SOLVER_DONE;
    *stuck = NULL;
    for (uint32_t i = 0; i < options->graph_count; i++) {
        enum search_answer answer = find_stuck(arena, options, deadline, i, stuck, &doubts);
        if (answer == SEARCH_FOUND) {
            *status = SOLVER_DONE;
            return false;
        }
        if (answer != SEARCH_NONE)
            *status = solving_status(answer);
    }
    if (*status == SOLVER_DONE && (doubts.past_bound || doubts.undefined))
        *status = doubts.past_bound ? SOLVER_BOUND : SOLVER_UNDEFINED;
    return true;
}
