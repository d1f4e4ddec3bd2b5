/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/call.h"

#include "model/unfold/step/operand.h"
#include "model/unfold/step/groups.h"

/* Calls of host threads: an event for the call and one for its return if it may wait. What the call
 * brings about is found when all of them are known (model/host). */

/* For liveness: the thread goes on when the call returned; a query does not say for ever that work
 * is unfinished which has ended. */
static void wait_for_progress(struct unfold_step *s, struct call_instance *at, bool query)
{
    struct builder *b = s->b;
    expr_id returned = builder_delayed(b, 1, query ? &at->unfinished : &at->returned);
    if (query)
        return;
    at->blocked = expr_and(b->exprs, s->guard, expr_not(b->exprs, returned));
    s->guard = s->state->guard = expr_and(b->exprs, s->state->guard, returned);
}

/* ---- calls that may block (CUDA runtime API, API synchronization behavior; lazy loading) ------ */

static bool is_allocated_in_stream(const struct test *test, uint32_t location)
{
    for (uint32_t i = 0; i < test->host->call_count; i++) {
        const struct host_call *call = &test->host->calls[i];
        if (host_call_is(call, HOST_ENQUEUES, HOST_SUBJECT_ALLOCATION) &&
            test_root_location(test, call->to.location) == test_root_location(test, location))
            return true;
    }
    return false;
}

/* The thread has launched the kernel before, and so it is loaded. */
static expr_id is_loaded(const struct unfold_step *s, const struct host_call *launch)
{
    const struct builder *b = s->b;
    const struct test *test = b->test;
    expr_id loaded = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct call_instance *before = &b->instances.at[i];
        const struct host_call *call = &test->host->calls[before->call];
        if (before->thread == s->run->thread && call->launch != NONE &&
            call->row->class == HOST_ENQUEUES &&
            test->launches[call->launch].kernel == test->launches[launch->launch].kernel)
            loaded = expr_or(b->exprs, loaded, before->guard);
    }
    return loaded;
}

/* A launch may wait until the device is idle, to load its kernel; allocating and freeing memory may, but in
 * stream order. */
static expr_id may_block(const struct unfold_step *s, const struct host_call *call)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct host_call_row *row = call->row;
    bool memory = row->class == HOST_CHANGES &&
                  (row->subject == HOST_SUBJECT_ALLOCATION || row->subject == HOST_SUBJECT_RELEASE);
    if (row->class == HOST_ENQUEUES && row->subject == HOST_SUBJECT_KERNEL)
        return s->b->test->host->platform.eager_loading ? expr_false(exprs)
                                                        : expr_not(exprs, is_loaded(s, call));
    return memory && !is_allocated_in_stream(s->b->test, call->to.location) ? expr_true(exprs)
                                                                            : expr_false(exprs);
}

/* ---- making one ----------------------------------------------------------------------------- */

/* What a query returns is a choice. */
static void answer(struct unfold_step *s, struct call_instance *at)
{
    struct expr_pool *exprs = s->b->exprs;
    at->success = builder_choice(s->b, "query", 1);
    struct unfold_value result = {expr_ite(exprs, at->success,
                                           expr_const(exprs, 64, HOST_RESULT_SUCCESS),
                                           expr_const(exprs, 64, HOST_RESULT_NOT_READY)),
                                  NULL};
    operand_write(s, &at->inst->operands[0], TYPE_NONE, result);
}

/* A call that may wait has an event for its return, too. */
static void make_call(struct unfold_step *s, struct call_instance *at)
{
    struct builder *b = s->b;
    const struct host_call_row *row = b->test->host->calls[at->call].row;
    bool asks = row->class == HOST_ASKS, may_wait = asks || row->returns != HOST_RETURNS_AT_ONCE;
    at->start = at->back = step_api_event(s, TAG(HOST), NULL);
    if (b->options->liveness)
        at->may_block = may_block(s, &b->test->host->calls[at->call]);
    bool holds = !expr_is_false(b->exprs, at->may_block);
    if (b->options->liveness && (may_wait || holds))
        wait_for_progress(s, at, asks);
    if (holds) /* it has no effect before */
        at->guard = s->guard;
    if (may_wait)
        at->back = step_api_event(
            s, TAG(HOST), arena_printf(b->arena, "return of %s", b->events.at[at->start].text));
    if (asks)
        answer(s, at);
    vec_push(b->arena, &b->instances, *at);
}

void step_call(struct unfold_step *s)
{
    expr_id always = expr_true(s->b->exprs);
    struct call_instance at = {.call = (uint32_t)s->inst->operands[1].value,
                               .thread = s->run->thread,
                               .host = s->b->threads.at[s->run->thread].host,
                               .guard = s->guard,
                               .success = always,
                               .blocked = expr_false(s->b->exprs),
                               .may_block = expr_false(s->b->exprs),
                               .returned = NONE,
                               .unfinished = NONE,
                               .inst = s->inst};
    if (s->b->test->host->threads[at.host].is_function)
        step_undefined(s, "cudaErrorNotPermitted", "a host function calls the CUDA runtime",
                       always);
    else
        make_call(s, &at);
}

expr_id call_queries_rightly(struct builder *b, event_id first)
{
    expr_id rightly = expr_true(b->exprs);
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct call_instance *at = &b->instances.at[i];
        if (at->unfinished == NONE || at->start < first)
            continue;
        expr_id unfinished = expr_choice(b->exprs, 1, b->delayed.at[at->unfinished].choice);
        rightly = expr_and(b->exprs, rightly, expr_or(b->exprs, at->success, unfinished));
    }
    return rightly;
}
