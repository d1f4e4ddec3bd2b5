/* SPDX-License-Identifier: MIT */
#include "model/host/plan.h"

/* Streams by their handles, and what is put into them. */

bool plan_takes_part(const struct plan_queue *q, const struct plan_queue *legacy)
{
    return q && legacy->legacy && q->blocking && q->device == legacy->device;
}

void plan_enqueue(struct planning *p, struct plan_stream *s, uint32_t task)
{
    plan_task(p, task)->device = s->queue->device;
    plan_task(p, task)->peers = p->peers[s->queue->device];
    plan_task(p, task)->stream = s->queue->name;
    vec_push(p->b->arena, &s->queue->tasks, task);
}

struct plan_stream *plan_stream(struct planning *p, uint32_t object)
{
    uint32_t current = p->device[p->at->host];
    if (object == HOST_STREAM_LEGACY)
        return &p->streams[p->host->object_count + p->host->thread_count + current];
    if (object != HOST_STREAM_PER_THREAD)
        return &p->streams[object];
    struct plan_stream *own = &p->streams[p->host->object_count + p->at->host];
    if (!own->queue->tasks.len)
        own->queue->device = current;
    return own;
}

void plan_create_stream(struct planning *p)
{
    struct plan_queue *q = ARENA_NEW(p->b->arena, struct plan_queue);
    *q = (struct plan_queue){.blocking = p->call->constant != HOST_STREAM_NON_BLOCKING,
                             .name = p->host->objects[p->call->stream].name,
                             .device = p->device[p->at->host],
                             .creator = p->instance,
                             .destroyer = NONE};
    vec_push(p->b->arena, &p->queues, q);
    p->streams[p->call->stream] = (struct plan_stream){.queue = q, .capture = NONE};
}

void plan_destroy_stream(struct planning *p)
{
    struct plan_stream *s = &p->streams[p->call->stream];
    if (s->queue)
        s->queue->destroyer = p->instance;
    *s = (struct plan_stream){.capture = NONE};
}
