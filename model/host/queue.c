/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Streams as queues, when all that was put into them is known: each task comes after those that its stream, or the
 * legacy stream, puts before it (E2, E4, E20). Of two tasks whose calls can come in either order each comes after
 * the other where its call does. */

/* ---- one stream: E2, E20 -------------------------------------------------------------------- */

static void follow_task(struct planning *p, uint32_t before, uint32_t task, expr_id guard)
{
    plan_order(p, API_EDGE_E2, END_TO_START, before, task, guard,
               "one stream: line %u, then line %u", plan_line(p, before), plan_line(p, task));
}

/* Where a programmatic kernel came after others without waiting for them: nobody says whether the
 * next task comes after those too. */
static void follow_through(struct planning *p, uint32_t before, uint32_t task)
{
    for (uint32_t i = 0; i < plan_task(p, before)->prerequisites.len; i++) {
        uint32_t earlier = plan_task(p, before)->prerequisites.at[i];
        if (!host_reading(p->plan, HOST_READING_PDL))
            return;
        follow_task(p, earlier, task, p->always);
        follow_through(p, earlier, task);
    }
}

/* The stream was there when the task was put into another one. */
static bool is_there(struct planning *p, const struct plan_queue *q, uint32_t task)
{
    uint32_t call = plan_task(p, task)->instance;
    return (q->creator == NONE ||
            expr_is_true(p->b->exprs, host_before(p->plan, q->creator, call))) &&
           (q->destroyer == NONE ||
            expr_is_true(p->b->exprs, host_before(p->plan, call, q->destroyer)));
}

/* Something was put into the legacy stream between two tasks of a blocking one, or the two stand in a legacy stream
 * in which blocking ones take part: then the one is not directly behind the other. */
static bool is_interposed(struct planning *p, const struct plan_queue *q, uint32_t before,
                          uint32_t task)
{
    for (uint32_t i = 0; i < p->queues.len; i++) {
        const struct plan_queue *o = p->queues.at[i];
        if (plan_takes_part(o, q) && is_there(p, o, task))
            return true;
        for (uint32_t k = 0; plan_takes_part(q, o) && k < o->tasks.len; k++)
            if (o->tasks.at[k] > before && o->tasks.at[k] < task)
                return true;
    }
    return false;
}

bool plan_is_sure(struct planning *p, uint32_t before, uint32_t task)
{
    return expr_is_true(p->b->exprs, plan_guard(p, before)) ||
           plan_guard(p, before) == plan_guard(p, task);
}

/* After the last task, and after earlier ones while those before it might not be there. */
static void follow(struct planning *p, const struct plan_queue *q, uint32_t index)
{
    struct expr_pool *exprs = p->b->exprs;
    uint32_t task = q->tasks.at[index];
    bool closed = false;
    for (uint32_t i = index; i-- > 0 && !(closed && !p->plan->order.choice);) {
        uint32_t before = q->tasks.at[i];
        expr_id first = plan_before(p, before, task);
        bool overlaps = plan_task(p, task)->programmatic &&
                        plan_task(p, before)->does == HOST_SUBJECT_KERNEL &&
                        !is_interposed(p, q, before, task);
        if (!expr_is_true(exprs, first)) {
            follow_task(p, before, task, first);
            follow_task(p, task, before, expr_not(exprs, first));
        } else if (!closed) {
            if (overlaps)
                vec_push(p->b->arena, &plan_task(p, task)->prerequisites, before);
            else
                follow_task(p, before, task, p->always);
            if (!overlaps)
                follow_through(p, before, task);
            closed = plan_is_sure(p, before, task);
        }
    }
}

/* ---- the legacy stream: E4 ------------------------------------------------------------------ */

/* Where sources are silent: the one call came before the other, or the reading says that this does not matter. */
static expr_id unless_read(struct planning *p, expr_id rightly, enum host_reading reading)
{
    if (expr_is_true(p->b->exprs, rightly) || host_reading(p->plan, reading))
        return p->always;
    return rightly;
}

