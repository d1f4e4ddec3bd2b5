/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Streams as queues: enqueues tasks and orders each after those that it follows. */

static void follow_task(struct planning *p, uint32_t before, uint32_t task)
{
    plan_order(p, API_EDGE_E2, END_TO_START, before, task, p->always,
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
        follow_task(p, earlier, task);
        follow_through(p, earlier, task);
    }
}

/* E2, and E20 where it is left out: after the last task, and after earlier ones while those before
 * it might not be there. */
static void follow(struct planning *p, struct plan_stream *s, uint32_t task)
{
    struct task *t = plan_task(p, task);
    for (uint32_t i = s->tasks.len; i-- > 0;) {
        uint32_t before = s->tasks.at[i];
        if (t->programmatic && plan_task(p, before)->does == HOST_SUBJECT_KERNEL) {
            vec_push(p->b->arena, &t->prerequisites, before);
        } else {
            follow_task(p, before, task);
            follow_through(p, before, task);
        }
        if (expr_is_true(p->b->exprs, plan_guard(p, before)))
            return;
    }
}

static void append(struct planning *p, struct plan_stream *s, uint32_t task)
{
    plan_task(p, task)->device = s->device;
    plan_task(p, task)->stream = s->name;
    follow(p, s, task);
    vec_push(p->b->arena, &s->tasks, task);
}

/* ---- the legacy stream ---------------------------------------------------------------------- */

static uint32_t append_barrier(struct planning *p, struct plan_stream *s, uint32_t action)
{
    const struct task *t = plan_task(p, action);
    uint32_t task = plan_add_task(p, (struct task){HOST_SUBJECT_NONE, t->instance, t->call});
    append(p, s, task);
    return task;
}

/* A barrier task at the end of 'from' that one at the end of 'to' waits for (E4). */
static void join(struct planning *p, struct plan_stream *from, struct plan_stream *to,
                 uint32_t action)
{
    uint32_t arrive = append_barrier(p, from, action), wait = append_barrier(p, to, action);
    plan_order(p, API_EDGE_E4, END_TO_START, arrive, wait, p->always,
               "the legacy default stream waits for blocking streams, and they for it: line %u",
               plan_line(p, action));
}

bool plan_takes_part(const struct plan_stream *s, const struct plan_stream *legacy)
{
    return legacy->legacy && s->exists && s->blocking && !s->legacy && s->device == legacy->device;
}

/* What a destroyed blocking stream still holds: nobody says whether the legacy stream waits for it. */
static void follow_destroyed(struct planning *p, const struct plan_stream *legacy, uint32_t task)
{
    for (uint32_t i = 0; i < p->destroyed.len; i++) {
        const struct plan_stream *s = &p->destroyed.at[i];
        if (!s->tasks.len || !plan_takes_part(s, legacy) ||
            !host_reading(p->plan, HOST_READING_DESTROYED_STREAM))
            continue;
        uint32_t last = s->tasks.at[s->tasks.len - 1];
        plan_order(p, API_EDGE_E4, END_TO_START, last, task, p->always,
                   "the legacy default stream waits for a destroyed stream: line %u",
                   plan_line(p, task));
    }
}

void plan_enqueue(struct planning *p, struct plan_stream *s, uint32_t task)
{
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (plan_takes_part(&p->streams[i], s))
            join(p, &p->streams[i], s, task);
    follow_destroyed(p, s, task);
    append(p, s, task);
    for (uint32_t i = 0; i < p->stream_count; i++)
        if (plan_takes_part(&p->streams[i], s))
            join(p, s, &p->streams[i], task);
}

/* ---- streams -------------------------------------------------------------------------------- */

struct plan_stream *plan_stream(struct planning *p, uint32_t object)
{
    uint32_t current = p->device[p->at->host];
    if (object == HOST_STREAM_LEGACY)
        return &p->streams[p->host->object_count + p->host->thread_count + current];
    if (object != HOST_STREAM_PER_THREAD)
        return &p->streams[object];
    struct plan_stream *own = &p->streams[p->host->object_count + p->at->host];
    if (!own->tasks.len)
        own->device = current;
    return own;
}

void plan_create_stream(struct planning *p)
{
    struct plan_stream *s = &p->streams[p->call->stream];
    *s = (struct plan_stream){.exists = true,
                              .blocking = p->call->constant != HOST_STREAM_NON_BLOCKING,
                              .name = p->host->objects[p->call->stream].name,
                              .device = p->device[p->at->host],
                              .capture = NONE};
    struct plan_stream *legacy = plan_stream(p, HOST_STREAM_LEGACY);
    if (s->blocking && legacy->tasks.len && host_reading(p->plan, HOST_READING_NEW_STREAM))
        join(p, legacy, s, legacy->tasks.at[legacy->tasks.len - 1]);
}
