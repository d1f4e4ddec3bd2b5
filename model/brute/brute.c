/* SPDX-License-Identifier: MIT */
#include "model/brute/brute.h"

#include <assert.h>

#include "model/models/flags.h"
#include "model/judge/judge.h"
#include "model/models/models.h"
#include "model/graph/ground.h"

enum { WIDEST_CHOICE = 4 }; /* bits: all values of a wider choice are too many */

/* One thing to choose, by trying each of its values. */
struct digit {
    enum { DIGIT_READ, DIGIT_CHOICE, DIGIT_COMPLETION, DIGIT_FINAL, DIGIT_CO, DIGIT_SC } kind;
    uint32_t a, b; /* READ: event and piece; CHOICE, COMPLETION, FINAL: index; CO, SC: two events */
    VEC(uint64_t) values;
};

struct digits {
    struct digit *at;
    uint32_t len, cap;
};

struct brute {
    struct arena *scratch;
    const struct graph *graph;
    const struct cat_model *model;
    struct execution *x;
    const struct digits *choices; /* reads, choices, completions */
    struct brute_result *result;
    bool races;          /* the execution judged last has a data race */
    struct arena *arena; /* of the result */
    VEC(const struct undefined *) undefined;
    uint64_t budget;
};

static bool spend(struct brute *b, uint64_t *what)
{
    if (b->budget == 0)
        b->result->complete = false;
    else
        b->budget--, ++*what;
    return b->result->complete;
}

/* ---- trying every combination --------------------------------------------------------------- */

/* Whether a counted barrier operation passes follows from its completion. */
static uint32_t passed_choice(const struct graph *g, uint32_t op)
{
    return expr_get(g->exprs, g->barriers[op].passed)->a;
}

static void set_digit(struct brute *b, const struct digit *digit, uint64_t value)
{
    struct execution *x = b->x;
    switch (digit->kind) {
    case DIGIT_READ:
        x->rf[x->rf_base[digit->a] + digit->b] = (event_id)value;
        break;
    case DIGIT_CHOICE:
        x->choice[digit->a] = value;
        break;
    case DIGIT_COMPLETION:
        x->completion[digit->a] = (uint32_t)value;
        x->choice[passed_choice(b->graph, digit->a)] = (uint32_t)value != NONE;
        break;
    case DIGIT_FINAL:
        x->final[digit->a] = (event_id)value;
        break;
    case DIGIT_CO:
    case DIGIT_SC: {
        struct rel *order = digit->kind == DIGIT_CO ? x->co : x->sc;
        rel_remove(order, digit->a, digit->b);
        rel_remove(order, digit->b, digit->a);
        if (value == 1)
            rel_add(order, digit->a, digit->b);
        if (value == 2)
            rel_add(order, digit->b, digit->a);
        break;
    }
    }
}

typedef void visitor(struct brute *b);

static void try_all(struct brute *b, const struct digits *digits, uint32_t from, visitor *visit)
{
    if (from == digits->len) {
        visit(b);
        return;
    }
    const struct digit *digit = &digits->at[from];
    for (uint32_t i = 0; b->result->complete && i < digit->values.len; i++) {
        set_digit(b, digit, digit->values.at[i]);
        try_all(b, digits, from + 1, visit);
    }
}

static struct digit *add_digit(struct brute *b, struct digits *digits, struct digit digit)
{
    vec_push(b->scratch, digits, digit);
    return &digits->at[digits->len - 1];
}

/* ---- final values --------------------------------------------------------------------------- */

static bool covers(const struct execution *x, event_id e, uint32_t granule)
{
    return x->executed[e] && event_is_write(&x->graph->events[e]) &&
           granule >= x->first_granule[e] && granule - x->first_granule[e] < x->granules[e];
}

static bool is_maximal(const struct execution *x, event_id e, uint32_t granule)
{
    for (event_id later = 0; later < x->graph->event_count; later++)
        if (covers(x, later, granule) && rel_has(x->co, e, later))
            return false;
    return covers(x, e, granule);
}

