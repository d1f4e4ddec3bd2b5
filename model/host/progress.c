/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"
#include "litmus/test/host_rule.h"

/* Which tasks start, and which may never start. A task starts when its call is made. Where it
 * matters whether a program ends, what it follows must also have ended; and nothing promises that
 * two tasks of a device, two CTAs of a grid or two host functions run at once (cuda-api-sync 9
 * and 11): while one of them goes round for ever, others may never start. A call that waits returns
 * when what it waits for has ended. A thread that is held by such a call counts as ended, because it
 * keeps no other from starting. */

static bool has_work(const struct task *t)
{
    return t->thread_count || t->does == HOST_SUBJECT_COPY || t->does == HOST_SUBJECT_SET;
}

/* ---- ends ----------------------------------------------------------------------------------- */

/* The tasks on the other side of its edges have ended; guards say which edges are there. */
static expr_id are_done(struct host_plan *plan, uint32_t task, enum task_edge_kind kind)
{
    struct builder *b = plan->b;
    expr_id all = expr_true(b->exprs);
    for (uint32_t i = 0; i < plan->edges.len; i++) {
        const struct task_edge *e = &plan->edges.at[i];
        if (e->to != task || e->kind != kind)
            continue;
        const struct task *from = &plan->tasks.at[e->from];
        expr_id there = expr_and(b->exprs, e->guard, from->runs);
        expr_id is = kind == START_TO_START ? from->started : host_task_done(plan, e->from);
        all = expr_and(b->exprs, all, expr_implies(b->exprs, there, is));
    }
    return all;
}

expr_id host_task_done(struct host_plan *plan, uint32_t task)
{
    struct builder *b = plan->b;
    const struct task *t = &plan->tasks.at[task];
    expr_id done = t->started;
    for (uint32_t i = 0; i < t->thread_count; i++) {
        const struct state *final = b->finals[t->first_thread + i];
        done = expr_and(b->exprs, done, final ? final->guard : expr_false(b->exprs));
    }
    return expr_and(b->exprs, done, are_done(plan, task, END_TO_END));
}

/* ---- starts --------------------------------------------------------------------------------- */

/* The unit of work that 'u' numbers may be kept from starting. */
static expr_id new_unit(struct host_plan *plan, uint32_t task, uint32_t first_thread)
{
    struct builder *b = plan->b;
    struct unit u = {task, first_thread, builder_choice(b, "scheduled", 1)};
    vec_push(b->arena, &plan->units, u);
    return u.scheduled;
}

/* Threads of one cluster start together, those of a cooperative grid too. */
static bool start_together(const struct host_plan *plan, const struct task *t, uint32_t thread)
{
    const struct thread *threads = plan->b->threads.at;
    return thread > t->first_thread && (t->does == HOST_SUBJECT_FUNCTION ||
                                        plan->b->test->launches[t->call->launch].cooperative ||
                                        threads[thread].cluster == threads[thread - 1].cluster);
}

/* A choice that stands for the value: where calls can come in either order, what waits for what only the
 * order of an execution says, and written out values would depend on themselves. */
static void define(struct host_plan *plan, expr_id choice, expr_id value,
                   const struct call_instance *at)
{
    struct builder *b = plan->b;
    expr_id same = expr_and(b->exprs, expr_implies(b->exprs, choice, value),
                            expr_implies(b->exprs, value, choice));
    builder_assume(b, ASSUME_PLAIN, same, at->inst->span, at->thread);
}

static expr_id is_free(struct host_plan *plan, uint32_t task)
{
    expr_id free = expr_and(plan->b->exprs, are_done(plan, task, END_TO_START),
                            are_done(plan, task, START_TO_START));
    return expr_and(plan->b->exprs, free, host_may_overlap(plan, &plan->tasks.at[task]));
}

static bool follows_later(const struct host_plan *plan, uint32_t task)
{
    for (uint32_t i = 0; i < plan->edges.len; i++)
        if (plan->edges.at[i].to == task && plan->edges.at[i].kind != END_TO_END &&
            plan->edges.at[i].from > task)
            return true;
    return false;
}

static expr_id free_to_start(struct host_plan *plan, uint32_t task)
{
    if (!follows_later(plan, task))
        return is_free(plan, task);
    struct late_start late = {task, builder_choice(plan->b, "free", 1)};
    vec_push(plan->b->arena, &plan->late, late);
    return late.free;
}

void host_start_task(struct host_plan *plan, uint32_t task)
{
    struct builder *b = plan->b;
    struct task *t = &plan->tasks.at[task];
    expr_id unit = expr_true(b->exprs);
    t->runs = t->started = host_task_runs(plan, task);
    if (b->options->liveness)
        t->started = expr_and(b->exprs, t->started, free_to_start(plan, task));
    if (b->options->liveness && has_work(t) && !t->thread_count)
        t->started = expr_and(b->exprs, t->started, new_unit(plan, task, NONE));
    for (uint32_t i = t->first_thread; i < t->first_thread + t->thread_count; i++) {
        if (b->options->liveness && !start_together(plan, t, i))
            unit = new_unit(plan, task, i);
        b->starts[i] = expr_and(b->exprs, t->started, unit);
    }
}

