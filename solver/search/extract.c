/* SPDX-License-Identifier: MIT */
#include "solver/search/extract.h"

#include "solver/search/order.h"

/* Reads an execution out of the model that Z3 found. Z3 may let values depend on themselves, or leave out
 * values that evaluation finds: then the execution is none, and clauses say why. */

static uint64_t read_value(struct encoding *encoding, const struct value *value)
{
    if (value->any)
        return session_value(encoding->session, value->word);
    for (uint32_t i = 0; i < value->count; i++)
        if (session_true(encoding->session, value->is[i]))
            return value->at[i];
    return 0;
}

static event_id picked(struct encoding *encoding, const struct candidate *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (session_true(encoding->session, from[i].is))
            return from[i].write;
    return NONE;
}

static void extract_choices(struct encoding *encoding, struct execution *x)
{
    const struct graph *graph = encoding->graph;
    uint32_t count = expr_count(graph->exprs);
    for (uint32_t s = 0; s < encoding->origin_count; s++) {
        const struct origin *origin = &encoding->origins[s];
        if (session_true(encoding->session, origin->when))
            x->rf[x->rf_base[origin->read] + origin->index] =
                picked(encoding, origin->from, origin->count);
    }
    for (expr_id id = 0; graph->choice_count && id < count; id++) {
        const struct expr *expr = expr_get(graph->exprs, id);
        if (expr->op == EXPR_CHOICE && encoding->of[id])
            x->choice[expr->a] = read_value(encoding, encoding->of[id]);
    }
    for (uint32_t i = 0; i < graph->barrier_count; i++)
        for (uint32_t k = 0; k < encoding->completion_count[i]; k++)
            if (session_true(encoding->session, encoding->completion[i][k]))
                x->completion[i] = k;
    for (uint32_t g = 0; g < graph->granule_count; g++)
        if (encoding->final[g])
            x->final[g] = picked(encoding, encoding->final[g], encoding->final_count[g]);
}

/* A granule that nobody observes ends with any write that no other comes after. */
static void fill_finals(struct encoding *encoding, struct execution *x)
{
    const struct graph *graph = encoding->graph;
    for (uint32_t g = 0; g < graph->granule_count; g++) {
        event_id last = graph->granules[g].init;
        for (uint32_t i = 0; !encoding->final[g] && i < encoding->domains->writer_count[g]; i++) {
            event_id w = encoding->domains->writers[g][i];
            if (x->executed[w] && g - x->first_granule[w] < x->granules[w] &&
                rel_has(x->co, last, w))
                last = w;
        }
        if (!encoding->final[g])
            x->final[g] = last;
    }
}

/* ---- values that depend on themselves ------------------------------------------------------- */

/* Reads a value rests on, found by walking expressions and reads-from. */
struct roots {
    struct encoding *encoding;
    bool *expr_seen, *event_seen;
    VEC(event_id) events; /* whose guard, address and value matter: each is walked once */
    VEC(lit) lits;
    VEC(expr_id) stack;
};

static void want_event(struct roots *roots, struct arena *scratch, event_id e)
{
    if (e == NONE || roots->event_seen[e])
        return;
    roots->event_seen[e] = true;
    vec_push(scratch, &roots->events, e);
}

static void want_choice(struct roots *roots, struct arena *scratch, expr_id id)
{
    struct encoding *encoding = roots->encoding;
    struct value *value = encoding->of[id];
    uint64_t now = read_value(encoding, value);
    lit differs = session_not(encoding->session, encode_is(encoding, value, now));
    vec_push(scratch, &roots->lits, differs);
}

static expr_id rests_on(const struct graph *graph, const struct expr *choice)
{
    return graph->choices[choice->a].rests_on;
}

static void walk(struct roots *roots, struct arena *scratch, expr_id root)
{
    const struct expr_pool *pool = roots->encoding->graph->exprs;
    vec_push(scratch, &roots->stack, root);
    while (roots->stack.len > 0) {
        expr_id id = roots->stack.at[--roots->stack.len];
        const struct expr *expr = expr_get(pool, id);
        if (roots->expr_seen[id] || expr->op == EXPR_CONST)
            continue;
        roots->expr_seen[id] = true;
        if (expr->op == EXPR_READ) {
            want_event(roots, scratch, expr->b);
        } else if (expr->op == EXPR_CHOICE && rests_on(roots->encoding->graph, expr)) {
            vec_push(scratch, &roots->stack, rests_on(roots->encoding->graph, expr) - 1);
        } else if (expr->op == EXPR_CHOICE) {
            want_choice(roots, scratch, id);
        } else {
            expr_id kids[3];
            unsigned count = expr_kids(expr, kids);
            for (unsigned i = 0; i < count; i++)
                vec_push(scratch, &roots->stack, kids[i]);
        }
    }
}

