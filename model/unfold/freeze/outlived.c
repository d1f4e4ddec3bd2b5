/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"

/* Shared memory of another CTA of the cluster is gone when that CTA has exited, which waits for what others do only where
 * they tell it that they are done: behind an access that touches it, its thread must do something that others may wait
 * for. What comes behind the last such operation of a thread that ends may be too late. Whether those that wait are of the
 * CTA in question is not looked at. */

/* At one of these operations others may wait for a thread, or see that it came so far. */
static bool tells_others(const struct event *event)
{
    return event->kind == EVENT_BARRIER ? !(event->tags & TAG(COLLECTIVE))
                                        : event->kind == EVENT_WRITE && !(event->tags & TAG(WEAK));
}

/* Of a kernel's thread; what a copy touches is waited for in other ways. */
static bool is_looked_at(const struct builder *b, const struct event *event)
{
    const struct thread *thread = &b->threads.at[event->thread];
    return event_is_memory(event) && thread->launch != NONE && thread->issuer == NONE;
}

/* Width 1: the access falls into shared memory of another CTA. */
static expr_id is_remote(const struct builder *b, const struct graph *g, const struct event *event,
                         const struct addresses *found)
{
    expr_id remote = expr_false(b->exprs);
    for (uint32_t i = 0; i < found->count; i++) {
        const struct mapping *m = graph_mapping(g, found->at[i], event->bytes);
        expr_id here = expr_const(b->exprs, 64, found->at[i]);
        if (m->cta != NONE && m->cta != b->threads.at[event->thread].cta)
            remote = expr_or(b->exprs, remote, expr_eq(b->exprs, event->address, here));
    }
    return remote;
}

/* Width 1: the thread executes an operation behind the event, or in its place, that tells others. */
static expr_id tells_later(const struct builder *b, event_id e)
{
    const struct event *event = &b->events.at[e];
    expr_id told = expr_false(b->exprs);
    for (event_id later = 0; later < b->events.len; later++) {
        const struct event *other = &b->events.at[later];
        if (other->thread == event->thread && other->position >= event->position &&
            tells_others(other))
            told = expr_or(b->exprs, told, other->guard);
    }
    return told;
}

void freeze_outlived(struct builder *b, const struct graph *g, const struct addresses *addresses)
{
    for (event_id e = 0; e < b->events.len; e++) {
        const struct event *event = &b->events.at[e];
        if (!is_looked_at(b, event))
            continue;
        expr_id remote = is_remote(b, g, event, &addresses[e]);
        if (expr_is_false(b->exprs, remote))
            continue;
        expr_id late = expr_and(b->exprs, remote, expr_not(b->exprs, tells_later(b, e)));
        late = expr_and(b->exprs, late, b->ended[event->thread]);
        builder_undefined(b, "dsmem-after-exit",
                          "shared memory of another CTA, which may have exited: behind it nothing "
                          "lets that CTA wait",
                          expr_and(b->exprs, event->guard, late), event->span, event->thread);
    }
}
