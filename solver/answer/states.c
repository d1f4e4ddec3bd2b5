/* SPDX-License-Identifier: MIT */
#include "solver/answer/states.h"

#include "solver/encode/condition.h"

/* Decides the condition and its negation, then enumerates the states. */

struct premises solving_premises(struct search *search)
{
    struct premises premises = {.count = 0};
    premises_add(&premises, search->encoding->complete);
    premises_add(&premises, search->encoding->within_bound);
    premises_add(&premises, search->encoding->defined);
    premises_add(&premises, encode_condition(search->encoding, search->graph->test->filter));
    return premises;
}

enum solver_status solving_status(enum search_answer answer)
{
    switch (answer) {
    case SEARCH_FOUND:
    case SEARCH_NONE:
        return SOLVER_DONE;
    case SEARCH_TIMEOUT:
        return SOLVER_TIMEOUT;
    case SEARCH_MEMORY:
        return SOLVER_MEMORY;
    case SEARCH_INTERNAL:
        return SOLVER_INTERNAL;
    case SEARCH_UNKNOWN:
    case SEARCH_LIMIT:
        break;
    }
    return SOLVER_UNKNOWN;
}

bool solving_decided(struct solving *solving, const struct search *search,
                     enum search_answer answer)
{
    struct solver_result *result = solving->result;
    enum solver_status status = solving_status(answer);
    if (status == SOLVER_DONE)
        return true;
    if (status == SOLVER_INTERNAL)
        result->internal = search->internal;
    if (result->status != SOLVER_INTERNAL)
        result->status = status;
    return false;
}

/* ---- states --------------------------------------------------------------------------------- */

static void keep_witness(struct solving *solving, uint32_t index, uint32_t count,
                         struct execution *x)
{
    if (solving->witnesses.len == count)
        return;
    vec_push(solving->arena, &solving->witnesses, x);
    for (uint32_t i = solving->witnesses.len - 1; i > index; i--)
        solving->witnesses.at[i] = solving->witnesses.at[i - 1];
    solving->witnesses.at[index] = x;
}

void solving_note(struct solving *solving, struct search *search, struct execution *x)
{
    struct solver_result *result = solving->result;
    const struct test *test = search->graph->test;
    uint32_t index = outcome_add(&result->outcomes, x->observed);
    if (solving->options->witnesses)
        keep_witness(solving, index, result->outcomes.items.len, x);
    if (outcome_satisfies(test, test->condition, x->observed))
        result->condition_reachable = true;
    else
        result->negation_reachable = true;
    races_note(solving, search, x);
}

/* What allocations hold and clocks show is 0, of all that it may be; 'yes' where nothing was left to it. */
static lit holds_zero(struct search *search)
{
    const struct graph *graph = search->graph;
    struct encoding *encoding = search->encoding;
    lit *zero = ARENA_ARRAY(search->arena, lit, graph->choice_count);
    uint32_t count = 0, exprs = graph->choice_count ? expr_count(graph->exprs) : 0;
    for (expr_id id = 0; id < exprs; id++) {
        const struct expr *e = expr_get(graph->exprs, id);
        if (e->op == EXPR_CHOICE && graph->choices[e->a].anything && encoding->of[id])
            zero[count++] = encode_is(encoding, encoding->of[id], 0);
    }
    return session_and(search->session, zero, count);
}

/* An execution with 'goal', if possible one in which allocations hold 0. */
static enum search_answer find(struct solving *solving, struct search *search, lit goal,
                               struct execution **x)
{
    struct premises premises = solving_premises(search);
    lit zero = holds_zero(search);
    premises_add(&premises, goal);
    premises_add(&premises, zero);
    enum search_answer answer = search_find(search, solving->arena, premises.at, premises.count, x);
    if (answer != SEARCH_NONE || zero == search->session->yes)
        return answer;
    premises.count--;
    return search_find(search, solving->arena, premises.at, premises.count, x);
}

