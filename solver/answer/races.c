/* SPDX-License-Identifier: MIT */
#include "solver/answer/states.h"

#include <string.h>

/* Flags of a model: 'flag ~empty r as data-race'. An execution shows the pairs it has. Whether some
 * execution relates a pair that none has shown yet is asked with the pair as the goal; what the
 * theory says against it becomes a clause, as with axioms. Derived relations are least fixpoints,
 * so the absence of causality is exact. */

/* How many executions may be proposed for all pairs of one flag. Past it the races found so far are
 * reported, and the list as incomplete. */
enum { PROPOSALS = 2000 };

static bool is_race_flag(const struct cat_model *model, uint32_t axiom)
{
    const struct cat_axiom *flag = &model->axioms[axiom];
    return flag->flag && flag->negated && flag->check == CAT_IS_EMPTY &&
           !model->nodes[flag->node].is_set;
}

static bool is_outside(const struct cat_axiom *flag)
{
    return flag_kind(flag->name) == FLAG_OUTSIDE;
}

static bool same_event(const struct solving *solving, uint32_t g, event_id a, uint32_t h,
                       event_id b)
{
    const struct graph *p = solving->options->graphs[g], *q = solving->options->graphs[h];
    const struct event *x = &p->events[a], *y = &q->events[b];
    return g == h ? a == b
                  : x->kind == y->kind && x->span.offset == y->span.offset && x->thread != NONE &&
                        y->thread != NONE &&
                        strcmp(p->threads[x->thread].name, q->threads[y->thread].name) == 0;
}

/* The graphs of a host program differ in the order of its calls: a pair is told once. */
static bool is_known(const struct solving *solving, uint32_t graph, event_id a, event_id b,
                     const char *flag)
{
    for (uint32_t i = 0; i < solving->races.len; i++) {
        const struct race *known = &solving->races.at[i];
        if (known->flag == flag && ((same_event(solving, known->graph, known->a, graph, a) &&
                                     same_event(solving, known->graph, known->b, graph, b)) ||
                                    (same_event(solving, known->graph, known->a, graph, b) &&
                                     same_event(solving, known->graph, known->b, graph, a))))
            return true;
    }
    return false;
}

static void enter(struct solving *solving, uint32_t graph, event_id a, event_id b,
                  const struct cat_axiom *flag, const struct execution *x)
{
    struct race race = {graph, MIN(a, b), MAX(a, b), flag->name, flag_kind(flag->name), NULL};
    if (!is_known(solving, graph, a, b, flag->name)) {
        if (solving->options->witnesses)
            race.run = execution_copy(solving->arena, x);
        vec_push(solving->arena, &solving->races, race);
    }
    solving->result->mixed_size_race |= is_outside(flag);
}

bool races_is_race(const struct cat_model *model, uint32_t axiom)
{
    return is_race_flag(model, axiom) && flag_is_race(flag_kind(model->axioms[axiom].name));
}

static void note_state(struct solving *solving, const struct execution *x, bool races)
{
    struct outcome_set *set = &solving->result->outcomes;
    uint32_t index;
    if (!outcome_find(set, x->observed, &index))
        return;
    set->items.at[index].race |= races;
    set->items.at[index].race_free |= !races;
}

bool races_note(struct solving *solving, struct search *search, const struct execution *x)
{
    const struct cat_model *model = solving->options->model;
    uint32_t n = search->graph->event_count;
    bool races = false;
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        if (!is_race_flag(model, i) || !theory_holds(search->theory, i))
            continue;
        const struct rel *pairs = theory_rel(search->theory, model->axioms[i].node);
        for (event_id a = 0; a < n; a++)
            for (event_id b = 0; b < n; b++)
                if (rel_has(pairs, a, b))
                    enter(solving, search->graph_index, a, b, &model->axioms[i], x);
        races |= races_is_race(model, i);
    }
    note_state(solving, x, races);
    return races;
}

/* ---- pairs not seen yet --------------------------------------------------------------------- */

/* A pair that the flag may relate, and the literal that asks for it: in either direction where both
 * are open, as that is one race. */
struct wanted {
    event_id a, b;
    bool either;
    lit is;
};

struct hunt {
    struct solving *solving;
    struct search *search;
    const struct cat_axiom *flag;
    VEC(struct wanted) open;
};

static bool seen(const struct hunt *hunt, event_id a, event_id b)
{
    return is_known(hunt->solving, hunt->search->graph_index, a, b, hunt->flag->name);
}