static void walk_event(struct roots *roots, struct arena *scratch, event_id e)
{
    struct encoding *encoding = roots->encoding;
    const struct event *event = &encoding->graph->events[e];
    walk(roots, scratch, event->guard);
    walk(roots, scratch, event_assured(encoding->graph, e));
    walk(roots, scratch, event->address);
    if (event_is_write(event)) {
        walk(roots, scratch, event->value);
        return;
    }
    for (uint32_t o = encoding->first_origin[e]; o < encoding->first_origin[e + 1]; o++) {
        const struct origin *origin = &encoding->origins[o];
        for (uint32_t i = 0; i < origin->count; i++) {
            if (!session_true(encoding->session, origin->from[i].is))
                continue;
            lit differs = session_not(encoding->session, origin->from[i].is);
            vec_push(scratch, &roots->lits, differs);
            want_event(roots, scratch, origin->from[i].write);
        }
    }
}

static struct roots roots_new(struct encoding *encoding, struct arena *scratch)
{
    const struct graph *graph = encoding->graph;
    return (struct roots){.encoding = encoding,
                          .expr_seen = ARENA_ARRAY(scratch, bool, expr_count(graph->exprs)),
                          .event_seen = ARENA_ARRAY(scratch, bool, graph->event_count)};
}

static void walk_events(struct roots *roots, struct arena *scratch)
{
    for (uint32_t i = 0; i < roots->events.len; i++)
        walk_event(roots, scratch, roots->events.at[i]);
}

/* So many are excluded one by one; where there are more, all of them at once. */
enum { FEW_CIRCLES = 16 };

/* Excludes the reads-from that 'start', or an expression, rests on. Evaluation sees nothing else of the execution, so
 * whatever else it chooses, this value would depend on itself again. */
