/* SPDX-License-Identifier: MIT */
#include "model/unfold/freeze/freeze.h"

/* Adds the edges between a fence with op_restrict or sync_restrict and the accesses of its thread
 * that it covers (ptx-model.md 3). */

static bool is_shared(const struct builder *b, const struct mapping *m)
{
    enum space space = b->test->locations[m->location].space;
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

/* The address lies in shared memory: of the thread's own CTA, or (cluster) of any. */
static expr_id in_shared(struct builder *b, const struct event *access, bool cluster)
{
    struct expr_pool *exprs = b->exprs;
    uint32_t cta = b->threads.at[access->thread].cta;
    expr_id inside = expr_false(exprs);
    for (uint32_t i = 0; i < b->mapping_count; i++) {
        const struct mapping *m = &b->mappings[i];
        if (!is_shared(b, m) || (!cluster && m->cta != cta))
            continue;
        inside = expr_or(exprs, inside, builder_lies_in(b, access->address, m));
    }
    return inside;
}

static expr_id covers(struct builder *b, const struct event *fence, const struct event *access)
{
    const struct inst *inst = fence->inst;
    if (inst->fence_kind != FENCE_MBARRIER_INIT)
        return in_shared(b, access, inst->space == SPACE_SHARED_CLUSTER);
    if (access->inst->op != OP_MBARRIER_INIT)
        return expr_false(b->exprs);
    return in_shared(b, access, false);
}

static bool is_restricted(const struct event *event, bool release)
{
    if (event->kind != EVENT_FENCE)
        return false;
    enum fence_kind kind = event->inst->fence_kind;
    bool one_way = kind == (release ? FENCE_PROXY_RELEASE : FENCE_PROXY_ACQUIRE);
    if (one_way)
        return event->inst->space != SPACE_GENERIC;
    if (!release)
        return kind == FENCE_RESTRICT_ACQUIRE;
    return kind == FENCE_RESTRICT_RELEASE || kind == FENCE_MBARRIER_INIT;
}

/* Does the access come after the fence: in program order, or because its copy was issued after it?
 */
static bool follows(const struct builder *b, event_id fence, event_id access)
{
    const struct event *f = &b->events.at[fence], *a = &b->events.at[access];
    if (a->thread == f->thread)
        return a->position > f->position;
    if (b->threads.at[a->thread].issuer != f->thread)
        return false;
    for (uint32_t i = 0; i < b->fixed[FIXED_async].len; i++) {
        const struct fixed_edge *edge = &b->fixed[FIXED_async].at[i];
        const struct event *issue = &b->events.at[edge->from];
        if (edge->to == access && issue->thread == f->thread && issue->position > f->position)
            return true;
    }
    return false;
}

static void relate(struct builder *b, event_id fence, event_id access)
{
    const struct event *f = &b->events.at[fence], *a = &b->events.at[access];
    if (!event_is_memory(a) || a->thread == NONE)
        return;
    if (is_restricted(f, true) && a->thread == f->thread && a->position < f->position)
        builder_edge(b, FIXED_restrict_from, access, fence, covers(b, f, a), NULL);
    if (is_restricted(f, false) && follows(b, fence, access))
        builder_edge(b, FIXED_restrict_to, fence, access, covers(b, f, a), NULL);
}

void freeze_restricted(struct builder *b)
{
    for (event_id f = 0; f < b->events.len; f++) {
        if (!is_restricted(&b->events.at[f], true) && !is_restricted(&b->events.at[f], false))
            continue;
        for (event_id a = 0; a < b->events.len; a++)
            relate(b, f, a);
    }
}
