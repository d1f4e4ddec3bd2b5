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
    vec_push(b->arena, &e->history->records, task);
    e->capture = NONE;
}

/* The call waits for what was recorded in a stream that is gone. */
static void warn_of_orphan(struct planning *p, const struct plan_record *r)
{
    struct expr_pool *exprs = p->b->exprs;
    const struct call_instance *recorded = &p->b->instances.at[plan_task(p, r->task)->instance];
    for (uint32_t i = 0; i < p->queues.len; i++) {
        const struct plan_queue *q = p->queues.at[i];
        for (uint32_t k = 0; q->destroyer != NONE && k < q->tasks.len; k++)
            if (q->tasks.at[k] == r->task)
                builder_edge(
                    p->b, FIXED_orphaned_event, recorded->start, p->at->start,
                    expr_and(exprs, r->alive, host_before(p->plan, q->destroyer, p->instance)),
                    NULL);
    }
}

static void match(struct planning *p, const struct plan_record *r, uint32_t task)
{
    warn_of_orphan(p, r);
    plan_order(p, API_EDGE_E3, END_TO_START, r->task, task, r->alive,
               "event recorded at line %u, waited for at line %u", plan_line(p, r->task),
               plan_line(p, task));
}

void plan_match(struct planning *p, const struct plan_event *e, uint32_t task)
{
    if (p->plan->order.choice) {
        struct plan_waiter w = {p->instance, task, NULL, NONE, e->history};
        vec_push(p->b->arena, &p->waiters, w);
        return;
    }
    for (uint32_t i = 0; i < e->records.len; i++)
        match(p, &e->records.at[i], task);
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
                             .alive = guard,
                             .only_time = p->call->row->subject == HOST_SUBJECT_ELAPSED,
                             .late = p->late};
    wait.reason =
        arena_printf(b->arena, "%s: %s at line %u %s (line %u)", what, p->call->row->name,
                     host_line(b, p->call->span), query ? "returned cudaSuccess" : "waited for it",
                     plan_line(p, task));
    vec_push(b->arena, &p->plan->waits, wait);
    p->asked = expr_or(b->exprs, p->asked, expr_and(b->exprs, guard, plan_guard(p, task)));
}

static void wait_later(struct planning *p, struct plan_waiter w)
{
    w.instance = p->instance;
    w.task = NONE;
    vec_push(p->b->arena, &p->waiters, w);
}

void plan_synchronize_stream(struct planning *p)
{
    const struct plan_stream *s = plan_stream(p, p->call->stream);
    wait_later(p, (struct plan_waiter){.queue = s->queue, .device = NONE});
}

void plan_synchronize_device(struct planning *p)
{
    wait_later(p, (struct plan_waiter){.device = p->device[p->at->host]});
}

void plan_synchronize_everything(struct planning *p)
{
    wait_later(p, (struct plan_waiter){.device = PLAN_ALL_DEVICES});
}

void plan_synchronize_event(struct planning *p)
{
    const struct plan_event *e = &p->events[p->call->event];
    struct plan_waiter w = {.device = NONE, .history = p->plan->order.choice ? e->history : NULL};
    for (uint32_t i = 0; i < e->records.len; i++)
        vec_push(p->b->arena, &w.records, e->records.at[i]);
    wait_later(p, w);
}

static void ask_time_of(struct planning *p, const struct plan_event *e, expr_id late)
{
    struct plan_waiter w = {.device = NONE, .is_timed = true, .late = late};
    w.history = p->plan->order.choice ? e->history : NULL;
    for (uint32_t i = 0; i < e->records.len; i++)
        vec_push(p->b->arena, &w.records, e->records.at[i]);
    wait_later(p, w);
}

void plan_ask_time(struct planning *p)
{
    expr_id first = builder_choice(p->b, "late", 1);
    ask_time_of(p, &p->events[p->call->event], first);
    ask_time_of(p, &p->events[p->call->other_event], expr_not(p->b->exprs, first));
}

/* ---- copies and sets: E18 ------------------------------------------------------------------- */

/* From pageable memory: the stream is synchronized, and then the source is read. */
static void staged_copy_returns(struct planning *p, const struct plan_stream *s, uint32_t task)
{
    wait_later(p, (struct plan_waiter){.queue = s->queue, .device = NONE, .stages = true});
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
    if (p->call->row->returns == HOST_RETURNS_AT_ONCE)
        return;
    if (p->call->row->subject == HOST_SUBJECT_COPY) {
        copy_returns(p, s, task);
        return;
    }
    enum memory_kind to = p->b->test->locations[p->call->to.location].memory;
    bool pinned = memory_is_on_host(to) && to != MEMORY_PAGEABLE;
    if (pinned && p->call->row->returns == HOST_RETURNS_WHEN_DONE)
        wait_for(p, task, p->always, "a set of pinned memory");
}

/* ---- when all calls are planned -------------------------------------------------------------- */

/* The last task of the queue before the call, and earlier ones while those after them might not be there. Of tasks
 * whose calls can come before or after it those that do. */