static bool learn_roots(struct encoding *encoding, struct arena *scratch, event_id start,
                        expr_id expr)
{
    struct roots roots = roots_new(encoding, scratch);
    want_event(&roots, scratch, start);
    if (start == NONE)
        walk(&roots, scratch, expr);
    walk_events(&roots, scratch);
    if (roots.lits.len == 0)
        return false;
    session_clause(encoding->session, roots.lits.at, roots.lits.len);
    if (++encoding->circles == FEW_CIRCLES)
        encode_founding(encoding);
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Which memory events have a guard, an address and a value once everything was computed that can
 * be: execution_complete does not say. Values it did compute stand in the execution. */
struct founding {
    struct execution *x;
    bool *known;
    bool *chosen; /* a choice that rests on something: that is known */
    struct expr_memo memo;
};

static struct founding founding_new(struct arena *scratch, struct execution *x)
{
    return (struct founding){x, ARENA_ARRAY(scratch, bool, x->graph->event_count),
                             ARENA_ARRAY(scratch, bool, x->graph->choice_count),
                             expr_memo_new(scratch, x->graph->exprs)};
}

static bool founded_leaf(void *context, const struct expr *expr, uint64_t *value)
{
    struct founding *founding = context;
    struct execution *x = founding->x;
    const struct graph *graph = x->graph;
    if (expr->op == EXPR_CHOICE) {
        *value = x->choice[expr->a];
        return !rests_on(graph, expr) || founding->chosen[expr->a];
    }
    uint32_t granule = x->first_granule[expr->b] + expr->a;
    event_id w = x->rf[x->rf_base[expr->b] + expr->a];
    if (w == NONE || !founding->known[w] || !x->granules[expr->b] ||
        granule - x->first_granule[w] >= x->granules[w])
        return false;
    *value =
        x->value[w] >>
        (8 * (graph->granules[granule].physical - graph->granules[x->first_granule[w]].physical));
    if (expr->width < 64)
        *value &= (UINT64_C(1) << expr->width) - 1;
    return true;
}

static bool founded_expr(struct founding *founding, expr_id id, uint64_t *value)
{
    const struct expr_pool *exprs = founding->x->graph->exprs;
    return expr_eval_memo(exprs, &founding->memo, id, founded_leaf, founding, value);
}

static bool found(struct founding *founding, event_id e)
{
    const struct graph *graph = founding->x->graph;
    const struct event *event = &graph->events[e];
    uint64_t value;
    if (founded_expr(founding, event->guard, &value) && !value)
        return true;
    if (!founded_expr(founding, event_assured(graph, e), &value))
        return false;
    return !value || (founded_expr(founding, event->address, &value) &&
                      founded_expr(founding, event->value, &value));
}

static bool has_guard(struct founding *founding, event_id e)
{
    uint64_t value;
    return founded_expr(founding, founding->x->graph->events[e].guard, &value);
}

/* A choice that rests on itself; NONE: of those that are known now, more are. */
static uint32_t unfounded_choice(struct founding *founding, bool *more)
{
    const struct graph *graph = founding->x->graph;
    uint32_t left = NONE;
    for (uint32_t i = 0; i < graph->choice_count; i++) {
        uint64_t value;
        if (!graph->choices[i].rests_on || founding->chosen[i])
            continue;
        founding->chosen[i] = founded_expr(founding, graph->choices[i].rests_on - 1, &value);
        *more |= founding->chosen[i];
        if (!founding->chosen[i] && left == NONE)
            left = i;
    }
    return left;
}

/* A memory event that rests on itself, or NONE. 'choice': the same. */
static event_id unfounded(struct founding *founding, uint32_t *choice)
{
    const struct graph *graph = founding->x->graph;
    bool more = true;
    event_id left = NONE;
    while (more) {
        more = false;
        left = NONE;
        *choice = unfounded_choice(founding, &more);
        for (event_id e = 0; e < graph->event_count; e++) {
            if (!event_is_memory(&graph->events[e]) || founding->known[e])
                continue;
            founding->known[e] = found(founding, e);
            more |= founding->known[e];
            if (!founding->known[e] && left == NONE)
                left = e;
        }
    }
    for (event_id e = 0; e < graph->event_count && left == NONE; e++)
        if (event_is_memory(&graph->events[e]) && !has_guard(founding, e))
            left = e;
    return left;
}

/* Z3 need not give a value to what depends on itself, while evaluation may: 0 AND a value is 0. Says
 * which value follows from what was proposed, of the first expression for which Z3 did not see it. */
static bool learn_value(struct encoding *encoding, struct arena *scratch, struct founding *founding)
{
    for (expr_id id = 0; id < expr_count(encoding->graph->exprs); id++) {
        uint64_t value;
        if (!encoding->of[id] || !founded_expr(founding, id, &value))
            continue;
        lit follows = encode_is(encoding, encoding->of[id], value);
        if (session_true(encoding->session, follows))
            continue;
        struct roots roots = roots_new(encoding, scratch);
        walk(&roots, scratch, id);
        walk_events(&roots, scratch);
        vec_push(scratch, &roots.lits, follows);
        session_clause(encoding->session, roots.lits.at, roots.lits.len);
        return true;
    }
    return false;
}

/* Whether Z3 has the event execute, and its value, as evaluation found them. */
static bool agrees(const struct encoding *encoding, const struct execution *x, event_id e)
{
    struct session *session = encoding->session;
    const struct event *event = &x->graph->events[e];
    if (session_true(session, encoding->executed[e]) != x->executed[e])
        return false;
    const struct value *value = encoding->of[event->value];
    if (!x->executed[e] || !event_is_write(event) || !value || value->any)
        return true;
    for (uint32_t i = 0; i < value->count; i++)
        if (value->at[i] == x->value[e])
            return session_true(session, value->is[i]);
    return true;
}

/* True when something was learned: what Z3 proposes is not what follows from it. */
static bool learn_difference(struct encoding *encoding, struct arena *scratch, struct execution *x)
{
    const struct graph *graph = x->graph;
    event_id e = 0;
    while (e < graph->event_count && agrees(encoding, x, e))
        e++;
    if (e == graph->event_count)
        return false;
    struct founding founding = founding_new(scratch, x);
    uint32_t choice;
    return unfounded(&founding, &choice) == NONE && choice == NONE &&
           learn_value(encoding, scratch, &founding);
}

enum proposal extract(struct encoding *encoding, struct arena *scratch, bool stuck, bool opposite,
                      struct execution **execution)
{
    struct execution *x = execution_new(scratch, encoding->graph);
    *execution = x;
    x->stuck = stuck;
    extract_choices(encoding, x);
    if (!execution_complete(x)) {
        struct founding founding = founding_new(scratch, x);
        uint32_t choice;
        event_id e = unfounded(&founding, &choice);
        expr_id rests = choice == NONE ? 0 : encoding->graph->choices[choice].rests_on - 1;
        bool learned = e != NONE || choice != NONE ? learn_roots(encoding, scratch, e, rests)
                                                   : learn_value(encoding, scratch, &founding);
        return learned ? PROPOSAL_LEARNED : PROPOSAL_BROKEN;
    }
    if (learn_difference(encoding, scratch, x) || !order_settle(encoding, scratch, x, opposite))
        return PROPOSAL_LEARNED;
    fill_finals(encoding, x);
    return PROPOSAL_READY;
}