/* Is there a state with 'goal'? False when that could not be decided. */
static bool decide(struct solving *solving, struct search *search, lit goal, bool *reachable)
{
    struct execution *x;
    if (*reachable)
        return true;
    enum search_answer answer = find(solving, search, goal, &x);
    if (answer == SEARCH_FOUND) {
        solving_note(solving, search, x);
        if (!*reachable) {
            search->internal = "a witness does not satisfy the condition it was found for";
            answer = SEARCH_INTERNAL;
        }
    }
    return solving_decided(solving, search, answer);
}

/* Without a limit from the caller: how many executions may be proposed for the states that the
 * conditions did not show. What one costs grows with Z3's literals and with the events that theory
 * and judge look at, so a test of any size ends in about the same time (docs/performance.md). */
static uint32_t default_proposals(const struct search *search)
{
    uint32_t cost = 2 * search->session->names + 40 * search->graph->event_count;
    return 500000 / (cost + 1) + 16;
}

static bool cut(struct solver_result *result)
{
    result->status = SOLVER_STATES;
    return false;
}

/* Every state once: each one found is excluded, under an assumption of its own, from what follows. */
static bool enumerate(struct solving *solving, struct search *search, lit others, lit zero)
{
    struct solver_result *result = solving->result;
    struct session *session = search->session;
    struct premises premises = solving_premises(search);
    uint32_t limit = solving->options->state_limit;
    uint32_t end = search->iterations + default_proposals(search), known;
    struct execution *x;
    enum search_answer answer;
    premises_add(&premises, others);
    premises_add(&premises, zero);
    for (;;) {
        if (limit ? result->outcomes.items.len >= limit : search->iterations >= end)
            return cut(result);
        search->iteration_limit = limit ? 0 : end - search->iterations;
        answer = search_find(search, solving->arena, premises.at, premises.count, &x);
        search->iteration_limit = 0;
        if (answer == SEARCH_LIMIT)
            return cut(result);
        if (answer == SEARCH_FOUND && outcome_find(&result->outcomes, x->observed, &known)) {
            search->internal = "a state was found again although it had been excluded";
            answer = SEARCH_INTERNAL;
        }
        if (answer != SEARCH_FOUND)
            return solving_decided(solving, search, answer);
        solving_note(solving, search, x);
        SESSION_CLAUSE(session, session_not(session, others),
                       encode_differs(search->encoding, x->observed));
    }
}

/* A value that nobody chose may be any: the states of such are too many to be listed. One is looked for, so
 * that the list is known to lack some, or to lack none. */
static bool enumerate_all(struct solving *solving, struct search *search)
{
    struct outcome_set *states = &solving->result->outcomes;
    struct session *session = search->session;
    struct premises premises = solving_premises(search);
    lit others = session_bool(session), zero = holds_zero(search);
    struct execution *x;
    search->question = "states";
    for (uint32_t i = 0; i < states->items.len; i++)
        SESSION_CLAUSE(session, session_not(session, others),
                       encode_differs(search->encoding, states->items.at[i].values));
    bool listed = enumerate(solving, search, others, zero);
    if (!listed || zero == session->yes)
        return listed;
    premises_add(&premises, others);
    search->iteration_limit = default_proposals(search);
    enum search_answer answer =
        search_find(search, solving->arena, premises.at, premises.count, &x);
    search->iteration_limit = 0;
    if (answer == SEARCH_FOUND || answer == SEARCH_LIMIT)
        return cut(solving->result);
    return solving_decided(solving, search, answer);
}

void states_decide(struct solving *solving, struct search *search)
{
    struct solver_result *result = solving->result;
    lit condition = encode_condition(search->encoding, search->graph->test->condition);
    lit negation = session_not(search->session, condition);
    search->question = "condition";
    result->condition_decided &= decide(solving, search, condition, &result->condition_reachable);
    search->question = "negation";
    result->negation_decided &= decide(solving, search, negation, &result->negation_reachable);
    if (solving->options->states && result->condition_decided && result->negation_decided)
        result->complete &= enumerate_all(solving, search);
    else
        result->complete = false;
}
