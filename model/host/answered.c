/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/host/host.h"

/* Queries whose answer is known before anything is searched: all that they ask about has ended when they are made,
 * by edges that are there whatever is chosen. The program that checks the result of such a query then has one way
 * to go on, and what follows is certain to execute. Where nothing rests on the answer the query stays open, so that
 * reasons for it can be given. */

struct answering {
    const struct host_plan *plan;
    struct arena *arena;
    VEC(expr_id) known; /* holds where the query is made */
    uint32_t *first_in; /* an event: its edges start here in 'in'; one more entry for the end */
    const struct fixed_edge **in;
    bool *seen;
    bool *decides; /* an expression: whether some event happens is computed from it */
};

/* ---- what holds ----------------------------------------------------------------------------- */

static void know(struct answering *s, expr_id id)
{
    const struct expr expr = *expr_get(s->plan->b->exprs, id);
    if (expr.op == EXPR_AND && expr.width == 1) {
        know(s, expr.a);
        know(s, expr.b);
    } else
        vec_push(s->arena, &s->known, id);
}

static bool holds(const struct answering *s, expr_id id)
{
    const struct expr_pool *exprs = s->plan->b->exprs;
    const struct expr *expr = expr_get(exprs, id);
    if (expr_is_true(exprs, id))
        return true;
    for (uint32_t i = 0; i < s->known.len; i++)
        if (s->known.at[i] == id)
            return true;
    return expr->op == EXPR_AND && expr->width == 1 && holds(s, expr->a) && holds(s, expr->b);
}

/* ---- what comes before ---------------------------------------------------------------------- */

static const enum fixed_relation orders[] = {FIXED_api_sync, FIXED_enqueue};
#define ORDERS (sizeof orders / sizeof *orders)

static void index_edges(struct answering *s)
{
    const struct builder *b = s->plan->b;
    uint32_t count = 0;
    s->first_in = ARENA_ARRAY(s->arena, uint32_t, b->events.len + 2);
    for (uint32_t r = 0; r < ORDERS; r++)
        for (uint32_t i = 0; i < b->fixed[orders[r]].len; i++, count++)
            s->first_in[b->fixed[orders[r]].at[i].to + 2]++;
    for (uint32_t e = 2; e < b->events.len + 2; e++)
        s->first_in[e] += s->first_in[e - 1];
    s->in = ARENA_ARRAY(s->arena, const struct fixed_edge *, count + 1);
    for (uint32_t r = 0; r < ORDERS; r++)
        for (uint32_t i = 0; i < b->fixed[orders[r]].len; i++) {
            const struct fixed_edge *edge = &b->fixed[orders[r]].at[i];
            s->in[s->first_in[edge->to + 1]++] = edge;
        }
}

/* Marks what comes before the event in every execution in which the query is made. */
static void look_back(struct answering *s, event_id from)
{
    const struct builder *b = s->plan->b;
    VEC(event_id) todo = {0};
    vec_push(s->arena, &todo, from);
    while (todo.len) {
        event_id to = todo.at[--todo.len];
        const struct event *event = &b->events.at[to];
        for (uint32_t i = s->first_in[to]; i < s->first_in[to + 1]; i++) {
            event_id e = s->in[i]->from;
            if (s->seen[e] || !holds(s, s->in[i]->guard))
                continue;
            s->seen[e] = true;
            if (holds(s, b->events.at[e].guard))
                vec_push(s->arena, &todo, e);
        }
        for (event_id e = 0; e < b->events.len; e++) {
            const struct event *earlier = &b->events.at[e];
            if (s->seen[e] || earlier->thread != event->thread || earlier->kind != EVENT_API ||
                earlier->position >= event->position)
                continue;
            s->seen[e] = true;
            if (holds(s, earlier->guard))
                vec_push(s->arena, &todo, e);
        }
    }
}

/* ---- what a branch rests on ----------------------------------------------------------------- */

static void find_decisive(struct answering *s)
{
    const struct builder *b = s->plan->b;
    expr_id kids[3];
    s->decides = ARENA_ARRAY(s->arena, bool, expr_count(b->exprs) + 1);
    for (uint32_t e = 0; e < b->events.len; e++)
        s->decides[b->events.at[e].guard] = true;
    for (expr_id id = expr_count(b->exprs); id-- > 0;) {
        unsigned count = s->decides[id] ? expr_kids(expr_get(b->exprs, id), kids) : 0;
        for (unsigned k = 0; k < count; k++)
            s->decides[kids[k]] = true;
    }
}

/* ---- queries -------------------------------------------------------------------------------- */

/* The time between two events of which one was never recorded is an error, and no answer. */
static bool lacks_record(const struct host_plan *plan, uint32_t instance)
{
    expr_id first = NONE;
    bool timed = plan->host->calls[plan->b->instances.at[instance].call].row->subject ==
                 HOST_SUBJECT_ELAPSED;
    for (uint32_t i = 0; timed && i < plan->waits.len; i++) {
        const struct task_wait *w = &plan->waits.at[i];
        if (w->instance != instance)
            continue;
        if (first != NONE && w->late != first)
            return false;
        first = w->late;
    }
    return timed;
}

static bool is_answered(struct answering *s, uint32_t instance)
{
    const struct host_plan *plan = s->plan;
    const struct call_instance *at = &plan->b->instances.at[instance];
    memset(s->seen, 0, plan->b->events.len * sizeof *s->seen);
    uint32_t known = s->known.len;
    know(s, at->guard);
    look_back(s, at->start);
    s->known.len = known;
    for (uint32_t i = 0; i < plan->waits.len; i++)
        if (plan->waits.at[i].instance == instance &&
            !s->seen[plan->tasks.at[plan->waits.at[i].task].end])
            return false;
    return true;
}

bool host_answer_queries(const struct host_plan *plan, bool *answered)
{
    const struct builder *b = plan->b;
    struct arena *scratch = arena_scratch(b->arena);
    struct answering s = {.plan = plan, .arena = scratch};
    const uint32_t count = plan->host->call_count;
    bool *open = ARENA_ARRAY(scratch, bool, count + 1), any = false;
    s.seen = ARENA_ARRAY(scratch, bool, b->events.len + 1);
    index_edges(&s);
    find_decisive(&s);
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct call_instance *at = &b->instances.at[i];
        if (plan->host->calls[at->call].row->class != HOST_ASKS || answered[at->call])
            continue;
        if (!s.decides[at->success] || lacks_record(plan, i) || !is_answered(&s, i))
            open[at->call] = true;
        else
            know(&s, at->success);
    }
    for (uint32_t i = 0; i < b->instances.len; i++) {
        uint32_t call = b->instances.at[i].call;
        bool found =
            plan->host->calls[call].row->class == HOST_ASKS && !answered[call] && !open[call];
        answered[call] |= found;
        any |= found;
    }
    arena_free(scratch);
    return any;
}
