/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"
#include "model/unfold/step/grid.h"

/* Programmatic dependent launch (CUDA programming guide, programmatic dependent launch): the kernel may start when
 * every CTA of those before it executed griddepcontrol.launch_dependents, or exited. That is when it starts and
 * nothing else: what it sees of them is what griddepcontrol.wait, or a fence before the trigger, says (E20). */

/* ---- CTAs ----------------------------------------------------------------------------------- */

/* The threads from 'first' on that are of its CTA: up to the one that is returned. */
static uint32_t cta_end(const struct builder *b, const struct task *t, uint32_t first)
{
    uint32_t thread = first;
    while (task_has_thread(t, thread) &&
           b->threads.at[thread].linear_cta == b->threads.at[first].linear_cta)
        thread++;
    return thread;
}

/* Some thread of the CTA has executed a trigger. */
static expr_id triggered(const struct builder *b, uint32_t first, uint32_t end)
{
    expr_id any = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->triggers.len; i++)
        if (b->triggers.at[i].thread >= first && b->triggers.at[i].thread < end)
            any = expr_or(b->exprs, any, b->triggers.at[i].guard);
    return any;
}

static expr_id exited(const struct builder *b, uint32_t first, uint32_t end)
{
    expr_id all = expr_true(b->exprs);
    for (uint32_t i = first; i < end; i++)
        all = expr_and(b->exprs, all, b->finals[i] ? b->finals[i]->guard : expr_false(b->exprs));
    return all;
}

/* ---- the start ------------------------------------------------------------------------------ */

expr_id host_may_overlap(const struct host_plan *plan, const struct task *t)
{
    const struct builder *b = plan->b;
    expr_id all = expr_true(b->exprs);
    for (uint32_t p = 0; p < t->prerequisites.len; p++) {
        const struct task *before = &plan->tasks.at[t->prerequisites.at[p]];
        uint32_t first = before->first_thread;
        expr_id let = before->started;
        for (uint32_t end; task_has_thread(before, first); first = end) {
            end = cta_end(b, before, first);
            let = expr_and(b->exprs, let,
                           expr_or(b->exprs, triggered(b, first, end), exited(b, first, end)));
        }
        all = expr_and(b->exprs, all,
                       expr_implies(b->exprs, host_instance(plan, before)->guard, let));
    }
    return all;
}

/* The CTA's first trigger comes before the start; where threads differ, nobody knows whose is first. */
static void after_triggers(struct host_plan *plan, const struct task *t, uint32_t first,
                           uint32_t end)
{
    struct builder *b = plan->b;
    expr_id none_before = expr_true(b->exprs);
    uint32_t thread = NONE;
    for (uint32_t i = 0; i < b->triggers.len; i++)
        if (b->triggers.at[i].thread >= first && b->triggers.at[i].thread < end) {
            if (thread != NONE && thread != b->triggers.at[i].thread)
                return;
            thread = b->triggers.at[i].thread;
        }
    for (uint32_t i = 0; i < b->triggers.len; i++) {
        const struct trigger *trigger = &b->triggers.at[i];
        if (trigger->thread != thread)
            continue;
        builder_edge(b, FIXED_enqueue, trigger->event, t->start,
                     expr_and(b->exprs, trigger->guard, none_before),
                     "the dependent kernel starts after griddepcontrol.launch_dependents");
        none_before = expr_and(b->exprs, none_before, expr_not(b->exprs, trigger->guard));
    }
}

static void after_exits(struct host_plan *plan, const struct task *t, uint32_t first, uint32_t end)
{
    struct builder *b = plan->b;
    expr_id never = expr_not(b->exprs, triggered(b, first, end));
    for (uint32_t i = first; i < end; i++) {
        builder_edge(b, FIXED_enqueue, b->thread_end[i], t->start, never,
                     "the dependent kernel starts after the threads of the CTA exited");
        if (b->finals[i])
            builder_edges(b, FIXED_ctrl, b->finals[i]->ctrl, b->thread_end[i]);
    }
}

static void start_after(struct host_plan *plan, const struct task *t, const struct task *before)
{
    uint32_t first = before->first_thread;
    for (uint32_t end; task_has_thread(before, first); first = end) {
        end = cta_end(plan->b, before, first);
        after_triggers(plan, t, first, end);
        after_exits(plan, t, first, end);
    }
}

/* ---- what is seen: E20 ---------------------------------------------------------------------- */

static void wait_edges(struct host_plan *plan, const struct task *t, const struct task *before)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->grid_waits.len; i++)
        if (task_has_thread(t, b->events.at[b->grid_waits.at[i].event].thread))
            builder_api_edge(b, API_EDGE_E20, before->end, b->grid_waits.at[i].event,
                             expr_true(b->exprs),
                             "griddepcontrol.wait: the prerequisite kernel has ended");
}

/* A fence of .gpu scope reaches kernels of its own memory synchronization domain only. */
static bool reaches(const struct host_plan *plan, event_id fence, const struct task *from,
                    const struct task *to)
{
    const struct launch *launches = plan->b->test->launches;
    return plan->b->events.at[fence].scope == SCOPE_SYS ||
           launches[from->call->launch].domain == launches[to->call->launch].domain;
}

static void fence_edges(struct host_plan *plan, const struct task *t, const struct task *before)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->triggers.len && plan->host->platform.pdl_fence_trigger; i++) {
        const struct trigger *trigger = &b->triggers.at[i];
        for (uint32_t k = 0; k < trigger->fence_count && task_has_thread(before, trigger->thread);
             k++)
            if (reaches(plan, trigger->fences[k], before, t))
                builder_api_edge(b, API_EDGE_E20, trigger->fences[k], t->start, trigger->guard,
                                 "a fence before griddepcontrol.launch_dependents publishes to the "
                                 "dependent kernel");
    }
}

void host_programmatic_edges(struct host_plan *plan, const struct task *t)
{
    for (uint32_t p = 0; p < t->prerequisites.len; p++) {
        const struct task *before = &plan->tasks.at[t->prerequisites.at[p]];
        start_after(plan, t, before);
        wait_edges(plan, t, before);
        fence_edges(plan, t, before);
    }
}

/* ---- liveness ------------------------------------------------------------------------------- */

void host_settle_grid_waits(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->grid_waits.len; i++) {
        const struct grid_wait *wait = &b->grid_waits.at[i];
        uint32_t thread = b->events.at[wait->event].thread;
        expr_id over = expr_true(b->exprs);
        for (uint32_t t = 0; t < plan->tasks.len; t++)
            for (uint32_t p = 0; p < plan->tasks.at[t].prerequisites.len; p++) {
                uint32_t before = plan->tasks.at[t].prerequisites.at[p];
                if (task_has_thread(&plan->tasks.at[t], thread))
                    over = expr_and(b->exprs, over,
                                    expr_implies(b->exprs, plan->tasks.at[before].runs,
                                                 host_task_done(plan, before)));
            }
        b->delayed.at[wait->over].value = over;
        b->ended[thread] = expr_or(b->exprs, b->ended[thread],
                                   expr_and(b->exprs, wait->guard, expr_not(b->exprs, over)));
    }
}