static void wait_for_queue(struct planning *p, const struct plan_queue *q, expr_id guard,
                           const char *what)
{
    struct expr_pool *exprs = p->b->exprs;
    bool closed = false;
    for (uint32_t i = q->tasks.len; i-- > 0 && !(closed && !p->plan->order.choice);) {
        uint32_t task = q->tasks.at[i];
        expr_id first = host_before(p->plan, plan_task(p, task)->instance, p->instance);
        if (expr_is_false(exprs, first) || (closed && expr_is_true(exprs, first)))
            continue;
        wait_for(p, task, expr_and(exprs, guard, first), what);
        closed = expr_is_true(exprs, first) && expr_is_true(exprs, plan_guard(p, task));
    }
}

/* What a copy between devices puts behind it includes the end of a legacy queue. */
static void wait_for_peers(struct planning *p, const struct plan_queue *q,
                           const struct plan_queue *legacy)
{
    for (uint32_t i = 0; i < legacy->tasks.len; i++) {
        uint32_t task = legacy->tasks.at[i];
        expr_id first = host_before(p->plan, plan_task(p, task)->instance, p->instance);
        if (plan_reaches(p, legacy, task, q) && !expr_is_false(p->b->exprs, first))
            wait_for(p, task, first, "a copy between devices");
    }
}

/* The legacy handle covers the blocking streams. A blocking one stands for its own tasks: that its next one waits for those of the
 * legacy stream delays nobody who waits for it (docs/hardware.md). */
static void wait_for_stream(struct planning *p, const struct plan_queue *q)
{
    for (uint32_t i = 0; i < p->queues.len; i++) {
        const struct plan_queue *o = p->queues.at[i];
        expr_id there =
            o->destroyer == NONE ? p->always : host_before(p->plan, p->instance, o->destroyer);
        if (q->legacy && q->device != o->device)
            wait_for_peers(p, q, o);
        if (plan_takes_part(o, q) && !expr_is_false(p->b->exprs, there))
            wait_for_queue(p, o, there, "the stream's last task");
    }
    wait_for_queue(p, q, p->always, "the stream's last task");
}

/* The record is the latest before the call. */
static expr_id is_latest(struct planning *p, const struct plan_history *h, uint32_t record)
{
    struct expr_pool *exprs = p->b->exprs;
    expr_id latest = host_before(p->plan, plan_task(p, record)->instance, p->instance);
    for (uint32_t i = 0; i < h->records.len; i++) {
        uint32_t other = h->records.at[i];
        if (other == record || expr_is_false(exprs, latest))
            continue;
        expr_id between =
            expr_and(exprs, plan_before(p, record, other),
                     host_before(p->plan, plan_task(p, other)->instance, p->instance));
        between = expr_and(exprs, between, plan_guard(p, other));
        latest = expr_and(exprs, latest, expr_not(exprs, between));
    }
    return latest;
}

static void wait_for_record(struct planning *p, const struct plan_record *r, uint32_t task)
{
    if (expr_is_false(p->b->exprs, r->alive))
        return;
    if (task != NONE) {
        match(p, r, task);
        return;
    }
    wait_for(p, r->task, r->alive, "the event's record");
    warn_of_orphan(p, r);
}

static void wait_for_event(struct planning *p, const struct plan_waiter *w)
{
    for (uint32_t i = 0; !w->history && i < w->records.len; i++)
        wait_for_record(p, &w->records.at[i], NONE);
    for (uint32_t i = 0; w->history && i < w->history->records.len; i++) {
        struct plan_record r = {w->history->records.at[i], 0};
        r.alive = is_latest(p, w->history, r.task);
        wait_for_record(p, &r, w->task);
    }
}

/* Of an empty set of work a query is cudaSuccess. */
static void settle_query(struct planning *p)
{
    struct expr_pool *exprs = p->b->exprs;
    builder_assume(p->b, ASSUME_PLAIN,
                   expr_implies(exprs, p->at->guard, expr_or(exprs, p->at->success, p->asked)),
                   p->at->inst->span, p->at->thread);
}

void plan_settle_waits(struct planning *p)
{
    for (uint32_t i = 0; i < p->waiters.len; i++) {
        const struct plan_waiter *w = &p->waiters.at[i];
        plan_turn_to(p, w->instance);
        p->late = w->late;
        if (w->stages)
            wait_for_queue(p, w->queue, p->always,
                           "a copy from pageable memory waits for the stream first");
        else if (w->queue)
            wait_for_stream(p, w->queue);
        for (uint32_t q = 0; w->device != NONE && q < p->queues.len; q++)
            if (w->device == PLAN_ALL_DEVICES || p->queues.at[q]->device == w->device)
                wait_for_queue(p, p->queues.at[q], p->always, "the stream's last task");
        wait_for_event(p, w);
        if (w->is_timed)
            plan_error_if(p, HOST_MISUSE_ELAPSED_UNRECORDED, expr_not(p->b->exprs, p->asked));
        else if (p->call->row->class == HOST_ASKS)
            settle_query(p);
    }
}
