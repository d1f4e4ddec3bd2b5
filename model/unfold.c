/* SPDX-License-Identifier: MIT */
#include "model/unfold.h"

#include <assert.h>

#include "litmus/promises.h"
#include "model/flow.h"
#include "model/host.h"
#include "model/layout.h"
#include "model/scope.h"

static void report(struct builder *b, enum diag_id id, const char *what, unsigned limit)
{
    diag_add(b->diags, id, b->test->source, (struct span){0, 0}, NULL, what, limit);
    b->failed = true;
}

static const struct body *body_of(const struct test *test, const struct thread *t)
{
    if (t->column != NONE)
        return &test->bodies[test->columns[t->column].body];
    if (t->host != NONE)
        return &test->bodies[test->host->threads[t->host].body];
    return &test->bodies[test->launches[t->launch].kernel];
}

static void initial_registers(struct builder *b, const struct body *body, uint32_t thread,
                              struct state *state)
{
    for (uint32_t i = 0; i < body->reg_count; i++) {
        unsigned width = type_bits(body->regs[i].type);
        expr_id zero = expr_const(b->exprs, width < 64 ? width : 64, 0);
        state->regs[i] = expr_extend(b->exprs, zero, width, false);
    }
    for (uint32_t i = 0; i < body->init_count; i++) {
        const struct reg_init *init = &body->inits[i];
        uint64_t value = init->value;
        if (init->address_of != NONE)
            value += symbol_address(b, thread, init->address_of);
        unsigned width = type_bits(body->regs[init->reg].type);
        state->regs[init->reg] =
            expr_extend(b->exprs, expr_const(b->exprs, 64, value), width, true);
    }
}

/* A thread of a task has a start and an end, for the edges of the API. */
static bool has_ends(const struct builder *b, const struct thread *t)
{
    return b->test->host && (t->host == NONE || b->test->host->threads[t->host].is_function);
}

static event_id thread_event(struct builder *b, struct run *run, uint32_t tag, expr_id guard,
                             const char *what)
{
    const struct thread *t = &b->threads.at[run->thread];
    struct event e = {.kind = EVENT_API,
                      .tags = t->host == NONE ? tag : TAG_HOST,
                      .thread = run->thread,
                      .position = next_position(run),
                      .guard = guard,
                      .rmw = NONE,
                      .barrier = NONE,
                      .text = arena_printf(b->arena, "%s %s", t->name, what),
                      .span = run->body->span};
    e.address = e.value = expr_const(b->exprs, 64, 0);
    vec_push(b->arena, &b->events, e);
    return b->events.len - 1;
}

/* A thread that is not started keeps its initial registers. */
static void merge_not_started(struct builder *b, const struct body *body, uint32_t thread)
{
    struct state *final = b->finals[thread], initial = {0};
    expr_id start = b->starts[thread];
    if (!final || expr_is_true(b->exprs, start))
        return;
    initial.regs = ARENA_ARRAY(b->arena, expr_id, body->reg_count);
    initial_registers(b, body, thread, &initial);
    for (uint32_t i = 0; i < body->reg_count; i++)
        final->regs[i] = expr_ite(b->exprs, start, final->regs[i], initial.regs[i]);
}

void unfold_thread(struct builder *b, uint32_t thread)
{
    const struct body *body = body_of(b->test, &b->threads.at[thread]);
    struct run run = {.b = b, .body = body, .thread = thread};
    struct state start = {.guard = b->starts[thread], .cluster_arrived = expr_false(b->exprs)};
    start.regs = ARENA_ARRAY(b->arena, expr_id, body->reg_count);
    start.deps = ARENA_ARRAY(b->arena, const struct deps *, body->reg_count);
    initial_registers(b, body, thread, &start);
    bool ends = has_ends(b, &b->threads.at[thread]);
    if (ends)
        b->thread_start[thread] = thread_event(b, &run, TAG_KERNEL_START, start.guard, "starts");
    b->finals[thread] = flow_run(&run, start);
    merge_not_started(b, body, thread);
    expr_id final = b->finals[thread] ? b->finals[thread]->guard : expr_false(b->exprs);
    b->ended[thread] = expr_or(b->exprs, final, expr_not(b->exprs, start.guard));
    if (ends)
        b->thread_end[thread] = thread_event(b, &run, TAG_KERNEL_END, final, "ends");
}

static bool place_threads(struct builder *b)
{
    uint32_t count;
    if (scope_thread_count(b->test) > MAX_THREADS) {
        report(b, DIAG_too_many_threads, "more than %u threads", MAX_THREADS);
        return false;
    }
    b->threads.at = scope_threads(b->arena, b->test, &count);
    b->threads.len = b->threads.cap = b->device_threads = count;
    b->mappings = layout_mappings(b->arena, b->test, b->threads.at, count, &b->mapping_count);
    if (!b->mappings)
        report(b, DIAG_memory_too_large, "the locations take more than %u MiB", 1024);
    return b->mappings != NULL;
}

/* Pseudo-threads of asynchronous operations come after all others. */
static struct graph *unfold_device(struct builder *b)
{
    if (!place_threads(b))
        return NULL;
    uint32_t count = b->threads.len;
    b->finals = ARENA_ARRAY(b->arena, struct state *, count);
    b->ended = ARENA_ARRAY(b->arena, expr_id, count);
    b->starts = ARENA_ARRAY(b->arena, expr_id, count);
    b->first_barrier = ARENA_ARRAY(b->arena, uint32_t, count + 1);
    for (uint32_t t = 0; t < count && !b->failed; t++) {
        b->starts[t] = expr_true(b->exprs);
        unfold_thread(b, t);
        b->first_barrier[t + 1] = b->barriers.len;
    }
    return b->failed ? NULL : unfold_finish(b);
}

struct graph *unfold_finish(struct builder *b)
{
    finish_barriers(b);
    finish_quorums(b);
    finish_restricted(b);
    return freeze(b);
}

struct graph **unfold(struct arena *arena, const struct test *test,
                      const struct unfold_options *options, struct diag_list *diags,
                      uint32_t *count)
{
    assert(options->max_events);
    test_promises(test);
    struct builder *b = ARENA_NEW(arena, struct builder);
    b->arena = arena;
    b->test = test;
    b->options = options;
    b->diags = diags;
    b->exprs = expr_pool_new(arena);
    b->deps = (struct deps_context){arena, b->exprs};
    if (test->host)
        return unfold_host(b, count);
    struct graph **graphs = ARENA_NEW(arena, struct graph *);
    graphs[0] = unfold_device(b);
    *count = 1;
    return graphs[0] ? graphs : NULL;
}
