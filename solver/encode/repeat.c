/* SPDX-License-Identifier: MIT */
#include "solver/encode/encode.h"

#include "model/graph/conflict.h"

/* An iteration that went round and left the registers as they were is made in vain (struct repeat), unless something
 * outside of it reads what it wrote, or that is final. Whoever does so only finitely often bounds a loop that writes. */

/* What a loop needs of an iteration, as literals. */
struct needs {
    struct encoding *encoding;
    const struct repeat *repeat;
    VEC(lit) lits;
    bool *elsewhere; /* a thread: it may read, outside of the iteration, what that wrote */
};

static bool is_inside(const struct repeat *repeat, event_id e)
{
    for (uint32_t i = 0; i < repeat->event_count; i++)
        if (repeat->events[i] == e)
            return true;
    return false;
}

/* A race of the iteration would be lost with it. */
static bool may_race(const struct encoding *encoding, event_id e)
{
    for (event_id other = 0; other < encoding->graph->event_count; other++)
        if (conflict_possible(encoding->graph, e, other))
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

static bool is_at(const struct event *a, const struct event *b)
{
    return a->address_count == 1 && b->address_count == 1 && a->addresses[0] == b->addresses[0] &&
           a->bytes == b->bytes && a->tags & b->tags & TAG(GEN);
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
                is_at(event, from) && is_at(event, to) && follows(graph, to->guard, event->guard);
    }
    return again && from->thread == to->thread;
}

static void add_reads(struct needs *needs, event_id write)
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
            vec_push(encoding->arena, &needs->lits, origin->from[k].is);
            needs->elsewhere[encoding->graph->events[origin->read].thread] = true;
        }
    }
}

static void add_final(struct needs *needs, event_id write)
{
    const struct encoding *encoding = needs->encoding;
    for (uint32_t g = 0; g < encoding->graph->granule_count; g++)
        for (uint32_t k = 0; encoding->final[g] && k < encoding->final_count[g]; k++)
            if (encoding->final[g][k].write == write)
                vec_push(encoding->arena, &needs->lits, encoding->final[g][k].is);
}

/* A thread that goes round once more than its loop was unrolled may read it then. */
static void add_unseen(struct needs *needs)
{
    const struct encoding *encoding = needs->encoding;
    const struct graph *graph = encoding->graph;
    for (uint32_t i = 0; i < graph->assumption_count; i++) {
        const struct assumption *left = &graph->assumptions[i];
        if (left->kind == ASSUME_BOUND && needs->elsewhere[left->thread])
            vec_push(encoding->arena, &needs->lits,
                     session_not(encoding->session,
                                 encode_is(needs->encoding, encoding->of[left->condition], 1)));
    }
}

static void encode_repeat(struct encoding *encoding, const struct repeat *repeat)
{
    const struct graph *graph = encoding->graph;
    struct needs needs = {encoding, repeat, {0}, NULL};
    needs.elsewhere = ARENA_ARRAY(encoding->arena, bool, graph->thread_count + 1);
    for (uint32_t i = 0; i < repeat->event_count; i++) {
        event_id e = repeat->events[i];
        if (may_race(encoding, e))
            return;
        if (graph->events[e].kind != EVENT_WRITE)
            continue;
        add_reads(&needs, e);
        add_final(&needs, e);
    }
    add_unseen(&needs);
    lit round = encode_is(encoding, encoding->of[repeat->condition], 1);
    vec_push(encoding->arena, &needs.lits, session_not(encoding->session, round));
    SESSION_CLAUSE(encoding->session, session_or(encoding->session, needs.lits.at, needs.lits.len));
}

void encode_repeats(struct encoding *encoding)
{
    for (uint32_t i = 0; i < encoding->graph->repeat_count; i++)
        encode_repeat(encoding, &encoding->graph->repeats[i]);
}