static void note_state(struct brute *b, uint32_t index)
{
    struct outcome *state = &b->result->outcomes.items.at[index];
    state->race |= b->races;
    state->race_free |= !b->races;
}

static void note_outcome(struct brute *b)
{
    const struct test *test = b->graph->test;
    if (execution_complete(b->x) && outcome_satisfies(test, test->filter, b->x->observed))
        note_state(b, outcome_add(&b->result->outcomes, b->x->observed));
}

static void final_digits(struct brute *b, struct digits *digits)
{
    for (uint32_t g = 0; g < b->graph->granule_count; g++) {
        struct digit *digit = add_digit(b, digits, (struct digit){DIGIT_FINAL, .a = g});
        for (event_id e = 0; e < b->graph->event_count; e++)
            if (is_maximal(b->x, e, g))
                vec_push(b->scratch, &digit->values, e);
    }
}

/* A flag over pairs that are races; one over a set names what the model leaves out. */
static bool is_race(const struct cat_model *model, uint32_t axiom)
{
    const struct cat_axiom *flag = &model->axioms[axiom];
    return flag->check == CAT_IS_EMPTY && flag->negated && !model->nodes[flag->node].is_set &&
           flag_is_race(flag_kind(flag->name));
}

static void judge_execution(struct brute *b)
{
    if (!spend(b, &b->result->judged))
        return;
    struct judgement judgement = judge(b->scratch, b->model, b->x);
    if (!judgement.consistent)
        return;
    b->races = false;
    for (uint32_t i = 0; i < b->model->axiom_count; i++) {
        b->result->flags[i] |= judgement.flags[i];
        b->races |= judgement.flags[i] && is_race(b->model, i);
    }
    struct digits finals = {0};
    final_digits(b, &finals);
    try_all(b, &finals, 0, note_outcome);
}

/* ---- coherence and Fence-SC order ----------------------------------------------------------- */

static bool share_bytes(const struct execution *x, event_id a, event_id b)
{
    return x->first_granule[a] < x->first_granule[b] + x->granules[b] &&
           x->first_granule[b] < x->first_granule[a] + x->granules[a];
}

static bool ordered_writes(const struct execution *x, event_id a, event_id b)
{
    const struct event *events = x->graph->events;
    return x->executed[a] && x->executed[b] && event_is_write(&events[a]) &&
           event_is_write(&events[b]) && share_bytes(x, a, b);
}

/* Is co an order: without cycles, and transitive where writes overlap? */
static bool co_is_order(struct brute *b)
{
    const struct rel *co = b->x->co;
    struct rel *closure = rel_new(b->scratch, co->n);
    rel_closure(closure, co);
    for (event_id x = 0; x < co->n; x++)
        for (event_id y = 0; y < co->n; y++)
            if (rel_has(closure, x, y) &&
                (x == y || (ordered_writes(b->x, x, y) && !rel_has(co, x, y))))
                return false;
    return true;
}

static void check_orders(struct brute *b)
{
    if (co_is_order(b))
        judge_execution(b);
}

static void order_digits(struct brute *b, struct digits *digits)
{
    const struct graph *g = b->graph;
    rel_clear(b->x->co);
    rel_clear(b->x->sc);
    for (event_id x = 0; x < g->event_count; x++) {
        for (event_id y = x + 1; y < g->event_count; y++) {
            bool co = ordered_writes(b->x, x, y);
            bool sc = g->events[x].kind == EVENT_FENCE && g->events[y].kind == EVENT_FENCE &&
                      (g->events[x].tags & g->events[y].tags & TAG(SC)) && b->x->executed[x] &&
                      b->x->executed[y] && graph_scope_contains(g, x, y) &&
                      graph_scope_contains(g, y, x);
            if (!co && !sc)
                continue;
            if (co && g->events[x].kind == EVENT_INIT) {
                rel_add(b->x->co, x, y);
                continue;
            }
            struct digit *digit =
                add_digit(b, digits, (struct digit){co ? DIGIT_CO : DIGIT_SC, .a = x, .b = y});
            for (uint64_t value = sc; value < 3; value++)
                vec_push(b->scratch, &digit->values, value);
        }
    }
}