expr_id plan_counts(struct planning *p, const struct plan_queue *from, uint32_t first,
                    const struct plan_queue *to, uint32_t instance)
{
    uint32_t call = plan_task(p, first)->instance;
    if (from->legacy && !to->legacy && to->creator != NONE)
        return unless_read(p, host_before(p->plan, to->creator, call), HOST_READING_NEW_STREAM);
    if (to->legacy && !from->legacy && from->destroyer != NONE)
        return unless_read(p, host_before(p->plan, instance, from->destroyer),
                           HOST_READING_DESTROYED_STREAM);
    return p->always;
}

static void join(struct planning *p, const struct plan_queue *from, uint32_t first,
                 const struct plan_queue *to, uint32_t then, expr_id guard)
{
    uint32_t action = to->legacy ? then : first;
    guard =
        expr_and(p->b->exprs, guard, plan_counts(p, from, first, to, plan_task(p, then)->instance));
    if (!expr_is_false(p->b->exprs, guard))
        plan_order(p, API_EDGE_E4, END_TO_START, first, then, guard,
                   "the legacy default stream waits for blocking streams, and they for it: line %u",
                   plan_line(p, action));
}

/* The task that the one stands behind in its own stream, whatever the order of calls; or NONE. */
static uint32_t certain_previous(struct planning *p, const struct plan_queue *q, uint32_t index)
{
    uint32_t previous = index ? q->tasks.at[index - 1] : NONE;
    bool certain = index && plan_is_sure(p, previous, q->tasks.at[index]) &&
                   expr_is_true(p->b->exprs, plan_before(p, previous, q->tasks.at[index]));
    return certain ? previous : NONE;
}

/* The task comes after those of the other queue whose calls do, but those that a task before it came after. */
static void follow_other(struct planning *p, const struct plan_queue *other,
                         const struct plan_queue *q, uint32_t index)
{
    struct expr_pool *exprs = p->b->exprs;
    uint32_t task = q->tasks.at[index], previous = certain_previous(p, q, index);
    bool closed = false;
    for (uint32_t i = other->tasks.len; i-- > 0;) {
        uint32_t before = other->tasks.at[i];
        expr_id first = plan_before(p, before, task);
        if (expr_is_true(exprs, first)) {
            if (closed)
                continue;
            closed = (previous != NONE && expr_is_true(exprs, plan_before(p, before, previous))) ||
                     plan_is_sure(p, before, task);
            if (previous != NONE && expr_is_true(exprs, plan_before(p, before, previous)))
                continue;
        }
        if (!expr_is_false(exprs, first))
            join(p, other, before, q, task, first);
    }
}

/* ---- copies between devices: E21 ------------------------------------------------------------ */

bool plan_reaches(struct planning *p, const struct plan_queue *of, uint32_t task,
                  const struct plan_queue *q)
{
    return of->legacy && host_call_reaches(p->b->test, plan_task(p, task)->call, q->device) &&
           (q->blocking || q->legacy || host_reading(p->plan, HOST_READING_PEER_COPY));
}

static void follow_peer(struct planning *p, const struct plan_queue *other,
                        const struct plan_queue *q, uint32_t task)
{
    for (uint32_t i = 0; i < other->tasks.len; i++) {
        uint32_t before = other->tasks.at[i];
        expr_id first = plan_before(p, before, task);
        if (!expr_is_false(p->b->exprs, first) &&
            (plan_reaches(p, q, task, other) || plan_reaches(p, other, before, q)))
            plan_order(p, API_EDGE_E21, END_TO_START, before, task, first,
                       "a copy between devices in a default stream: line %u, then line %u",
                       plan_line(p, before), plan_line(p, task));
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

void plan_order_queues(struct planning *p)
{
    for (uint32_t i = 0; i < p->queues.len; i++) {
        const struct plan_queue *q = p->queues.at[i];
        for (uint32_t k = 0; k < q->tasks.len; k++) {
            follow(p, q, k);
            for (uint32_t o = 0; o < p->queues.len; o++)
                if (plan_takes_part(p->queues.at[o], q) || plan_takes_part(q, p->queues.at[o]))
                    follow_other(p, p->queues.at[o], q, k);
                else if (o != i)
                    follow_peer(p, p->queues.at[o], q, q->tasks.at[k]);
        }
    }
}
