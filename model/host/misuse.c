/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"

/* Pairs of events that a correct program orders: the model's text says how and names what is left
 * unordered. Two calls on one event; an access and the allocation or the release of its memory; an
 * access of a host and a kernel that must not run then. */

static void pair(struct host_plan *plan, enum fixed_relation relation, event_id from, event_id to,
                 expr_id guard)
{
    add_edge(plan->b, relation, from, to, guard, NULL);
}

/* ---- events --------------------------------------------------------------------------------- */

static bool records(const struct host_call *call)
{
    return call->id == HOST_CALL_EVENT_RECORD || call->id == HOST_CALL_EVENT_RECORD_WITH_FLAGS;
}

static bool matches(const struct host_call *call)
{
    return records(call) || call->id == HOST_CALL_STREAM_WAIT_EVENT ||
           call->id == HOST_CALL_EVENT_SYNCHRONIZE || call->id == HOST_CALL_EVENT_QUERY;
}

/* Calls of two host threads on one event whose match depends on which of them came first. */
static void event_uses(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < b->instances.len; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct host_instance *x = &b->instances.at[k], *y = &b->instances.at[i];
            const struct host_call *p = &plan->host->calls[x->call],
                                   *q = &plan->host->calls[y->call];
            if (x->host != y->host && p->event == q->event && matches(p) && matches(q) &&
                (records(p) || records(q)))
                pair(plan, FIXED_EVENT_USE, x->start, y->start, expr_true(b->exprs));
        }
}

/* ---- memory --------------------------------------------------------------------------------- */

static uint32_t root_of(const struct test *test, uint32_t location)
{
    while (test->locations[location].alias_of != NONE)
        location = test->locations[location].alias_of;
    return location;
}

/* The access lies in memory that 'is' says yes to, by its unaliased location. */
static expr_id lies_in(const struct builder *b, const struct event *e,
                       bool (*is)(const struct test *test, uint32_t root, uint32_t which),
                       uint32_t which)
{
    expr_id inside = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        const struct mapping *m = &b->mappings[i];
        if (!is(b->test, root_of(b->test, m->location), which))
            continue;
        expr_id first = expr_const(b->exprs, 64, m->virtual_base);
        expr_id end = expr_const(b->exprs, 64, m->virtual_base + m->bytes);
        expr_id below = expr_binary(b->exprs, EXPR_ULT, e->address, first);
        expr_id here = expr_and(b->exprs, expr_not(b->exprs, below),
                                expr_binary(b->exprs, EXPR_ULT, e->address, end));
        inside = expr_or(b->exprs, inside, here);
    }
    return inside;
}

static bool is_block(const struct test *test, uint32_t root, uint32_t block)
{
    return root == root_of(test, block);
}

static bool is_managed(const struct test *test, uint32_t root, uint32_t unused)
{
    (void)unused;
    return test->locations[root].memory == MEMORY_MANAGED;
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
            expr_id inside = lies_in(b, &b->events.at[e], is_block, l->location);
            if (l->ends)
                pair(plan, FIXED_FREED, e, t ? t->start : call, inside);
            else
                pair(plan, FIXED_ALLOCATED, t ? t->end : call, e, inside);
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
        expr_id managed = lies_in(b, &access, is_managed, NONE);
        for (uint32_t i = 0; i < plan->tasks.len; i++)
            if (plan->tasks.at[i].kind == TASK_KERNEL)
                pair(plan, FIXED_MANAGED, e, plan->tasks.at[i].start, managed);
    }
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        pair(plan, FIXED_TASK, plan->tasks.at[i].start, plan->tasks.at[i].end, expr_true(b->exprs));
}

void misuse_edges(struct host_plan *plan)
{
    event_uses(plan);
    lifetimes(plan);
    if (!plan->host->platform.concurrent_managed_access)
        managed_accesses(plan);
}
