/* SPDX-License-Identifier: MIT */
#include "solver/answer/states.h"

/* Can a loop go round more often than it was unrolled? Threads may go round spin loops for ever meanwhile. */

static enum search_answer find_beyond(struct arena *arena, struct search *search,
                                      struct execution **x)
{
    struct session *session = search->session;
    lit goals[] = {session_not(session, search->encoding->within_bound), search->encoding->defined};
    if (goals[0] == session->no)
        return SEARCH_NONE;
    search->stuck = true;
    enum search_answer answer = search_find(search, arena, goals, G_N_ELEMENTS(goals), x);
    search->stuck = false;
    return answer;
}

/* Which loop it is, the execution tells. */
void bound_decide(struct solving *solving, struct search *search)
{
    struct solver_result *result = solving->result;
    const struct graph *graph = search->graph;
    struct execution *x;
    if (result->bound_reached)
        return;
    enum search_answer answer = find_beyond(solving->arena, search, &x);
    result->bound_decided &= solving_decided(solving, search, answer);
    if (answer != SEARCH_FOUND)
        return;
    result->bound_reached = true;
    for (uint32_t i = graph->assumption_count; i-- > 0;) {
        uint64_t left;
        if (graph->assumptions[i].kind == ASSUME_BOUND &&
            execution_eval(x, graph->assumptions[i].condition, &left) && !left)
            result->bound_span = graph->assumptions[i].span;
    }
}

/* Where one goes past its bound, a few proposals show it. */
enum { FEW_PROPOSALS = 200 };

bool solver_passes_bound(struct arena *arena, const struct solver_options *options, uint32_t graph)
{
    struct execution *x;
    struct session *session = session_new(arena, options, session_deadline(options));
    struct search *search = search_new(arena, session, options, graph, false);
    search->question = "loop bounds";
    search->iteration_limit = FEW_PROPOSALS;
    bool passes = find_beyond(arena, search, &x) != SEARCH_NONE;
    search_free(search);
    session_free(session);
    return passes;
}