/* ---- what keeps work from starting, and calls from returning -------------------------------- */

/* The task whose thread this is: a kernel or a host function; NULL: a host thread. */
static const struct task *task_of(const struct host_plan *plan, uint32_t thread)
{
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        if (task_has_thread(&plan->tasks.at[i], thread))
            return &plan->tasks.at[i];
    return NULL;
}

/* Is the thread part of unfinished work beside which the unit need not run: work of the same device,
 * or host functions both? */
static bool in_the_way(const struct host_plan *plan, const struct unit *u, uint32_t thread)
{
    const struct task *t = &plan->tasks.at[u->task], *other = task_of(plan, thread);
    uint32_t beside = u->first_thread == NONE            ? HOST_RULE_BESIDE_COPY
                      : t->does == HOST_SUBJECT_FUNCTION ? HOST_RULE_BESIDE_FUNCTION
                                                         : HOST_RULE_BESIDE_KERNEL;
    if (plan->b->options->without == beside)
        return false;
    if (!other || (other == t && t->does == HOST_SUBJECT_FUNCTION))
        return false;
    bool functions = t->does == HOST_SUBJECT_FUNCTION && other->does == HOST_SUBJECT_FUNCTION &&
                     !host_call_on_value(t->call) && !host_call_on_value(other->call);
    return functions || other->device == t->device;
}

/* Work that never starts is kept from it by a thread that goes round for ever. */
static void bound_waiting(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->units.len; i++) {
        const struct unit *u = &plan->units.at[i];
        expr_id good = u->scheduled;
        for (uint32_t s = 0; s < b->spins.len; s++)
            if (in_the_way(plan, u, b->spins.at[s].thread))
                good = expr_or(b->exprs, good, b->spins.at[s].condition);
        const struct task *t = &plan->tasks.at[u->task];
        builder_assume(b, ASSUME_PLAIN, good, t->call->span, host_instance(plan, t)->thread);
    }
}

/* Loading a kernel waits for its own device, other calls for whichever; no call waits for what it puts into a stream. */
static bool may_hold_up(const struct host_plan *plan, uint32_t instance, const struct task *running)
{
    if (running && running->instance == instance)
        return false;
    for (uint32_t i = 0; running && i < plan->tasks.len; i++)
        if (plan->tasks.at[i].instance == instance && plan->tasks.at[i].does != HOST_SUBJECT_NONE)
            return plan->tasks.at[i].device == running->device;
    return running;
}

/* A call that blocks for reasons of the runtime's own does so while work of a device goes on for ever. */
static expr_id unblocked(struct host_plan *plan, uint32_t instance)
{
    struct builder *b = plan->b;
    const struct call_instance *at = &b->instances.at[instance];
    if (expr_is_false(b->exprs, at->may_block))
        return expr_true(b->exprs);
    expr_id never = expr_not(b->exprs, at->may_block);
    expr_id returns = expr_or(b->exprs, never, builder_choice(b, "returns", 1)), good = returns;
    for (uint32_t s = 0; s < b->spins.len; s++)
        if (may_hold_up(plan, instance, task_of(plan, b->spins.at[s].thread)))
            good = expr_or(b->exprs, good, b->spins.at[s].condition);
    builder_assume(b, ASSUME_PLAIN, good, at->inst->span, at->thread);
    return returns;
}

/* All that the call waits for, or asks about, has ended. */
static expr_id over(struct host_plan *plan, uint32_t instance)
{
    struct builder *b = plan->b;
    expr_id all = expr_true(b->exprs);
    for (uint32_t i = 0; i < plan->waits.len; i++) {
        const struct task_wait *w = &plan->waits.at[i];
        if (w->instance != instance)
            continue;
        expr_id is =
            w->only_reads ? plan->tasks.at[w->task].started : host_task_done(plan, w->task);
        expr_id there = expr_and(b->exprs, w->alive, plan->tasks.at[w->task].runs);
        all = expr_and(b->exprs, all, expr_implies(b->exprs, there, is));
    }
    return all;
}

/* The same as a value of its own. */
static expr_id settled(struct host_plan *plan, uint32_t instance)
{
    struct builder *b = plan->b;
    const struct call_instance *at = &b->instances.at[instance];
    expr_id value = over(plan, instance);
    if (!plan->order.choice)
        return value;
    expr_id choice = builder_choice(b, "over", 1);
    define(plan, choice, value, at);
    return choice;
}

void host_settle_progress(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->late.len; i++) {
        const struct late_start *late = &plan->late.at[i];
        define(plan, late->free, is_free(plan, late->task),
               host_instance(plan, &plan->tasks.at[late->task]));
    }
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct call_instance *at = &b->instances.at[i];
        if (at->returned != NONE)
            b->delayed.at[at->returned].value =
                expr_and(b->exprs, settled(plan, i), unblocked(plan, i));
        if (at->unfinished != NONE)
            b->delayed.at[at->unfinished].value = expr_not(b->exprs, settled(plan, i));
        b->ended[at->thread] = expr_or(b->exprs, b->ended[at->thread], at->blocked);
    }
    host_settle_grid_waits(plan);
    bound_waiting(plan);
}
