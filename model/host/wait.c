/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include "litmus/base/table.h"

/* Waiting: which record an event wait matches, what a call waits for, and the edges that it makes
 * when it returns. */

/* ---- events --------------------------------------------------------------------------------- */

void plan_record(struct planning *p, struct plan_event *e, uint32_t task)
{
    struct builder *b = p->b;
    expr_id guard = plan_guard(p, task);
    for (uint32_t i = 0; i < e->records.len; i++)
        e->records.at[i].alive =
            expr_and(b->exprs, e->records.at[i].alive, expr_not(b->exprs, guard));
    if (expr_is_true(b->exprs, guard))
        e->records.len = 0;
    vec_push(b->arena, &e->records, ((struct plan_record){task, p->always}));
    e->capture = NONE;
}

/* The call waits for what was recorded in a stream that is gone. */
static void warn_of_orphan(struct planning *p, const struct plan_record *r)
{
    const struct call_instance *recorded = &p->b->instances.at[plan_task(p, r->task)->instance];
    for (uint32_t i = 0; i < p->destroyed.len; i++)
        for (uint32_t k = 0; k < p->destroyed.at[i].tasks.len; k++)
            if (p->destroyed.at[i].tasks.at[k] == r->task)
                builder_edge(p->b, FIXED_orphaned_event, recorded->start, p->at->start, r->alive,
                             NULL);
}

void plan_match(struct planning *p, const struct plan_event *e, uint32_t task)
{
    for (uint32_t i = 0; i < e->records.len; i++) {
        const struct plan_record *r = &e->records.at[i];
        warn_of_orphan(p, r);
        plan_order(p, API_EDGE_E3, END_TO_START, r->task, task, r->alive,
                   "event recorded at line %u, waited for at line %u", plan_line(p, r->task),
                   plan_line(p, task));
    }
}

/* ---- synchronization ------------------------------------------------------------------------ */

static void wait_for(struct planning *p, uint32_t task, expr_id guard, const char *what)
{
    struct builder *b = p->b;
    static const enum api_edge rules[] = {
        [HOST_SUBJECT_STREAM] = API_EDGE_E13, [HOST_SUBJECT_EVENT] = API_EDGE_E14,
        [HOST_SUBJECT_DEVICE] = API_EDGE_E15, [HOST_SUBJECT_COPY] = API_EDGE_E18,
        [HOST_SUBJECT_SET] = API_EDGE_E18,
    };
    bool query = p->call->row->class == HOST_ASKS;
    struct task_wait wait = {.rule = query ? API_EDGE_E16 : TABLE_AT(rules, p->call->row->subject),
                             .task = task,
                             .instance = p->instance,
                             .guard = query ? expr_and(b->exprs, guard, p->at->success) : guard,
                             .alive = guard};
    wait.reason =
        arena_printf(b->arena, "%s: %s at line %u %s (line %u)", what, p->call->row->name,
                     host_line(b, p->call->span), query ? "returned cudaSuccess" : "waited for it",
                     plan_line(p, task));
    vec_push(b->arena, &p->plan->waits, wait);
    p->waited++;
}

/* The last task of the stream, and earlier ones while those after them might not be there. */
static void wait_for_stream(struct planning *p, const struct plan_stream *s)
{
    for (uint32_t i = s->tasks.len; i-- > 0;) {
        wait_for(p, s->tasks.at[i], p->always, "the stream's last task");
        if (expr_is_true(p->b->exprs, plan_guard(p, s->tasks.at[i])))
            return;
    }
}

/* E13, E16: the legacy handle covers the blocking streams. */
void plan_synchronize_stream(struct planning *p)
{
    const struct plan_stream *s = plan_stream(p, p->call->stream);
    wait_for_stream(p, s);
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (plan_takes_part(&p->streams[i], s))
            wait_for_stream(p, &p->streams[i]);
}

void plan_synchronize_device(struct planning *p)
{
    uint32_t device = p->device[p->at->host];
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (p->streams[i].device == device)
            wait_for_stream(p, &p->streams[i]);
    /* a stream destroyed and made anew under one name: what it held before (E15) */
    for (uint32_t i = 0; i < p->destroyed.len; i++)
        if (p->destroyed.at[i].device == device)
            wait_for_stream(p, &p->destroyed.at[i]);
}

void plan_synchronize_event(struct planning *p)
{
    const struct plan_event *e = &p->events[p->call->event];
    for (uint32_t i = 0; i < e->records.len; i++) {
        wait_for(p, e->records.at[i].task, e->records.at[i].alive, "the event's record");
        warn_of_orphan(p, &e->records.at[i]);
    }
}

void plan_settle_query(struct planning *p)
{
    struct expr_pool *exprs = p->b->exprs;
    if (!p->waited)
        builder_assume(p->b, ASSUME_PLAIN, expr_implies(exprs, p->at->guard, p->at->success),
                       p->at->inst->span, p->at->thread);
}

/* ---- copies and sets: E18 ------------------------------------------------------------------- */

/* From pageable memory: the stream is synchronized, and then the source is read. */
static void staged_copy_returns(struct planning *p, const struct plan_stream *s, uint32_t task)
{
    for (uint32_t i = s->tasks.len; i-- > 0;)
        if (s->tasks.at[i] < task) {
            wait_for(p, s->tasks.at[i], p->always,
                     "a copy from pageable memory waits for the stream first");
            break;
        }
    wait_for(p, task, p->always, "the source was read");
    p->plan->waits.at[p->plan->waits.len - 1].only_reads = true;
}

static void copy_returns(struct planning *p, const struct plan_stream *s, uint32_t task)
{
    enum memory_kind to = p->b->test->locations[p->call->to.location].memory;
    enum memory_kind from = p->b->test->locations[p->call->from.location].memory;
    bool to_host = memory_is_on_host(to), from_host = memory_is_on_host(from);
    bool blocking = p->call->row->returns == HOST_RETURNS_WHEN_DONE;
    bool staged = from == MEMORY_PAGEABLE || to == MEMORY_PAGEABLE;
    const char *what = NULL;
    if (!blocking && staged && from_host != to_host && host_reading(p->plan, HOST_READING_PAGEABLE))
        what = "a copy of pageable memory";
    else if (from_host && to_host)
        what = "a copy between host memory";
    else if (blocking && to_host)
        what = "a copy to the host";
    else if (blocking && from_host && from != MEMORY_PAGEABLE)
        what = "a copy from pinned memory";
    if (what)
        wait_for(p, task, p->always, what);
    else if (blocking && from_host)
        staged_copy_returns(p, s, task);
}

void plan_return(struct planning *p, struct plan_stream *s, uint32_t task)
{
    if (p->call->row->subject == HOST_SUBJECT_COPY) {
        copy_returns(p, s, task);
        return;
    }
    enum memory_kind to = p->b->test->locations[p->call->to.location].memory;
    bool pinned = memory_is_on_host(to) && to != MEMORY_PAGEABLE;
    if (pinned && p->call->row->returns == HOST_RETURNS_WHEN_DONE)
        wait_for(p, task, p->always, "a set of pinned memory");
}