/* ---- what is read, chosen and completed ----------------------------------------------------- */

/* Reads that do not execute have one source only, so that no execution comes twice. */
static bool is_canonical(const struct brute *b)
{
    for (uint32_t i = 0; i < b->choices->len; i++) {
        const struct digit *digit = &b->choices->at[i];
        if (digit->kind == DIGIT_READ && !b->x->executed[digit->a] &&
            b->x->rf[b->x->rf_base[digit->a] + digit->b] != digit->values.at[0])
            return false;
    }
    return true;
}

static bool is_true(const struct brute *b, expr_id condition)
{
    uint64_t value;
    return execution_eval(b->x, condition, &value) && value;
}

/* ---- undefined behaviour -------------------------------------------------------------------- */

static bool is_found(const struct brute *b, const struct undefined *undefined)
{
    for (uint32_t i = 0; i < b->undefined.len; i++)
        if (b->undefined.at[i]->name == undefined->name &&
            b->undefined.at[i]->span.offset == undefined->span.offset)
            return true;
    return false;
}

/* Undefined behaviour of this execution that was not found so far, or NULL. */
static const struct undefined *meets_more(const struct brute *b)
{
    for (uint32_t i = 0; i < b->graph->undefined_count; i++) {
        const struct undefined *undefined = &b->graph->undefined[i];
        if (!is_found(b, undefined) && is_true(b, undefined->condition))
            return undefined;
    }
    return NULL;
}

static void note_undefined(struct brute *b)
{
    const struct undefined *more;
    if (!co_is_order(b) || !meets_more(b) || !spend(b, &b->result->judged) ||
        !judge(b->scratch, b->model, b->x).consistent)
        return;
    while ((more = meets_more(b)))
        vec_push(b->arena, &b->undefined, more);
}

/* Where something is undefined threads need not end, nor accesses stay inside of memory. */
static void look_for_undefined(struct brute *b)
{
    b->x->stuck = true;
    if (execution_complete(b->x) && is_canonical(b) && meets_more(b)) {
        struct digits orders = {0};
        order_digits(b, &orders);
        try_all(b, &orders, 0, note_undefined);
    }
    b->x->stuck = false;
}

/* ---- whole executions ----------------------------------------------------------------------- */

static bool within_bound(const struct brute *b)
{
    for (uint32_t i = 0; i < b->graph->assumption_count; i++)
        if (b->graph->assumptions[i].kind == ASSUME_BOUND &&
            !is_true(b, b->graph->assumptions[i].condition))
            return false;
    return true;
}

/* A thread that waits for ever at a barrier has no final state. */
static bool all_end(const struct brute *b)
{
    for (uint32_t i = 0; i < b->graph->thread_count; i++)
        if (!is_true(b, b->graph->ended[i]))
            return false;
    return true;
}

static void judge_outcomes(struct brute *b)
{
    bool bounded = within_bound(b), ends = all_end(b);
    b->result->bound_reached |= !bounded;
    b->result->hangs |= bounded && !ends;
    if (bounded && ends) {
        struct digits orders = {0};
        order_digits(b, &orders);
        try_all(b, &orders, 0, check_orders);
    }
}

static void check_choices(struct brute *b)
{
    for (uint32_t g = 0; g < b->graph->granule_count; g++)
        b->x->final[g] = b->graph->granules[g].init; /* the last ones may not execute now */
    if (!spend(b, &b->result->tried))
        return;
    struct arena *outer = b->scratch;
    b->scratch = arena_new();
    if (b->graph->undefined_count)
        look_for_undefined(b);
    if (execution_complete(b->x) && is_canonical(b))
        judge_outcomes(b);
    arena_free(b->scratch);
    b->scratch = outer;
}

