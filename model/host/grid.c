/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"
#include "litmus/test/host_rule.h"
#include "model/unfold/step/grid.h"

/* The n-th grid.sync of every thread of a cooperative grid is one barrier: all arrive before any leaves (E19). A
 * thread that arrives less often than others keeps them waiting for ever; the contract wants all threads of a
 * CTA to take part. */

/* The n-th grid.sync of the thread, or NULL. */
static const struct grid_sync *nth_sync(const struct builder *b, uint32_t thread, uint32_t nth)
{
    for (uint32_t i = 0; i < b->grid_syncs.len; i++)
        if (b->grid_syncs.at[i].thread == thread && nth-- == 0)
            return &b->grid_syncs.at[i];
    return NULL;
}

/* In between stands one event, the last arrival. */
static void order_arrivals(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    VEC(event_id) hubs = {0};
    uint32_t thread = NONE, nth = 0;
    for (uint32_t i = 0; i < b->grid_syncs.len; i++) {
        const struct grid_sync *sync = &b->grid_syncs.at[i];
        if (!task_has_thread(t, sync->thread))
            continue;
        nth = sync->thread == thread ? nth + 1 : 0;
        thread = sync->thread;
        if (nth == hubs.len)
            vec_push(b->arena, &hubs, sync->arrive);
        if (hubs.at[nth] == sync->arrive)
            continue;
        builder_api_edge(b, API_EDGE_E19, sync->arrive, hubs.at[nth] + 1, expr_true(b->exprs),
                         "grid.sync of one grid");
        builder_api_edge(b, API_EDGE_E19, hubs.at[nth] + 1, sync->leave, expr_true(b->exprs),
                         "grid.sync of one grid");
    }
}

/* A thread of the grid that has no n-th grid.sync, or NONE. */
static uint32_t absent(const struct builder *b, const struct task *t, uint32_t nth)
{
    for (uint32_t i = t->first_thread; i < t->first_thread + t->thread_count; i++)
        if (!nth_sync(b, i, nth))
            return i;
    return NONE;
}

static expr_id all_arrive(const struct builder *b, const struct task *t, uint32_t nth)
{
    expr_id all = expr_true(b->exprs);
    for (uint32_t i = t->first_thread; i < t->first_thread + t->thread_count; i++) {
        const struct grid_sync *sync = nth_sync(b, i, nth);
        all = expr_and(b->exprs, all, sync ? sync->guard : expr_false(b->exprs));
    }
    return all;
}

/* Nobody leaves: no execution ends in which the kernel starts. The loop that is never gone round makes 'check'
 * ask whether the program ends. */
static void never_leaves(struct builder *b, const struct grid_sync *sync)
{
    struct spin stays = {.thread = sync->thread, .waits = true, .span = sync->span};
    stays.writes = expr_false(b->exprs);
    stays.condition = expr_false(b->exprs);
    builder_assume(b, ASSUME_PLAIN, expr_not(b->exprs, b->starts[sync->thread]), sync->span,
                   sync->thread);
    vec_push(b->arena, &b->spins, stays);
}

static void settle(struct host_plan *plan, const struct task *t, const struct grid_sync *sync,
                   uint32_t nth)
{
    struct builder *b = plan->b;
    uint32_t missing = absent(b, t, nth);
    if (b->options->without == HOST_RULE_GRID_SYNC) {
        if (b->options->liveness)
            b->delayed.at[sync->passed].value = expr_true(b->exprs);
        return;
    }
    if (b->options->liveness)
        b->delayed.at[sync->passed].value = all_arrive(b, t, nth);
    if (missing == NONE)
        return;
    if (b->threads.at[missing].linear_cta == b->threads.at[sync->thread].linear_cta)
        builder_undefined(b, "grid-sync-partial", "not all threads of a CTA call grid.sync",
                          sync->guard, sync->span, sync->thread);
    else if (!b->options->liveness)
        never_leaves(b, sync);
}

void host_join_grid(struct host_plan *plan, const struct task *t)
{
    struct builder *b = plan->b;
    order_arrivals(plan, t);
    for (uint32_t i = t->first_thread; i < t->first_thread + t->thread_count; i++)
        for (uint32_t nth = 0; nth_sync(b, i, nth) && !b->failed; nth++)
            settle(plan, t, nth_sync(b, i, nth), nth);
}
