/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"

#include "litmus/test/host_rule.h"

/* Conditional nodes of graphs: a task reads the handle, and the tasks of a body run where the value says so (CUDA
 * programming guide, conditional graph nodes). Those that do not run do nothing, and what follows them goes on. */

bool host_task_decides(const struct task *t)
{
    return t->does == HOST_SUBJECT_FUNCTION && t->call->row->subject == HOST_SUBJECT_CONDITION;
}

/* What the task has read of the handle. */
static expr_id handle_value(const struct host_plan *plan, const struct task *decider)
{
    const struct builder *b = plan->b;
    const struct state *final = b->finals[decider->first_thread];
    uint32_t function = decider->repeats ? decider->call->waits : decider->call->function;
    const struct body *body = &b->test->bodies[plan->host->threads[function].body];
    for (uint32_t i = 0; final && i < body->inst_count; i++)
        if (body->insts[i].op == OP_LD)
            return final->regs[body->insts[i].operands[0].reg];
    return expr_const(b->exprs, 64, 0);
}

static expr_id is_value(const struct host_plan *plan, const struct task *decider, uint64_t when)
{
    struct expr_pool *exprs = plan->b->exprs;
    uint64_t number = when == NOT_ZERO ? 0 : when;
    expr_id is = expr_eq(exprs, handle_value(plan, decider), expr_const(exprs, 64, number));
    return when == NOT_ZERO ? expr_not(exprs, is) : is;
}

expr_id host_task_runs(struct host_plan *plan, uint32_t task)
{
    struct task *t = &plan->tasks.at[task];
    expr_id called = host_instance(plan, t)->guard;
    if (!t->decider)
        return called;
    const struct task *decider = &plan->tasks.at[t->decider - 1];
    return expr_and(plan->b->exprs, decider->runs, is_value(plan, decider, t->when));
}

/* ---- misuse --------------------------------------------------------------------------------- */

static void unset_handle(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    const struct host_misuse_row *row = &host_misuse_rows[HOST_MISUSE_CONDITION_UNSET];
    if (b->options->without != HOST_MISUSE_CONDITION_UNSET)
        builder_undefined(b, row->error, row->detail,
                          expr_and(b->exprs, t->started, is_value(plan, t, HOST_HANDLE_UNSET)),
                          t->call->span, host_instance(plan, t)->thread);
}

static expr_id writes_handle(struct builder *b, const struct event *e, const struct mapping *m)
{
    return e->kind == EVENT_WRITE ? builder_lies_in(b, e->address, m) : expr_false(b->exprs);
}

/* Sets of one handle by different threads, which the model's text asks to be in some order. */
static void sets(struct host_plan *plan, const struct mapping *m)
{
    struct builder *b = plan->b;
    for (event_id y = 0; y < b->events.len; y++)
        for (event_id x = 0; x < y; x++) {
            const struct event *p = &b->events.at[x], *q = &b->events.at[y];
            expr_id both = expr_and(b->exprs, writes_handle(b, p, m), writes_handle(b, q, m));
            if (p->thread != q->thread && !expr_is_false(b->exprs, both))
                builder_edge(b, FIXED_condition_set, x, y, both, NULL);
        }
}

/* More runs of a body than are unfolded are left out; whether they end is not known. */
static void bound_body(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    expr_id more = expr_and(b->exprs, t->runs, is_value(plan, t, NOT_ZERO));
    struct spin open = {.thread = t->first_thread,
                        .open = true,
                        .condition = more,
                        .writes = expr_false(b->exprs),
                        .span = t->call->span};
    if (b->options->liveness)
        vec_push(b->arena, &b->spins, open);
    builder_assume(b, ASSUME_BOUND, expr_not(b->exprs, more), t->call->span, t->first_thread);
}

void host_settle_conditions(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        if (host_task_decides(&plan->tasks.at[i]))
            unset_handle(plan, &plan->tasks.at[i]);
    for (uint32_t i = 0; i < plan->bounded.len; i++)
        bound_body(plan, &plan->tasks.at[plan->bounded.at[i]]);
    for (uint32_t i = 0; i < b->mapping_count && b->options->without != HOST_RULE_CONDITION_SETS;
         i++)
        if (host_makes_handle(b->test, test_root_location(b->test, b->mappings[i].location)))
            sets(plan, &b->mappings[i]);
}
