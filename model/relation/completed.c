/* SPDX-License-Identifier: MIT */
#include "model/relation/kind.h"

#include "model/relation/pair.h"

/* The relations that hang on the completions of barriers. syncbar relates operations that are not counted together
 * whenever their resources are equal; it and sync_barrier relate those that were late at a quorum (quorum.c). */

static bool has_late(enum base base)
{
    return base == BASE_syncbar || base == BASE_sync_barrier;
}

static bool asks_resource_alone(const struct bases *bases, enum base base, event_id a, event_id b)
{
    return base == BASE_syncbar && !pair_is_grouped(bases->graph, a, b);
}

static expr_id resource_of(const struct bases *bases, event_id e)
{
    return pair_barrier(bases->graph, e)->resource;
}

static uint32_t completion_of(const struct bases *bases, event_id e)
{
    return bases->execution->completion[bases->graph->events[e].barrier];
}

/* Does some pair hang on a register operand or on a counted grouping? */
static bool is_open(const struct bases *bases, enum base base)
{
    const struct expr_pool *exprs = bases->graph->exprs;
    for (uint32_t i = 0; i < bases->graph->barrier_count; i++) {
        const struct barrier_op *op = &bases->graph->barriers[i];
        if (!expr_is_const(exprs, op->resource, NULL) || op->counted ||
            (base != BASE_syncbar && !expr_is_const(exprs, op->number, NULL)))
            return true;
    }
    return false;
}

/* Uncounted operations complete by their numbers. */
static bool must(const struct bases *bases, enum base base, event_id a, event_id b)
{
    const struct barrier_op *left = pair_barrier(bases->graph, a);
    const struct barrier_op *right = pair_barrier(bases->graph, b);
    bool one_resource = left->resource == right->resource;
    if (asks_resource_alone(bases, base, a, b))
        return one_resource;
    return (has_late(base) && relation_must_have_edge(bases, FIXED_sync_quorum, a, b)) ||
           (one_resource && !left->counted && !right->counted && left->number == right->number &&
            expr_is_const(bases->graph->exprs, left->number, NULL));
}

static bool have_one_resource(const struct bases *bases, event_id a, event_id b)
{
    expr_id left = resource_of(bases, a), right = resource_of(bases, b);
    uint64_t x, y;
    return left == right || (execution_eval(bases->execution, left, &x) &&
                             execution_eval(bases->execution, right, &y) && x == y);
}

static bool completed_together(const struct bases *bases, event_id a, event_id b)
{
    uint32_t completion = completion_of(bases, a);
    return completion != NONE && completion == completion_of(bases, b) &&
           have_one_resource(bases, a, b);
}

static bool holds(const struct bases *bases, enum base base, event_id a, event_id b)
{
    if (asks_resource_alone(bases, base, a, b))
        return have_one_resource(bases, a, b);
    return completed_together(bases, a, b) ||
           (has_late(base) && relation_has_edge(bases, FIXED_sync_quorum, a, b));
}

static void say_resources(const struct bases *bases, event_id a, event_id b, struct fact_sink *sink)
{
    if (resource_of(bases, a) == resource_of(bases, b))
        return;
    relation_say_expr(bases, resource_of(bases, a), sink);
    relation_say_expr(bases, resource_of(bases, b), sink);
}

static void say_completion(const struct bases *bases, event_id e, uint32_t number, bool is,
                           struct fact_sink *sink)
{
    uint32_t op = bases->graph->events[e].barrier;
    if (bases->graph->barriers[op].counted)
        fact_add(sink,
                 (struct fact){.kind = FACT_COMPLETION, .negated = !is, .a = op, .value = number});
    else
        relation_say_expr(bases, bases->graph->barriers[op].number, sink);
}

/* The completions that decide whether the two operations meet. */
static void say_completions(const struct bases *bases, event_id a, event_id b, bool present,
                            struct fact_sink *sink)
{
    uint32_t left = completion_of(bases, a), right = completion_of(bases, b);
    if (left != NONE && left == right)
        say_resources(bases, a, b, sink);
    if (present) {
        say_completion(bases, a, left, true, sink);
        say_completion(bases, b, right, true, sink);
    } else if (left == right && left != NONE) {
        return; /* the resources differ */
    } else if (right == NONE) {
        say_completion(bases, b, NONE, true, sink);
    } else {
        say_completion(bases, a, left, true, sink);
        if (left != NONE)
            say_completion(bases, b, left, false, sink);
    }
}

/* A pair is there because of one completion, or because one came late; it is missing for want of
 * both. */
static void why(const struct bases *bases, enum base base, event_id a, event_id b, bool present,
                struct fact_sink *sink)
{
    base_why_executed(bases, a, sink);
    base_why_executed(bases, b, sink);
    if (asks_resource_alone(bases, base, a, b)) {
        say_resources(bases, a, b, sink);
        return;
    }
    bool late = present && has_late(base) && !completed_together(bases, a, b);
    if (!late)
        say_completions(bases, a, b, present, sink);
    if (late || (!present && has_late(base)))
        relation_say_edge(bases, FIXED_sync_quorum, a, b, present, sink);
}

static void why_all(const struct bases *bases, struct fact_sink *sink)
{
    for (event_id e = 0; e < bases->n; e++) {
        if (bases->graph->events[e].kind != EVENT_BARRIER || !set_has(bases->executed, e))
            continue;
        relation_say_expr(bases, resource_of(bases, e), sink);
        say_completion(bases, e, completion_of(bases, e), true, sink);
    }
}

const struct relation_kind relation_completed = {is_open, must, holds, NULL, why, why_all};
