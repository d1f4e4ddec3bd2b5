/* SPDX-License-Identifier: MIT */
#include "solver/encode/condition.h"
#include "solver/answer/states.h"

/* Of every final state: does some execution that ends in it race, does some not? The executions met
 * so far have answered some of it (races_note). The rest is asked state by state; what is learned
 * of one pair of accesses holds for all states. */

/* How many executions may be proposed for all states of a graph. Past it the states that are left
 * stay undecided. */
enum { PROPOSALS = 20000 };

/* Two events that a flag may relate, in one direction or the other. */
struct pair {
    event_id a, b;
    cat_id node;
    bool forth, back; /* (a, b) may be there, (b, a) may */
    lit is;
};

struct inquiry {
    struct solving *solving;
    struct search *search;
    struct arena *scratch;
    VEC(struct pair) pairs;
    lit racing, clear; /* assumed: one of the pairs is there, none is */
    uint32_t until;
};

static void list_pairs(struct inquiry *inquiry, cat_id node)
{
    struct search *search = inquiry->search;
    uint32_t n = search->graph->event_count;
    struct rel *may = rel_new(inquiry->scratch, n), *must = rel_new(inquiry->scratch, n);
    theory_bounds(search->theory, node, may, must);
    for (event_id a = 0; a < n; a++)
        for (event_id b = a; b < n; b++) {
            struct pair pair = {a, b, node, rel_has(may, a, b), rel_has(may, b, a), NULL};
            if (!pair.forth && !pair.back)
                continue;
            pair.is = session_bool(search->session);
            vec_push(inquiry->scratch, &inquiry->pairs, pair);
        }
}

static void list_flags(struct inquiry *inquiry)
{
    const struct cat_model *model = inquiry->solving->options->model;
    for (uint32_t i = 0; i < model->axiom_count; i++)
        if (races_is_race(model, i))
            list_pairs(inquiry, model->axioms[i].node);
}

static void make_literals(struct inquiry *inquiry)
{
    struct session *session = inquiry->search->session;
    lit *lits = ARENA_ARRAY(inquiry->scratch, lit, inquiry->pairs.len + 1);
    inquiry->racing = session_bool(session);
    inquiry->clear = session_bool(session);
    for (uint32_t i = 0; i < inquiry->pairs.len; i++)
        lits[i] = inquiry->pairs.at[i].is;
    lits[inquiry->pairs.len] = session_not(session, inquiry->racing);
    session_clause(session, lits, inquiry->pairs.len + 1);
}

static bool is_there(const struct inquiry *inquiry, const struct pair *pair)
{
    const struct rel *now = theory_rel(inquiry->search->theory, pair->node);
    return rel_has(now, pair->a, pair->b) || rel_has(now, pair->b, pair->a);
}

/* Why a pair that was asked for is not there: in neither direction. */
static void learn_absence(struct inquiry *inquiry)
{
    struct search *search = inquiry->search;
    for (uint32_t i = 0; i < inquiry->pairs.len; i++) {
        const struct pair *pair = &inquiry->pairs.at[i];
        struct fact_list facts = {0};
        if (!session_true(search->session, pair->is) || is_there(inquiry, pair))
            continue;
        if (pair->forth)
            theory_why(search->theory, inquiry->scratch, pair->node, pair->a, pair->b, false,
                       &facts);
        if (pair->back && pair->a != pair->b)
            theory_why(search->theory, inquiry->scratch, pair->node, pair->b, pair->a, false,
                       &facts);
        search_learn(search, pair->is, &facts);
    }
}

/* Learns the reasons why the related pairs are related. */
static void learn_presence(struct inquiry *inquiry)
{
    struct search *search = inquiry->search;
    for (uint32_t i = 0; i < inquiry->pairs.len; i++) {
        const struct pair *pair = &inquiry->pairs.at[i];
        const struct rel *now = theory_rel(search->theory, pair->node);
        bool forth = rel_has(now, pair->a, pair->b);
        struct fact_list facts = {0};
        if (!is_there(inquiry, pair))
            continue;
        theory_why(search->theory, inquiry->scratch, pair->node, forth ? pair->a : pair->b,
                   forth ? pair->b : pair->a, true, &facts);
        search_learn(search, inquiry->clear, &facts);
    }
}

/* Is there an execution that ends 'here' and races, or does not? False: that was not decided. */
static bool ask(struct inquiry *inquiry, lit here, bool racing)
{
    struct search *search = inquiry->search;
    struct premises premises = solving_premises(search);
    premises_add(&premises, here);
    premises_add(&premises, racing ? inquiry->racing : inquiry->clear);
    while (search->iterations < inquiry->until) {
        struct execution *x;
        search->iteration_limit = inquiry->until - search->iterations;
        enum search_answer answer =
            search_find(search, inquiry->scratch, premises.at, premises.count, &x);
        search->iteration_limit = 0;
        if (answer == SEARCH_INTERNAL)
            return solving_decided(inquiry->solving, search, answer);
        if (answer != SEARCH_FOUND)
            return answer == SEARCH_NONE;
        if (races_note(inquiry->solving, search, x) == racing)
            return true;
        if (racing)
            learn_absence(inquiry);
        else
            learn_presence(inquiry);
    }
    return false;
}

static void ask_state(struct inquiry *inquiry, uint32_t index)
{
    struct outcome_set *set = &inquiry->solving->result->outcomes;
    struct encoding *encoding = inquiry->search->encoding;
    if (set->items.at[index].race && set->items.at[index].race_free)
        return;
    lit here = session_not(inquiry->search->session,
                           encode_differs(encoding, set->items.at[index].values));
    if (!set->items.at[index].race && !ask(inquiry, here, true))
        set->items.at[index].race_open = true;
    if (!set->items.at[index].race_free && !ask(inquiry, here, false))
        set->items.at[index].race_free_open = true;
}

void state_races_decide(struct solving *solving, struct search *search)
{
    struct inquiry inquiry = {.solving = solving,
                              .search = search,
                              .scratch = arena_scratch(solving->arena),
                              .until = search->iterations + PROPOSALS};
    list_flags(&inquiry);
    make_literals(&inquiry);
    for (uint32_t i = 0; i < solving->result->outcomes.items.len; i++)
        ask_state(&inquiry, i);
    arena_free(inquiry.scratch);
}
