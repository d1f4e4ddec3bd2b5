/* SPDX-License-Identifier: MIT */
#include "model/host/host.h"
#include "litmus/test/host_rule.h"

#include <string.h>

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

/* The access lies in the block. */
static expr_id lies_in(struct builder *b, const struct event *e, uint32_t block)
{
    expr_id inside = expr_false(b->exprs);
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        const struct mapping *m = &b->mappings[i];
        uint32_t root = test_root_location(b->test, m->location);
        if (root != test_root_location(b->test, block))
            continue;
        inside = expr_or(b->exprs, inside, builder_lies_in(b, e->address, m));
    }
    return inside;
}

static bool is_first(const struct host_plan *plan, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (plan->lifetimes.at[i].location == plan->lifetimes.at[index].location)
            return false;
    return true;
}

/* The next allocation of the block that 'release' frees: what comes after that uses it anew. */
static void renewals(struct host_plan *plan, uint32_t release)
{
    struct builder *b = plan->b;
    const struct lifetime *l = &plan->lifetimes.at[release];
    event_id start =
        l->task == NONE ? b->instances.at[l->instance].start : plan->tasks.at[l->task].start;
    for (uint32_t i = release + 1; i < plan->lifetimes.len; i++) {
        const struct lifetime *next = &plan->lifetimes.at[i];
        if (next->location != l->location || next->ends)
            continue;
        event_id end = next->task == NONE ? b->instances.at[next->instance].start
                                          : plan->tasks.at[next->task].end;
        builder_edge(b, FIXED_renewed, start, end, expr_true(b->exprs), NULL);
        return;
    }
}

/* A node of a graph, or its launch, allocates or frees the block. */
static bool is_by_graph(const struct host_plan *plan, const struct lifetime *l)
{
    const struct call_instance *at = &plan->b->instances.at[l->instance];
    return l->task != NONE && plan->host->calls[at->call].row->subject == HOST_SUBJECT_GRAPH;
}

/* The event is part of what allocates its block once more. */
static bool is_by_allocation(const struct host_plan *plan, event_id e)
{
    for (uint32_t i = 0; i < plan->lifetimes.len; i++)
        if (e >= plan->lifetimes.at[i].first_access && e < plan->lifetimes.at[i].last_access)
            return true;
    return false;
}

/* Every access of the block comes after its first allocation, and before each release or after the allocation that
 * follows it. */
static void lifetimes(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (uint32_t i = 0; i < plan->lifetimes.len; i++) {
        const struct lifetime *l = &plan->lifetimes.at[i];
        const struct task *t = l->task == NONE ? NULL : &plan->tasks.at[l->task];
        if (b->options->without == (l->ends ? HOST_RULE_FREED : HOST_RULE_ALLOCATED))
            continue;
        event_id call = b->instances.at[l->instance].start;
        bool by_graph = is_by_graph(plan, l);
        if (l->ends)
            renewals(plan, i);
        else if (!is_first(plan, i))
            continue;
        for (event_id e = 0; e < b->events.len; e++) {
            if (!event_is_memory(&b->events.at[e]) || is_by_allocation(plan, e))
                continue;
            expr_id inside = lies_in(b, &b->events.at[e], l->location);
            if (l->ends)
                builder_edge(b, by_graph ? FIXED_freed_by_node : FIXED_freed, e,
                             t ? t->start : call, inside, NULL);
            else
                builder_edge(b, by_graph ? FIXED_allocated_by_node : FIXED_allocated,
                             t ? t->end : call, e, inside, NULL);
        }
    }
}

static const struct task *kernel_of(const struct host_plan *plan, uint32_t thread)
{
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        if (plan->tasks.at[i].does == HOST_SUBJECT_KERNEL &&
            task_has_thread(&plan->tasks.at[i], thread))
            return &plan->tasks.at[i];
    return NULL;
}

/* The last attachment of the location whose call comes before the other call, or NULL. */
static const struct attachment *attachment_at(const struct host_plan *plan, uint32_t location,
                                              uint32_t position)
{
    const struct attachment *last = NULL;
    for (uint32_t i = 0; i < plan->attachments.len; i++) {
        const struct attachment *a = &plan->attachments.at[i];
        uint32_t call = plan->tasks.at[a->task].instance;
        if (a->location == location && plan->order.position[call] < position)
            last = a;
    }
    return last;
}

/* How many calls come before the access, as far as its own thread made them. */
static uint32_t position_of(const struct host_plan *plan, const struct event *access)
{
    const struct builder *b = plan->b;
    uint32_t position = 0;
    for (uint32_t i = 0; i < b->instances.len; i++) {
        const struct event *call = &b->events.at[b->instances.at[i].start];
        if (call->thread == access->thread && call->position < access->position &&
            plan->order.position[i] + 1 > position)
            position = plan->order.position[i] + 1;
    }
    return position;
}

