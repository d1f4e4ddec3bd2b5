/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

#include "solver/encode/restated.h"

/* An iteration that went round and left the registers as they were is made in vain (struct repeat), unless something
 * outside of it reads what it wrote, or that is final. Whoever does so only finitely often bounds a loop that writes. */

/* What a loop needs of an iteration, as literals. */
struct needs {
    struct encoding *encoding;
    const struct repeat *repeat;
    VEC(lit) lits;
    bool *elsewhere; /* a thread: it may read, outside of the iteration, what that wrote */
    lit news;        /* some write may say something new */
};

static bool is_inside(const struct repeat *repeat, event_id e)
{
    for (uint32_t i = 0; i < repeat->event_count; i++)
        if (repeat->events[i] == e)
            return true;
    return false;
}

/* Is 'of' a part of the conjunction? */
static bool follows(const struct graph *graph, expr_id from, expr_id of)
{
    const struct expr *e = expr_get(graph->exprs, from);
    return from == of || expr_is_true(graph->exprs, of) ||
           (e->op == EXPR_AND && e->width == 1 &&
            (follows(graph, e->a, of) || follows(graph, e->b, of)));
}

/* Between the two, its thread surely writes there again. */
static bool is_overwritten(const struct graph *graph, event_id write, event_id read)
{
    const struct event *from = &graph->events[write], *to = &graph->events[read];
    bool again = false;
    for (event_id e = write + 1; e < read && !again; e++) {
        const struct event *event = &graph->events[e];
        again = event->kind == EVENT_WRITE && event->thread == from->thread &&
                event->position > from->position && event->position < to->position &&
                restated_is_at(event, from) && restated_is_at(event, to) &&
                follows(graph, to->guard, event->guard);
    }
    return again && from->thread == to->thread;
}

static void add_reads(struct needs *needs, event_id write, lit news)
{
    const struct encoding *encoding = needs->encoding;
    for (uint32_t i = 0; i < encoding->origin_count; i++) {
        const struct origin *origin = &encoding->origins[i];
        if (is_inside(needs->repeat, origin->read))
            continue;
        for (uint32_t k = 0; k < origin->count; k++) {
            if (origin->from[k].write != write ||
                is_overwritten(encoding->graph, write, origin->read))
                continue;
            vec_push(encoding->arena, &needs->lits,
                     session_and2(encoding->session, news, origin->from[k].is));
            needs->elsewhere[encoding->graph->events[origin->read].thread] = true;
        }
    }
}

static void add_final(struct needs *needs, event_id write, lit news)
{
    const struct encoding *encoding = needs->encoding;
    for (uint32_t g = 0; g < encoding->graph->granule_count; g++)
        for (uint32_t k = 0; encoding->final[g] && k < encoding->final_count[g]; k++)
            if (encoding->final[g][k].write == write)
                vec_push(encoding->arena, &needs->lits,
                         session_and2(encoding->session, news, encoding->final[g][k].is));
}

/* ---- beyond the bound ----------------------------------------------------------------------- */

/* The thread goes round some loop more often than that was unrolled. */
static lit encode_past(struct encoding *encoding, uint32_t thread)
{
    const struct graph *graph = encoding->graph;
    struct session *session = encoding->session;
    lit past = session->no;
    for (uint32_t i = 0; i < graph->assumption_count; i++) {
        const struct assumption *left = &graph->assumptions[i];
        if (left->kind == ASSUME_BOUND && left->thread == thread)
            past = session_or2(
                session, past,
                session_not(session, encode_is(encoding, encoding->of[left->condition], 1)));
    }
    return past;
}

/* Some thread goes past a bound before all others. Where these are then, the graph need not show: one that waits for what
 * comes later goes round in vain, past its own bound. */
struct leaders {
    lit *past, *is; /* a thread: it goes past a bound; it is the first */
};

static struct leaders find_leaders(struct encoding *encoding)
{
    struct session *session = encoding->session;
    uint32_t count = encoding->graph->thread_count;
    struct leaders leaders = {ARENA_ARRAY(encoding->arena, lit, count + 1),
                              ARENA_ARRAY(encoding->arena, lit, count + 1)};
    for (uint32_t t = 0; t < count; t++) {
        leaders.past[t] = encode_past(encoding, t);
        leaders.is[t] = session_and2(session, leaders.past[t], session_bool(session));
    }
    session_at_most_one(session, leaders.is, count);
    return leaders;
}

/* A thread that goes round once more than its loop was unrolled may read it then. */
static void add_unseen(struct needs *needs, const struct leaders *leaders)
{
    const struct encoding *encoding = needs->encoding;
    struct session *session = encoding->session;
    uint32_t own = needs->repeat->thread;
    for (uint32_t t = 0; t < encoding->graph->thread_count; t++) {
        if (needs->elsewhere[t])
            vec_push(encoding->arena, &needs->lits,
                     session_and2(session, needs->news, leaders->past[t]));
        if (t != own)
            vec_push(encoding->arena, &needs->lits,
                     session_and2(session, leaders->is[t], leaders->past[own]));
    }
}

static void encode_repeat(struct encoding *encoding, const struct leaders *leaders,
                          const struct repeat *repeat)
{
    const struct graph *graph = encoding->graph;
    struct needs needs = {encoding, repeat, {0}, NULL, encoding->session->no};
    needs.elsewhere = ARENA_ARRAY(encoding->arena, bool, graph->thread_count + 1);
    for (uint32_t i = 0; i < repeat->event_count; i++) {
        event_id e = repeat->events[i];
        if (restated_may_race(encoding, e))
            return;
        if (graph->events[e].kind != EVENT_WRITE)
            continue;
        lit news = encode_news(encoding, e);
        add_reads(&needs, e, news);
        add_final(&needs, e, news);
        needs.news = session_or2(encoding->session, needs.news, news);
    }
    add_unseen(&needs, leaders);
    lit round = encode_is(encoding, encoding->of[repeat->condition], 1);
    vec_push(encoding->arena, &needs.lits, session_not(encoding->session, round));
    SESSION_CLAUSE(encoding->session, session_or(encoding->session, needs.lits.at, needs.lits.len));
}

void encode_repeats(struct encoding *encoding)
{
    if (!encoding->graph->repeat_count)
        return;
    struct leaders leaders = find_leaders(encoding);
    for (uint32_t i = 0; i < encoding->graph->repeat_count; i++)
        encode_repeat(encoding, &leaders, &encoding->graph->repeats[i]);
}
