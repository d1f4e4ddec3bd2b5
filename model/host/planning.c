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

void plan_error_told(struct planning *p, enum host_misuse misuse, expr_id condition,
                     const char *detail)
{
    if (p->b->options->without == (uint32_t)misuse)
        return;
    builder_undefined(p->b, host_misuse_rows[misuse].error, detail,
                      expr_and(p->b->exprs, p->at->guard, condition), p->at->inst->span,
                      p->at->thread);
}

void plan_error_if(struct planning *p, enum host_misuse misuse, expr_id condition)
{
    plan_error_told(p, misuse, condition, host_misuse_rows[misuse].detail);
}

void plan_error(struct planning *p, enum host_misuse misuse)
{
    plan_error_if(p, misuse, p->always);
}

static bool is_made(const struct planning *p, const struct call_instance *at)
{
    const bool *always = p->plan->always;
    return host_is_certain(p->b, at->thread, at->guard) || (always && always[at->call]);
}

bool plan_is_made(const struct planning *p)
{
    return is_made(p, p->at);
}

bool plan_outside_branches(struct planning *p)
{
    bool outside = plan_is_made(p);
    if (!outside)
        plan_refuse(p, p->call, "%s in a branch is not modelled", p->call->row->name);
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
    } else if (subject == HOST_SUBJECT_ATTACHMENT) {
        struct attachment a = {call->to.location, task, call->constant, plan_task(p, task)->stream};
        if (a.to == HOST_CONSTANT_NONE)
            a.to = HOST_ATTACH_SINGLE;
        vec_push(p->b->arena, &p->plan->attachments, a);
    } else if (subject != HOST_SUBJECT_NONE && subject != HOST_SUBJECT_NO_NODE &&
               subject != HOST_SUBJECT_KERNEL && subject != HOST_SUBJECT_COPY &&
               subject != HOST_SUBJECT_SET && subject != HOST_SUBJECT_FUNCTION) {
        abort(); /* a row of host_call.def that enqueues what is no work */
    }
}

/* The last that happened to the block; NULL: nothing. */
static const struct lifetime *last_lifetime(const struct planning *p, uint32_t location)
{
    for (uint32_t i = p->plan->lifetimes.len; i-- > 0;)
        if (p->plan->lifetimes.at[i].location == location)
            return &p->plan->lifetimes.at[i];
    return NULL;
}

bool plan_is_allocated(const struct planning *p, uint32_t location)
{
    const struct lifetime *last = last_lifetime(p, location);
    return last && !last->ends;
}

void plan_free_early(struct planning *p, uint32_t location, uint32_t task)
{
    vec_push(p->b->arena, &p->plan->lifetimes,
             ((struct lifetime){location, p->instance, task, true, NONE}));
}

void plan_free_all(struct planning *p, uint32_t device)
{
    uint32_t count = p->plan->lifetimes.len;
    for (uint32_t i = 0; i < count; i++) {
        const struct lifetime l = p->plan->lifetimes.at[i];
        if (l.device == device && l.task == NONE && plan_is_allocated(p, l.location))
            plan_free_early(p, l.location, NONE);
    }
}

static bool is_always_freed(const struct planning *p, const struct lifetime *l)
{
    return l->ends && is_made(p, &p->b->instances.at[l->instance]);
}

static expr_id guard_of(const struct planning *p, const struct lifetime *l)
{
    return p->b->instances.at[l->instance].guard;
}

static bool is_by_reset(const struct planning *p, const struct lifetime *l)
{
    return p->host->calls[p->b->instances.at[l->instance].call].row->subject == HOST_SUBJECT_RESET;
}

/* What was freed before is freed again where both calls are made. Is it freed already for certain? */
static bool free_again(struct planning *p, uint32_t location)
{
    bool freed = false;
    for (uint32_t i = p->plan->lifetimes.len; i-- > 0 && !freed;) {
        const struct lifetime *l = &p->plan->lifetimes.at[i];
        if (l->location != location)
            continue;
        if (!l->ends)
            break;
        plan_error_if(p, is_by_reset(p, l) ? HOST_MISUSE_RESET : HOST_MISUSE_FREED_TWICE,
                      guard_of(p, l));
        freed = is_always_freed(p, l);
    }
    return freed;
}

void plan_lifetime(struct planning *p, const struct host_call *call, uint32_t task)
{
    bool ends = call->row->subject == HOST_SUBJECT_RELEASE;
    struct lifetime lifetime = {call->to.location, p->instance, task, ends, p->device[p->at->host]};
    const struct lifetime *last = last_lifetime(p, lifetime.location);
    if (ends && call == p->call) {
        if (!free_again(p, lifetime.location))
            vec_push(p->b->arena, &p->plan->lifetimes, lifetime);
        return;
    }
    if (!ends && !plan_is_made(p))
        plan_refuse(p, call, "allocating memory in a branch is not modelled");
    if (!ends && last && last->ends && !is_always_freed(p, last))
        plan_refuse(p, call, "allocating again what was freed in a branch is not modelled");
    if (last && last->ends == ends)
        plan_refuse(p, call, "'%s' is %s twice: give the second block a name of its own",
                    p->b->test->locations[lifetime.location].name, ends ? "freed" : "allocated");
    vec_push(p->b->arena, &p->plan->lifetimes, lifetime);
}