static void list_open(struct hunt *hunt, struct arena *scratch)
{
    struct search *search = hunt->search;
    uint32_t n = search->graph->event_count;
    struct rel *may = rel_new(scratch, n), *must = rel_new(scratch, n);
    theory_bounds(search->theory, hunt->flag->node, may, must);
    for (event_id a = 0; a < n; a++)
        for (event_id b = 0; b < n; b++) {
            struct wanted wanted = {a, b, rel_has(may, b, a), NULL};
            if (!rel_has(may, a, b) || (wanted.either && a > b) || seen(hunt, a, b))
                continue;
            wanted.is = session_bool(search->session);
            vec_push(scratch, &hunt->open, wanted);
        }
}

static bool shows(const struct rel *pairs, const struct wanted *wanted)
{
    return rel_has(pairs, wanted->a, wanted->b) ||
           (wanted->either && rel_has(pairs, wanted->b, wanted->a));
}

/* Keeps what this execution does not show, with the reason learned: of all that is open, or each would take an
 * execution of its own. */
static void strike(struct hunt *hunt, struct arena *scratch)
{
    struct search *search = hunt->search;
    struct session *session = search->session;
    const struct rel *pairs = theory_rel(search->theory, hunt->flag->node);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < hunt->open.len; i++) {
        struct wanted wanted = hunt->open.at[i];
        struct fact_list facts = {0};
        if (seen(hunt, wanted.a, wanted.b)) {
            SESSION_CLAUSE(session, session_not(session, wanted.is));
            continue;
        }
        hunt->open.at[kept++] = wanted;
        if (shows(pairs, &wanted))
            continue;
        theory_why(search->theory, scratch, hunt->flag->node, wanted.a, wanted.b, false, &facts);
        if (wanted.either)
            theory_why(search->theory, scratch, hunt->flag->node, wanted.b, wanted.a, false,
                       &facts);
        search_learn(search, wanted.is, &facts);
    }
    hunt->open.len = kept;
}

static lit some_open(struct hunt *hunt, struct arena *scratch)
{
    struct session *session = hunt->search->session;
    lit *lits = ARENA_ARRAY(scratch, lit, hunt->open.len + 1), some = session_bool(session);
    for (uint32_t i = 0; i < hunt->open.len; i++)
        lits[i] = hunt->open.at[i].is;
    lits[hunt->open.len] = session_not(session, some);
    session_clause(session, lits, hunt->open.len + 1);
    return some;
}

/* False: the search stopped before it knew about every pair. */
static bool hunt_down(struct hunt *hunt, struct arena *scratch)
{
    struct search *search = hunt->search;
    uint32_t until = search->iterations + PROPOSALS;
    list_open(hunt, scratch);
    if (hunt->open.len == 0)
        return true;
    lit some = some_open(hunt, scratch);
    while (hunt->open.len > 0 && search->iterations < until) {
        /* A race is one whether or not the test's filter looks at where it leads. */
        lit goals[] = {search->encoding->complete, search->encoding->within_bound,
                       search->encoding->defined, some};
        struct execution *x;
        enum search_answer answer = search_find(search, scratch, goals, G_N_ELEMENTS(goals), &x);
        if (answer != SEARCH_FOUND)
            return solving_decided(hunt->solving, search, answer);
        races_note(hunt->solving, search, x);
        strike(hunt, scratch);
    }
    return hunt->open.len == 0;
}

/* What a flag says is known only when all of its pairs were looked for. */
static void note_end(struct solver_result *result, const struct cat_axiom *flag, bool whole)
{
    result->races_complete &= whole;
    if (flag_kind(flag->name) == FLAG_OUTSIDE)
        result->outside_decided &= whole;
    if (flag_undefines(flag_kind(flag->name)))
        result->undefined_decided &= whole;
}

void races_decide(struct solving *solving, struct search *search)
{
    const struct cat_model *model = solving->options->model;
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        struct hunt hunt = {.solving = solving, .search = search, .flag = &model->axioms[i]};
        /* Whether a mixed-size race exists decides whether there is a verdict at all: always asked.
         */
        if (!is_race_flag(model, i) || !(solving->options->races || is_outside(&model->axioms[i])))
            continue;
        struct arena *scratch = arena_scratch(solving->arena);
        note_end(solving->result, hunt.flag, hunt_down(&hunt, scratch));
        arena_free(scratch);
    }
}
