/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"

/* Pairs of events that a correct program orders: the model's text says how and names what is left
 * unordered. Two calls on one event; an access and the allocation or the release of its memory; an
 * access of a host and a kernel that must not run then. */

/* ---- events --------------------------------------------------------------------------------- */

static bool records(const struct host_call *call)
{
    return host_call_is(call, HOST_ENQUEUES, HOST_SUBJECT_RECORD);
}

static bool matches(const struct host_call *call)
{
    enum host_class class = call->row->class;
    return call->event != NONE &&
           (class == HOST_ENQUEUES || class == HOST_WAITS || class == HOST_ASKS);
}

/* Calls of two host threads on one event whose match depends on which of them came first. */
static void event_uses(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->instances.len; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct call_instance *x = &b->instances.at[k], *y = &b->instances.at[i];
            const struct host_call *p = &plan->host->calls[x->call],
                                   *q = &plan->host->calls[y->call];
            if (x->host != y->host && p->event == q->event && matches(p) && matches(q) &&
                (records(p) || records(q)))
                builder_edge(b, FIXED_event_use, x->start, y->start, expr_true(b->exprs), NULL);
        }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* The access lies in the block, or where it is NONE in managed memory. */
static expr_id lies_in(struct builder *b, const struct event *e, uint32_t block)
{
    expr_id inside = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        const struct mapping *m = &b->mappings[i];
        uint32_t root = test_root_location(b->test, m->location);
        if (block == NONE ? b->test->locations[root].memory != MEMORY_MANAGED
                          : root != test_root_location(b->test, block))
            continue;
        inside = expr_or(b->exprs, inside, builder_lies_in(b, e->address, m));
    }
    return inside;
}

/* Every access of the block comes after its allocation and before its release. */
static void lifetimes(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->lifetimes.len; i++) {
        const struct lifetime *l = &plan->lifetimes.at[i];
        const struct task *t = l->task == NONE ? NULL : &plan->tasks.at[l->task];
        event_id call = b->instances.at[l->instance].start;
        for (event_id e = 0; e < b->events.len; e++) {
            if (!event_is_memory(&b->events.at[e]))
                continue;
            expr_id inside = lies_in(b, &b->events.at[e], l->location);
            if (l->ends)
                builder_edge(b, FIXED_freed, e, t ? t->start : call, inside, NULL);
            else
                builder_edge(b, FIXED_allocated, t ? t->end : call, e, inside, NULL);
        }
    }
}

/* Without concurrentManagedAccess a host leaves all managed memory alone while a kernel may run. */
static void managed_accesses(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (event_id e = 0; e < b->events.len; e++) {
        const struct event access = b->events.at[e];
        if (!event_is_memory(&access) || b->threads.at[access.thread].host == NONE)
            continue;
        expr_id managed = lies_in(b, &access, NONE);
        for (uint32_t i = 0; i < plan->tasks.len; i++)
            if (plan->tasks.at[i].does == HOST_SUBJECT_KERNEL)
                builder_edge(b, FIXED_managed, e, plan->tasks.at[i].start, managed, NULL);
    }
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        builder_edge(b, FIXED_task, plan->tasks.at[i].start, plan->tasks.at[i].end,
                     expr_true(b->exprs), NULL);
}

void host_misuse_edges(struct host_plan *plan)
{
    event_uses(plan);
    lifetimes(plan);
    if (!plan->host->platform.concurrent_managed_access)
        managed_accesses(plan);
}
