/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

#include <stdlib.h>

/* Helpers of the files that plan: reports, and tasks with the edges between them. */

unsigned host_line(const struct builder *b, struct span span)
{
    return source_place(b->test->source, span.offset).line;
}

bool host_reading(struct host_plan *plan, enum host_reading point)
{
    plan->open |= 1u << point;
    return plan->b->options->readings & 1u << point;
}

void plan_error_if(struct planning *p, enum host_misuse misuse, expr_id condition)
{
    builder_undefined(p->b, host_misuse_rows[misuse].error, host_misuse_rows[misuse].detail,
                      expr_and(p->b->exprs, p->at->guard, condition), p->at->inst->span,
                      p->at->thread);
}

void plan_error(struct planning *p, enum host_misuse misuse)
{
    plan_error_if(p, misuse, p->always);
}

bool plan_is_made(const struct planning *p)
{
    const bool *always = p->plan->always;
    return expr_is_true(p->b->exprs, p->at->guard) || (always && always[p->at->call]);
}

bool plan_outside_branches(struct planning *p)
{
    bool outside = plan_is_made(p);
    if (!outside)
        plan_refuse(p, p->call, "capture and graph calls in a branch are not modelled");
    return outside;
}

/* ---- tasks and edges ------------------------------------------------------------------------ */

unsigned plan_line(const struct planning *p, uint32_t task)
{
    return host_line(p->b, plan_task(p, task)->call->span);
}

expr_id plan_guard(const struct planning *p, uint32_t task)
{
    return p->b->instances.at[plan_task(p, task)->instance].guard;
}

void plan_turn_to(struct planning *p, uint32_t instance)
{
    p->instance = instance;
    p->at = &p->b->instances.at[instance];
    p->call = &p->host->calls[p->at->call];
    p->asked = expr_false(p->b->exprs);
}

expr_id plan_before(struct planning *p, uint32_t task, uint32_t other)
{
    return host_before(p->plan, plan_task(p, task)->instance, plan_task(p, other)->instance);
}

uint32_t plan_add_task(struct planning *p, struct task task)
{
    vec_push(p->b->arena, &p->plan->tasks, task);
    return p->plan->tasks.len - 1;
}

uint32_t plan_new_task(struct planning *p, const struct host_call *call)
{
    return plan_add_task(p, (struct task){call->row->subject, p->instance, call});
}

void plan_order(struct planning *p, enum api_edge rule, enum task_edge_kind kind, uint32_t from,
                uint32_t to, expr_id guard, const char *reason, ...)
{
    va_list arguments;
    va_start(arguments, reason);
    struct task_edge edge = {rule, kind,  from,
                             to,   guard, arena_vprintf(p->b->arena, reason, arguments)};
    va_end(arguments);
    vec_push(p->b->arena, &p->plan->edges, edge);
}

/* ---- what tasks do to events and memory ------------------------------------------------------ */

void plan_work(struct planning *p, const struct host_call *call, uint32_t task,
               const struct plan_event *noted)
{
    enum host_subject subject = call->row->subject;
    if (subject == HOST_SUBJECT_ALLOCATION || subject == HOST_SUBJECT_RELEASE) {
        plan_lifetime(p, call, task);
    } else if (subject == HOST_SUBJECT_RECORD) {
        plan_record(p, &p->events[call->event], task);
    } else if (subject == HOST_SUBJECT_EVENT_WAIT) {
        bool early = noted && host_reading(p->plan, HOST_READING_WAIT_NODE);
        plan_match(p, early ? noted : &p->events[call->event], task);
    } else if (subject != HOST_SUBJECT_NONE && subject != HOST_SUBJECT_KERNEL &&
               subject != HOST_SUBJECT_COPY && subject != HOST_SUBJECT_SET &&
               subject != HOST_SUBJECT_FUNCTION) {
        abort(); /* a row of host_call.def that enqueues what is no work */
    }
}

void plan_lifetime(struct planning *p, const struct host_call *call, uint32_t task)
{
    bool ends = call->row->subject == HOST_SUBJECT_RELEASE;
    struct lifetime lifetime = {call->to.location, p->instance, task, ends};
    if (!plan_is_made(p))
        plan_refuse(p, call, "allocating or freeing memory in a branch is not modelled");
    for (uint32_t i = 0; i < p->plan->lifetimes.len; i++)
        if (p->plan->lifetimes.at[i].location == lifetime.location &&
            p->plan->lifetimes.at[i].ends == ends)
            plan_refuse(p, call, "'%s' is %s twice: give the second block a name of its own",
                        p->b->test->locations[lifetime.location].name,
                        ends ? "freed" : "allocated");
    vec_push(p->b->arena, &p->plan->lifetimes, lifetime);
}
