/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/call.h"

#include "litmus/test/host_rule.h"
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
        if (host_call_is_ordered_allocation(call) &&
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

/* The kernels that 'call' launches, or (a call that only loads) all of them. */
static expr_id may_load(const struct unfold_step *s, const struct host_call *call)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct host_program *host = s->b->test->host;
    expr_id loads = expr_false(exprs);
    for (uint32_t i = 0; i < host->call_count && !host->platform.eager_loading; i++)
        if (host->calls[i].launch != NONE && (call->launch == NONE || call == &host->calls[i]))
            loads = expr_or(exprs, loads, expr_not(exprs, is_loaded(s, &host->calls[i])));
    return loads;
}

static bool is_left_out(const struct unfold_step *s, enum host_subject subject)
{
    static const struct {
        enum host_subject subject;
        uint32_t rule;
    } rules[] = {
        {HOST_SUBJECT_ALLOCATION, HOST_RULE_BLOCKING_ALLOCATION},
        {HOST_SUBJECT_RELEASE, HOST_RULE_BLOCKING_RELEASE},
        {HOST_SUBJECT_RESET, HOST_RULE_BLOCKING_RELEASE},
        {HOST_SUBJECT_REGISTRATION, HOST_RULE_BLOCKING_REGISTRATION},
        {HOST_SUBJECT_KERNEL, HOST_RULE_BLOCKING_LAUNCH},
        {HOST_SUBJECT_LOADING, HOST_RULE_BLOCKING_LOADING},
        {HOST_SUBJECT_EXECUTABLE, HOST_RULE_BLOCKING_INSTANTIATION},
        {HOST_SUBJECT_UPDATE, HOST_RULE_BLOCKING_INSTANTIATION},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].subject == subject && rules[i].rule == s->b->options->without)
            return true;
    return false;
}

/* A launch may wait until the device is idle, to load its kernel, and so may what asks about kernels or makes a
 * graph executable; allocating, registering and freeing memory may, and in stream order where the pool grows. */
static expr_id may_block(const struct unfold_step *s, const struct host_call *call)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct host_call_row *row = call->row;
    if (is_left_out(s, row->subject))
        return expr_false(exprs);
    switch (row->subject) {
    case HOST_SUBJECT_KERNEL:
        return row->class == HOST_ENQUEUES || (row->class == HOST_SETS && call->exec != NONE)
                   ? may_load(s, call)
                   : expr_false(exprs);
    case HOST_SUBJECT_LOADING:
    case HOST_SUBJECT_UPDATE:
        return may_load(s, call);
    case HOST_SUBJECT_EXECUTABLE:
        return row->class == HOST_CREATES ? may_load(s, call) : expr_false(exprs);
    case HOST_SUBJECT_REGISTRATION:
    case HOST_SUBJECT_RESET:
        return expr_true(exprs);
    case HOST_SUBJECT_ALLOCATION:
        return row->class == HOST_ADDS ? expr_false(exprs) : expr_true(exprs);
    case HOST_SUBJECT_RELEASE:
        return row->class == HOST_CHANGES && !is_allocated_in_stream(s->b->test, call->to.location)
                   ? expr_true(exprs)
                   : expr_false(exprs);
    default:
        return expr_false(exprs);
    }
}

/* ---- making one ----------------------------------------------------------------------------- */

/* What a query returns is a choice, unless it is sure to succeed. */
static void answer(struct unfold_step *s, struct call_instance *at)
{
    struct expr_pool *exprs = s->b->exprs;
    if (!s->b->answered || !s->b->answered[at->call])
        at->success = builder_choice(s->b, "query", 1);
    struct unfold_value result = {expr_ite(exprs, at->success,
                                           expr_const(exprs, 64, HOST_RESULT_SUCCESS),
                                           expr_const(exprs, 64, HOST_RESULT_NOT_READY)),
                                  NULL};
    operand_write(s, &at->inst->operands[0], TYPE_NONE, result);
}

/* Other calls allocate the same memory: this one may make it anew, between its start and its end. */
static bool is_allocated_again(const struct test *test, const struct host_call *call)
{
    uint32_t count = 0;
    if (call->row->subject != HOST_SUBJECT_ALLOCATION)
        return false;
    for (uint32_t i = 0; i < test->host->call_count; i++)
        count += test->host->calls[i].row->subject == HOST_SUBJECT_ALLOCATION &&
                 test->host->calls[i].to.location == call->to.location;
    return count > 1;
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
    if (may_wait || is_allocated_again(b->test, &b->test->host->calls[at->call]))
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
    const struct host_misuse_row *row = &host_misuse_rows[HOST_MISUSE_IN_FUNCTION];
    bool inside = s->b->test->host->threads[at.host].is_function;
    if (inside && s->b->options->without != HOST_MISUSE_IN_FUNCTION)
        step_undefined(s, row->error, row->detail, always);
    if (!inside)
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
