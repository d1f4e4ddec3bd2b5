/* SPDX-License-Identifier: MIT */
#include "model/unfold/thread/thread.h"

#include "litmus/test/host.h"
#include "model/graph/layout.h"
#include "model/unfold/step/operand.h"
#include "model/unfold/thread/abandon.h"
#include "model/unfold/thread/flow.h"
#include "model/unfold/thread/frame.h"
#include "model/unfold/thread/inline.h"
#include "model/unfold/thread/rotate.h"

/* A thread from its initial registers to its end, with the events by which a host program orders it. */

static const struct body *body_of(const struct test *test, const struct thread *t)
{
    if (t->column != NONE)
        return &test->bodies[test->columns[t->column].body];
    if (t->host != NONE)
        return &test->bodies[test->host->threads[t->host].body];
    return &test->bodies[test->launches[t->launch].kernel];
}

static expr_id *initial_registers(struct builder *b, const struct body *body, uint32_t thread)
{
    expr_id *regs = ARENA_ARRAY(b->arena, expr_id, body->reg_count);
    for (uint32_t i = 0; i < body->reg_count; i++) {
        unsigned width = operand_bits(body->regs[i].type);
        expr_id zero = expr_const(b->exprs, width < 64 ? width : 64, 0);
        regs[i] = expr_extend(b->exprs, zero, width, false);
    }
    for (uint32_t i = 0; i < body->init_count; i++) {
        const struct reg_init *init = &body->inits[i];
        uint64_t value = init->value;
        if (init->address_of != NONE)
            value += operand_symbol(b, thread, init->address_of);
        unsigned width = operand_bits(body->regs[init->reg].type);
        regs[init->reg] = expr_extend(b->exprs, expr_const(b->exprs, 64, value), width, true);
    }
    return regs;
}

/* A thread of a task has a start and an end, for the edges of the API. */
static bool has_ends(const struct builder *b, const struct thread *t)
{
    return b->test->host && (t->host == NONE || b->test->host->threads[t->host].is_function);
}

static event_id thread_event(struct builder *b, struct unfold_run *run, event_tags tag,
                             expr_id guard, const char *what)
{
    const struct thread *t = &b->threads.at[run->thread];
    return builder_api_event(b, t->host == NONE ? tag : TAG(HOST), run->thread,
                             step_next_position(run), guard,
                             arena_printf(b->arena, "%s %s", t->name, what), run->body->span);
}

/* A thread that is not started keeps its initial registers. */
static void merge_not_started(struct builder *b, const struct body *body, uint32_t thread)
{
    struct state *final = b->finals[thread];
    expr_id start = b->starts[thread];
    if (!final || expr_is_true(b->exprs, start))
        return;
    const expr_id *initial = initial_registers(b, body, thread);
    for (uint32_t i = 0; i < body->reg_count; i++)
        final->regs[i] = expr_ite(b->exprs, start, final->regs[i], initial[i]);
}

/* Threads of one kernel share its instructions. */
static const struct body *inlined(struct builder *b, const struct body *body, uint32_t **bytes)
{
    if (!b->inlined) {
        b->inlined = ARENA_ARRAY(b->arena, const struct body *, b->test->body_count);
        b->private_bytes = ARENA_ARRAY(b->arena, uint32_t *, b->test->body_count);
    }
    size_t number = (size_t)(body - b->test->bodies);
    if (!b->inlined[number])
        b->inlined[number] =
            frame_registers(b, rotate_loops(b, inline_body(b, body)), &b->private_bytes[number]);
    *bytes = b->private_bytes[number];
    return b->inlined[number];
}

static void unfold_thread(struct builder *b, uint32_t thread)
{
    uint32_t *bytes;
    const struct body *body = inlined(b, body_of(b->test, &b->threads.at[thread]), &bytes);
    if (b->failed)
        return;
    struct unfold_run run = {.b = b, .body = body, .thread = thread, .private_bytes = bytes};
    struct state start = {.guard = b->starts[thread],
                          .regs = initial_registers(b, body, thread),
                          .deps = ARENA_ARRAY(b->arena, const struct deps *, body->reg_count),
                          .cluster_arrived = expr_false(b->exprs)};
    frame_begin(b, bytes, start.regs);
    bool ends = has_ends(b, &b->threads.at[thread]);
    struct unfolded_before before = abandon_mark(b);
    if (ends)
        b->thread_start[thread] = thread_event(b, &run, TAG(KERNEL_START), start.guard, "starts");
    b->finals[thread] = flow_run(&run, start);
    merge_not_started(b, body, thread);
    expr_id final = b->finals[thread] ? b->finals[thread]->guard : expr_false(b->exprs);
    b->ended[thread] = expr_or(b->exprs, final, expr_not(b->exprs, start.guard));
    if (b->options->abandon)
        abandon_anywhere(b, thread, before);
    if (ends)
        b->thread_end[thread] = thread_event(b, &run, TAG(KERNEL_END), final, "ends");
}

bool thread_make_room(struct builder *b)
{
    uint32_t before = b->finals ? b->device_threads + 1 : 0, count = b->threads.len + 1;
    b->mappings =
        layout_mappings(b->arena, b->test, b->threads.at, b->threads.len, &b->mapping_count);
    if (!b->mappings) {
        builder_fail(b, DIAG_memory_too_large, (struct span){0, 0}, NULL,
                     "the locations take more than %u MiB", 1024);
        return false;
    }
#define GROW(array, type)                                                                          \
    b->array = arena_grow(b->arena, b->array, sizeof(type) * before, sizeof(type) * count)
    GROW(finals, struct state *);
    GROW(ended, expr_id);
    GROW(starts, expr_id);
    GROW(thread_start, event_id);
    GROW(thread_end, event_id);
    GROW(first_barrier, uint32_t);
#undef GROW
    for (uint32_t t = before ? before - 1 : 0; t < b->threads.len; t++)
        b->starts[t] = expr_true(b->exprs);
    b->device_threads = b->threads.len;
    return true;
}

void thread_unfold_all(struct builder *b, uint32_t first, uint32_t count)
{
    for (uint32_t t = first; t < first + count && !b->failed; t++) {
        unfold_thread(b, t);
        b->first_barrier[t + 1] = b->barriers.len;
    }
}
