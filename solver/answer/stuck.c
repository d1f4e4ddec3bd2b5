/* SPDX-License-Identifier: MIT */
#include "solver/answer/stuck.h"

#include <string.h>

#include "solver/answer/standstill.h"

/* Looks for executions that never end. The definition, what a stuck execution is, is at struct spin
 * in model/graph/graph.h; standstill.c makes literals of it. */

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
    struct standstill still = encode_standstill(search->encoding, NULL);
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

/* Where a loop may go on beyond what was unrolled, the best that can be found is an execution that never
 * ends: looked for with this many proposals, as that there is none would say nothing. */
enum { FEW_PROPOSALS = 100 };

/* Why nothing is known: a loop that goes on beyond what was unrolled, undefined behaviour. */
struct doubts {
    bool past_bound, undefined;
    struct execution *beyond; /* one that goes past the bound, or NULL */
};

/* Does a thread go past the bound? What it reads on the way may be replaced later, when it is in another
 * state of its loop than it can reach here, so that this one ends says nothing. */
static enum search_answer find_beyond(struct arena *arena, struct search *search,
                                      const struct standstill *still, struct doubts *doubts)
{
    lit goals[] = {still->some_go_on, search->encoding->defined};
    if (still->some_go_on == search->session->no)
        return SEARCH_NONE;
    search->iteration_limit = FEW_PROPOSALS;
    enum search_answer answer =
        search_find(search, arena, goals, G_N_ELEMENTS(goals), &doubts->beyond);
    search->iteration_limit = 0;
    doubts->past_bound |= answer == SEARCH_FOUND || answer == SEARCH_LIMIT;
    return doubts->past_bound ? SEARCH_NONE : answer;
}

/* Does a thread spin so that the graph does not show what that orders? */
static enum search_answer find_unsure(struct search *search, const struct standstill *still,
                                      struct doubts *doubts)
{
    lit goals[] = {still->some_spins, still->unsure, still->quiet, still->unchanged,
                   search->encoding->defined};
    struct execution *x;
    if (still->some_write == search->session->no)
        return SEARCH_NONE;
    enum search_answer answer = search_find(search, search->arena, goals, G_N_ELEMENTS(goals), &x);
    doubts->past_bound |= answer == SEARCH_FOUND;
    return answer == SEARCH_FOUND ? SEARCH_NONE : answer;
}

/* A trap or a failed assertion ends the launch, whoever waits (PTX trap). */
static bool ends_launch(const struct undefined *undefined)
{
    return strcmp(undefined->name, "trap") == 0 || strcmp(undefined->name, "assertion-failed") == 0;
}

static enum search_answer find_undefined(struct search *search, struct doubts *doubts)
{
    struct encoding *encoding = search->encoding;
    const struct graph *graph = search->graph;
    lit *lits = ARENA_ARRAY(search->arena, lit, graph->undefined_count);
    struct execution *x;
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->undefined_count; i++)
        if (!ends_launch(&graph->undefined[i]))
            lits[count++] = encode_is(encoding, encoding->of[graph->undefined[i].condition], 1);
    if (!count)
        return SEARCH_NONE;
    lit some = session_or(search->session, lits, count);
    enum search_answer answer = search_find(search, search->arena, &some, 1, &x);
    doubts->undefined |= answer == SEARCH_FOUND;
    return answer == SEARCH_FOUND ? SEARCH_NONE : answer;
}

static enum search_answer search_stuck(struct arena *arena, struct search *search,
                                       struct execution **stuck, struct doubts *doubts)
{
    struct session *session = search->session;
    struct standstill still = encode_standstill(search->encoding, search->options->progress);
    lit goals[] = {session_or2(session, still.some_waits, still.some_spins),
                   still.quiet,
                   still.unchanged,
                   session_not(session, still.unsure),
                   search->encoding->within_bound,
                   search->encoding->defined};
    enum search_answer beyond = find_beyond(arena, search, &still, doubts);
    search->iteration_limit = doubts->past_bound ? FEW_PROPOSALS : 0;
    enum search_answer answer = search_find(search, arena, goals, G_N_ELEMENTS(goals), stuck);
    search->iteration_limit = 0;
    if (answer == SEARCH_FOUND || doubts->past_bound)
        return answer == SEARCH_LIMIT ? SEARCH_NONE : answer;
    if (answer == SEARCH_NONE)
        answer = find_unsure(search, &still, doubts);
    if (answer == SEARCH_NONE)
        answer = find_undefined(search, doubts);
    return answer == SEARCH_NONE ? beyond : answer;
}

/* An execution that is stuck. */
static enum search_answer find_stuck(struct arena *arena, const struct solver_options *options,
                                     int64_t deadline, uint32_t graph, struct execution **stuck,
                                     struct doubts *doubts)
{
    struct session *session = session_new(arena, options, deadline);
    struct search *search = search_new(arena, session, options, graph, false);
    search->stuck = true;
    search->question = "termination";
    enum search_answer answer = search_stuck(arena, search, stuck, doubts);
    search_free(search);
    session_free(session);
    return answer;
}

bool solver_terminates(struct arena *arena, const struct solver_options *options,
                       enum solver_status *status, struct execution **stuck)
{
    struct doubts doubts = {false, false, NULL};
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
    if (*status == SOLVER_BOUND)
        *stuck = doubts.beyond;
    return true;
}