static bool may_touch(const struct graph *g, event_id e, uint32_t granule)
{
    const struct event *event = &g->events[e];
    if (event->kind == EVENT_INIT)
        return g->granules[granule].init == e;
    for (uint32_t i = 0; i < event->address_count; i++) {
        uint32_t first, count;
        if (graph_granules(g, event->addresses[i], event->bytes, &first, &count) &&
            granule >= first && granule - first < count)
            return true;
    }
    return false;
}

static bool may_supply(const struct graph *g, event_id write, event_id read, uint32_t piece)
{
    const struct event *event = &g->events[read];
    for (uint32_t i = 0; event_is_write(&g->events[write]) && i < event->address_count; i++) {
        uint32_t first, count;
        if (graph_granules(g, event->addresses[i], event->bytes, &first, &count) && piece < count &&
            may_touch(g, write, first + piece))
            return true;
    }
    return false;
}

static void read_digits(struct brute *b, struct digits *digits)
{
    const struct graph *g = b->graph;
    for (event_id r = 0; r < g->event_count; r++) {
        for (uint32_t piece = 0; g->events[r].kind == EVENT_READ && piece < g->events[r].pieces;
             piece++) {
            struct digit *digit =
                add_digit(b, digits, (struct digit){DIGIT_READ, .a = r, .b = piece});
            for (event_id w = 0; w < g->event_count; w++)
                if (may_supply(g, w, r, piece))
                    vec_push(b->scratch, &digit->values, w);
            if (!digit->values.len) /* it never executes */
                vec_push(b->scratch, &digit->values, NONE);
        }
    }
}

static bool is_passed(const struct graph *g, uint32_t choice)
{
    for (uint32_t i = 0; i < g->barrier_count; i++)
        if (g->barriers[i].counted && passed_choice(g, i) == choice)
            return true;
    return false;
}

static void choice_digits(struct brute *b, struct digits *digits)
{
    for (uint32_t i = 0; i < b->graph->choice_count; i++) {
        if (is_passed(b->graph, i))
            continue;
        if (b->graph->choices[i].width > WIDEST_CHOICE)
            b->result->complete = false;
        struct digit *digit = add_digit(b, digits, (struct digit){DIGIT_CHOICE, .a = i});
        for (uint64_t value = 0; value >> b->graph->choices[i].width == 0 && b->result->complete;
             value++)
            vec_push(b->scratch, &digit->values, value);
    }
}

static void completion_digits(struct brute *b, struct digits *digits)
{
    for (uint32_t i = 0; i < b->graph->barrier_count; i++) {
        if (!b->graph->barriers[i].counted)
            continue;
        struct digit *digit = add_digit(b, digits, (struct digit){DIGIT_COMPLETION, .a = i});
        for (uint64_t value = 0; value < b->graph->barrier_count; value++)
            vec_push(b->scratch, &digit->values, value);
        vec_push(b->scratch, &digit->values, NONE);
    }
}

static void brute_graph(struct brute *b, const struct graph *graph)
{
    struct digits digits = {0};
    b->scratch = arena_new();
    b->graph = graph;
    b->x = execution_new(b->scratch, graph);
    b->choices = &digits;
    read_digits(b, &digits);
    choice_digits(b, &digits);
    completion_digits(b, &digits);
    try_all(b, &digits, 0, check_choices);
    arena_free(b->scratch);
}

struct brute_result brute(struct arena *arena, struct graph *const *graphs, uint32_t graph_count,
                          const struct cat_model *model, uint64_t budget)
{
    assert(graphs && graph_count && model);
    struct brute_result result = {.complete = true};
    struct brute b = {.model = model, .result = &result, .arena = arena, .budget = budget};
    result.outcomes = (struct outcome_set){.test = graphs[0]->test, .arena = arena};
    result.flags = ARENA_ARRAY(arena, bool, model->axiom_count);
    for (uint32_t i = 0; i < graph_count && result.complete; i++) {
        if (model_uses(model, "semantic_dep"))
            ground_accesses(graphs[i]);
        brute_graph(&b, graphs[i]);
    }
    result.undefined = b.undefined.at;
    result.undefined_count = b.undefined.len;
    return result;
}
