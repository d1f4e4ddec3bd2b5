/* SPDX-License-Identifier: MIT */
#include "solver/solver.h"

#include <assert.h>

#include "solver/answer/states.h"
#include "solver/answer/stuck.h"

/* Goes through the graphs of a test and asks each for its states, then the other questions: loop
 * bounds, undefined behaviour, races, hangs. */

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
        if (is_known(solving, undefined) || holds == search->session->no)
            continue;
        enum search_answer answer = search_find(search, solving->arena, &holds, 1, &x);
        solving->result->undefined_decided &= solving_decided(solving, search, answer);
        if (answer != SEARCH_FOUND)
            continue;
        vec_push(solving->arena, &solving->undefined, undefined);
        vec_push(solving->arena, &solving->undefined_runs, x);
    }
    search->stuck = false;
}

/* What is asked of each graph after its states, in this order. */
static const struct question {
    const char *name;
    void (*ask)(struct solving *solving, struct search *search);
} questions[] = {{"loop bounds", bound_decide},
                 {"undefined behaviour", find_undefined},
                 {"races", races_decide},
                 {"hangs", stuck_decide},
                 {"races of states", state_races_decide}};

/* Earlier graphs have not seen the states of later ones: they are asked again afterwards. */
static bool asks_states(const struct solving *solving, uint32_t graph)
{
    return solving->options->state_races && graph + 1 == solving->options->graph_count;
}

/* Z3 failed or ran out of memory: no further question can be put to it. */
static bool is_broken(const struct solving *solving, const struct session *session)
{
    enum solver_status status = solving->result->status;
    return session->failed || status == SOLVER_MEMORY || status == SOLVER_UNKNOWN ||
           status == SOLVER_INTERNAL;
}

static void leave_open(struct solver_result *result)
{
    result->bound_decided = result->undefined_decided = result->outside_decided = false;
    result->hang_decided = result->races_complete = false;
    for (uint32_t i = 0; i < result->outcomes.items.len; i++)
        result->outcomes.items.at[i].race_open = result->outcomes.items.at[i].race_free_open = true;
}

enum { MOST_ENCODED_TWICE = 128 }; /* events */

/* What no execution gives whatever the model says: without what the model excludes beforehand. That coherence is total
 * for some writes excludes no values. */
static void ask_conjuncts(struct solving *solving, struct search *search, uint32_t graph)
{
    const struct exclusion *excluded = search->encoding->domains->excluded;
    if (!excluded || !excluded->origin) {
        conjuncts_ask(solving->conjuncts, search);
        return;
    }
    if (search->graph->event_count > MOST_ENCODED_TWICE) {
        for (uint32_t i = 0; i < solving->conjuncts->count; i++)
            solving->conjuncts->excused[i] = true;
        return;
    }
    struct session *session = session_new(solving->arena, solving->options, solving->deadline);
    struct search *plain = search_new(solving->arena, session, solving->options, graph, true);
    conjuncts_ask(solving->conjuncts, plain);
    search_free(plain);
    session_free(session);
}

/* Each question stands for itself: one that is asked when the time is over says that it was not
 * decided. */
static void ask_questions(struct solving *solving, struct search *search, uint32_t graph)
{
    struct solver_result *result = solving->result;
    if (!result->condition_reachable && !is_broken(solving, search->session))
        ask_conjuncts(solving, search, graph);
    for (size_t i = 0; i < G_N_ELEMENTS(questions); i++) {
        if (is_broken(solving, search->session)) {
            leave_open(result);
            break;
        }
        search->question = questions[i].name;
        if (questions[i].ask != state_races_decide || asks_states(solving, graph))
            questions[i].ask(solving, search);
    }
}

static void solve_graph(struct solving *solving, uint32_t graph)
{
    struct solver_result *result = solving->result;
    struct session *session = session_new(solving->arena, solving->options, solving->deadline);
    struct search *search = search_new(solving->arena, session, solving->options, graph, false);
    states_decide(solving, search);
    if (!solving->options->only_reach)
        ask_questions(solving, search, graph);
    result->checks += session->checks;
    result->clauses += session->clauses;
    result->iterations += search->iterations;
    search_free(search);
    session_free(session);
}

static void revisit(struct solving *solving, uint32_t graph)
{
    struct session *session = session_new(solving->arena, solving->options, solving->deadline);
    struct search *search = search_new(solving->arena, session, solving->options, graph, false);
    search->question = "races of states";
    if (is_broken(solving, session))
        leave_open(solving->result);
    else
        state_races_decide(solving, search);
    search_free(search);
    session_free(session);
}

/* What no execution has shown, and no question has excluded, is open. */
static void close_states(struct solving *solving)
{
    struct outcome_set *set = &solving->result->outcomes;
    bool asked = solving->options->state_races;
    for (uint32_t i = 0; i < set->items.len; i++) {
        struct outcome *state = &set->items.at[i];
        state->race_open = !state->race && (!asked || state->race_open);
        state->race_free_open = !state->race_free && (!asked || state->race_free_open);
    }
}

/* Loops that go on, or time that ran out, leave values unseen; where nothing ends, no condition could
 * be met. */
static void name_unattainable(struct solving *solving)
{
    struct solver_result *result = solving->result;
    const struct conjuncts *conjuncts = solving->conjuncts;
    if (solving->options->only_reach || result->condition_reachable || !result->condition_decided ||
        !result->negation_reachable || result->bound_reached || !result->bound_decided)
        return;
    result->unattainable = ARENA_ARRAY(solving->arena, struct unattainable, conjuncts->count);
    for (uint32_t i = 0; i < conjuncts->count; i++)
        if (!conjuncts->excused[i])
            result->unattainable[result->unattainable_count++] =
                (struct unattainable){conjuncts->at[i], conjuncts->location[i]};
}

struct solver_result *solve(struct arena *arena, const struct solver_options *options)
{
    assert(options->test && options->model && options->graph_count);
    struct solver_result *result = ARENA_NEW(arena, struct solver_result);
    struct solver_options chosen = *options;
    struct solving solving = {.arena = arena,
                              .options = &chosen,
                              .deadline = session_deadline(options),
                              .result = result};
    result->outcomes = (struct outcome_set){.test = options->test, .arena = arena};
    solving.conjuncts = conjuncts_new(arena, options->test);
    result->condition_decided = result->negation_decided = result->complete = true;
    result->bound_decided = result->undefined_decided = true;
    result->outside_decided = result->hang_decided = true;
    result->races_complete = options->races;
    for (uint32_t i = 0; i < options->graph_count; i++)
        solve_graph(&solving, i);
    for (uint32_t i = 0; options->state_races && i + 1 < options->graph_count; i++)
        revisit(&solving, i);
    result->complete &=
        result->bound_decided && result->undefined_decided && result->outside_decided;
    if (result->bound_reached)
        result->complete = result->races_complete = false;
    close_states(&solving);
    name_unattainable(&solving);
    result->witnesses = options->witnesses ? solving.witnesses.at : NULL;
    result->races = solving.races.at;
    result->race_count = solving.races.len;
    result->undefined = solving.undefined.at;
    result->undefined_runs = solving.undefined_runs.at;
    result->undefined_count = solving.undefined.len;
    return result;
}