/* The access of a host must not fall into the task, of a kernel; nor, where memory is attached to a stream or to the
 * host, come before that attachment is in force. */
static void managed_access(struct host_plan *plan, event_id e, const struct mapping *m)
{
    struct builder *b = plan->b;
    const struct event access = b->events.at[e];
    expr_id inside = builder_lies_in(b, access.address, m);
    const struct attachment *a =
        attachment_at(plan, test_root_location(b->test, m->location), position_of(plan, &access));
    for (uint32_t i = 0; i < plan->tasks.len; i++) {
        const struct task *t = &plan->tasks.at[i];
        bool spared = a && (a->to == HOST_ATTACH_HOST ||
                            (a->to == HOST_ATTACH_SINGLE && strcmp(t->stream, a->stream) != 0));
        if (t->does == HOST_SUBJECT_KERNEL)
            builder_edge(b, FIXED_managed, e, spared ? plan->tasks.at[a->task].start : t->start,
                         inside, NULL);
    }
}

/* A kernel touches memory that its stream may not touch. */
static void attached_access(struct host_plan *plan, event_id e, const struct mapping *m)
{
    struct builder *b = plan->b;
    const struct event access = b->events.at[e];
    const struct task *t = kernel_of(plan, access.thread);
    const struct attachment *a = t ? attachment_at(plan, test_root_location(b->test, m->location),
                                                   plan->order.position[t->instance])
                                   : NULL;
    bool host = a && a->to == HOST_ATTACH_HOST;
    enum host_misuse misuse = host ? HOST_MISUSE_ATTACH_HOST : HOST_MISUSE_ATTACH_STREAM;
    const struct host_misuse_row *row = &host_misuse_rows[misuse];
    if (!a || a->to == HOST_ATTACH_GLOBAL || (!host && strcmp(t->stream, a->stream) == 0) ||
        b->options->without == (uint32_t)misuse)
        return;
    builder_undefined(b, row->error, row->detail,
                      expr_and(b->exprs, access.guard, builder_lies_in(b, access.address, m)),
                      access.span, access.thread);
}

/* Without concurrentManagedAccess a host leaves managed memory alone while a kernel may run. */
static void managed_accesses(struct host_plan *plan)
{
    struct builder *b = plan->b;
    for (event_id e = 0; e < b->events.len; e++)
        for (uint32_t i = 0; event_is_memory(&b->events.at[e]) && i < b->mapping_count; i++) {
            const struct mapping *m = &b->mappings[i];
            uint32_t root = test_root_location(b->test, m->location);
            if (b->test->locations[root].memory != MEMORY_MANAGED)
                continue;
            if (b->threads.at[b->events.at[e].thread].host != NONE)
                managed_access(plan, e, m);
            else
                attached_access(plan, e, m);
        }
    for (uint32_t i = 0; i < plan->tasks.len; i++)
        builder_edge(b, FIXED_task, plan->tasks.at[i].start, plan->tasks.at[i].end,
                     expr_true(b->exprs), NULL);
}

/* ---- memory of other devices ---------------------------------------------------------------- */

/* Memory that the device of a kernel has no access to. */
static void peer_accesses(struct host_plan *plan)
{
    struct builder *b = plan->b;
    const struct host_misuse_row *row = &host_misuse_rows[HOST_MISUSE_NO_PEER_ACCESS];
    for (event_id e = 0; e < b->events.len; e++) {
        const struct event access = b->events.at[e];
        const struct task *t = event_is_memory(&access) ? kernel_of(plan, access.thread) : NULL;
        for (uint32_t i = 0; t && i < b->mapping_count; i++) {
            uint32_t device = host_memory_device(b->test, b->mappings[i].location);
            if (device == NONE || t->peers >> device & 1)
                continue;
            expr_id inside = builder_lies_in(b, access.address, &b->mappings[i]);
            builder_undefined(b, row->error, row->detail, expr_and(b->exprs, access.guard, inside),
                              access.span, access.thread);
        }
    }
}

void host_misuse_edges(struct host_plan *plan)
{
    if (!plan->host->platform.peer_access &&
        plan->b->options->without != HOST_MISUSE_NO_PEER_ACCESS)
        peer_accesses(plan);
    uint32_t without = plan->b->options->without;
    if (without != HOST_RULE_EVENT_USE)
        event_uses(plan);
    lifetimes(plan);
    if (!plan->host->platform.concurrent_managed_access && without != HOST_RULE_MANAGED)
        managed_accesses(plan);
}
