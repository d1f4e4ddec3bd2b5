/* SPDX-License-Identifier: MIT */
#include "solver/solver.h"

#include "solver/states.h"
#include "solver/stuck.h"

/* Can some loop go on past its bound? Which one is told by the execution. */
static void find_bound(struct solving *solving, struct search *search)
{
    struct solver_result *result = solving->result;
    const struct graph *graph = search->graph;
    struct session *session = search->session;
    lit beyond = session_not(session, search->encoding->within_bound);
    lit goals[] = {beyond, search->encoding->defined};
    struct execution *x;
    enum search_answer answer;

    if (beyond == session->no || result->bound_reached)
        return;
    search->stuck = true;
    answer = search_find(search, solving->arena, goals, G_N_ELEMENTS(goals), &x);
    search->stuck = false;
    if (!solving_decided(solving, search, answer) || answer != SEARCH_FOUND)
        return;
    result->bound_reached = true;
    for (uint32_t i = graph->assumption_count; i-- > 0;) {
        uint64_t left;

        if (graph->assumptions[i].kind == ASSUME_BOUND &&
            execution_eval(x, graph->assumptions[i].condition, &left) && !left)
            result->bound_span = graph->assumptions[i].span;
    }
}

static bool is_known(const struct solving *solving, const struct undefined *undefined)
{
    for (uint32_t i = 0; i < solving->undefined.len; i++)
        if (solving->undefined.at[i]->name == undefined->name &&
            solving->undefined.at[i]->span.offset == undefined->span.offset)
            return true;
    return false;
}

static void find_undefined(struct solving *solving, struct search *search)
{
    const struct graph *graph = search->graph;

    search->stuck = true;
    for (uint32_t i = 0; i < graph->undefined_count; i++) {
        const struct undefined *undefined = &graph->undefined[i];
        lit holds = encode_is(search->encoding, search->encoding->of[undefined->condition], 1);
        struct execution *x;
        enum search_answer answer;

        if (is_known(solving, undefined) || holds == search->session->no)
            continue;
        answer = search_find(search, solving->arena, &holds, 1, &x);
        if (!solving_decided(solving, search, answer))
            break;
        if (answer == SEARCH_FOUND)
            vec_push(solving->arena, &solving->undefined, undefined);
    }
    search->stuck = false;
}

static void solve_graph(struct solving *solving, uint32_t graph, double seconds)
{
    struct solver_result *result = solving->result;
    struct session *session = session_new(solving->arena, seconds);
    struct search *search = search_new(solving->arena, session, solving->options, graph, false);

    states_decide(solving, search);
    if (result->status == SOLVER_DONE || result->status == SOLVER_STATES) {
        find_bound(solving, search);
        find_undefined(solving, search);
        races_decide(solving, search);
        find_hang(solving, search);
    } else {
        result->races_complete = false;
    }
    result->checks += session->checks;
    result->clauses += session->clauses;
    result->iterations += search->iterations;
    search_free(search);
    session_free(session);
}

struct solver_result *solve(struct arena *arena, const struct solver_options *options)
{
    struct solver_result *result = ARENA_NEW(arena, struct solver_result);
    struct solver_options chosen = *options;
    struct solving solving = {.arena = arena, .options = &chosen, .result = result};
    int64_t start = g_get_monotonic_time();

    result->outcomes = (struct outcome_set){.test = options->test, .arena = arena};
    result->condition_decided = result->negation_decided = result->complete = true;
    result->races_complete = options->races;
    for (uint32_t i = 0; i < options->graph_count; i++) {
        double left = options->timeout_seconds - (double)(g_get_monotonic_time() - start) / 1e6;

        solve_graph(&solving, i, options->timeout_seconds > 0 ? MAX(left, 1e-6) : 0);
    }
    result->witnesses = options->witnesses ? solving.witnesses.at : NULL;
    result->races = solving.races.at;
    result->race_count = solving.races.len;
    result->undefined = solving.undefined.at;
    result->undefined_count = solving.undefined.len;
    return result;
}
