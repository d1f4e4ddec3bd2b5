/* SPDX-License-Identifier: MIT */
#include "model/host.h"

/* Without concurrentManagedAccess a host thread must leave all managed memory alone from a kernel's
 * launch until it has seen the kernel's end. Kernels that other host threads launch are not looked
 * at. */

/* Tasks that end before task 'last' does, it included. */
static bool *tasks_before(const struct host_plan *plan, uint32_t last)
{
    bool *seen = ARENA_ARRAY(plan->b->arena, bool, plan->tasks.len);
    seen[last] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < plan->edges.len; i++) {
            const struct task_edge *e = &plan->edges.at[i];
            if (e->kind == START_TO_START || !seen[e->to] || seen[e->from])
                continue;
            seen[e->from] = more = true;
        }
    }
    return seen;
}

/* The thread knows before event 'access' that the task has ended. */
static expr_id is_over(const struct host_plan *plan, uint32_t task, const struct event *access)
{
    struct builder *b = plan->b;
    expr_id over = expr_false(b->exprs);
    for (uint32_t i = 0; i < plan->waits.len; i++) {
        const struct task_wait *w = &plan->waits.at[i];
        const struct host_instance *at = &b->instances.at[w->instance];
        if (w->only_reads || at->thread != access->thread ||
            b->events.at[at->back].position > access->position ||
            !tasks_before(plan, w->task)[task])
            continue;
        over = expr_or(b->exprs, over, expr_and(b->exprs, at->guard, w->guard));
    }
    return over;
}

static bool is_managed(const struct builder *b, const struct event *e)
{
    uint64_t address;
    struct graph g = {.mappings = b->mappings, .mapping_count = b->mapping_count};
    if (!event_is_memory(e) || !expr_is_const(b->exprs, e->address, &address))
        return false;
    const struct mapping *m = graph_mapping(&g, address, 1);
    return m && b->test->locations[m->location].memory == MEMORY_MANAGED;
}

static void check_access(struct host_plan *plan, event_id e)
{
    struct builder *b = plan->b;
    const struct event access = b->events.at[e];
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        const struct task *t = &plan->tasks.at[i];
        const struct host_instance *at = &b->instances.at[t->instance];
        if (t->kind != TASK_KERNEL || at->thread != access.thread ||
            b->events.at[at->start].position > access.position)
            continue;
        expr_id active =
            expr_and(b->exprs, at->guard, expr_not(b->exprs, is_over(plan, i, &access)));
        struct undefined u = {
            "managed-host-access-while-device-active",
            "without concurrentManagedAccess the host may not touch managed memory "
            "until it has seen every kernel end",
            expr_and(b->exprs, access.guard, active), access.span, access.thread};
        if (!expr_is_false(b->exprs, u.condition))
            vec_push(b->arena, &b->undefined, u);
    }
}

void check_managed(struct host_plan *plan)
{
    struct builder *b = plan->b;
    if (plan->host->platform.concurrent_managed_access)
        return;
    for (event_id e = 0; e < b->events.len; e++) {
        uint32_t thread = b->events.at[e].thread;
        if (b->threads.at[thread].host != NONE && is_managed(b, &b->events.at[e]))
            check_access(plan, e);
    }
}
