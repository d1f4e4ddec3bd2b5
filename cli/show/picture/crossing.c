/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/crossing.h"

#include "cli/show/picture/timeline.h"
#include "model/machine/core/run.h"

static struct crossing *crossing_of(struct timeline *t, const struct sync *sync)
{
    bool cluster = sync->kind == SYNC_CLUSTER_ARRIVE || sync->kind == SYNC_CLUSTER_LEAVE;
    const struct crossing wanted = {.kind = cluster ? SYNC_CLUSTER_LEAVE : SYNC_BARRIER_LEAVE,
                                    .place = cluster ? sync->cluster : sync->cta,
                                    .id = cluster ? 0 : sync->id,
                                    .generation = sync->generation};
    for (uint32_t i = 0; i < t->crossings.items.len; i++) {
        struct crossing *m = &t->crossings.items.at[i];
        if (m->kind == wanted.kind && m->place == wanted.place && m->id == wanted.id &&
            m->generation == wanted.generation)
            return m;
    }
    vec_push(t->arena, &t->crossings.items, wanted);
    return &t->crossings.items.at[t->crossings.items.len - 1];
}

/* The step that is being executed was recorded before. */
static void note(struct timeline *t, const struct sync *sync)
{
    struct crossing *m = crossing_of(t, sync);
    bool leaves = sync->kind == SYNC_BARRIER_LEAVE || sync->kind == SYNC_CLUSTER_LEAVE;
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        if (leaves)
            vec_push(t->arena, &m->left, sync->lanes[i]);
        else
            vec_push(t->arena, &m->arrived, sync->lanes[i]);
    }
    if (!leaves && t->steps.len)
        m->row = t->steps.len - 1;
}

static void hear_sync(struct run *run, const struct sync *sync)
{
    const struct listener *listener = (const struct listener *)run->memory->ops;
    bool met = sync->kind == SYNC_BARRIER_ARRIVE || sync->kind == SYNC_BARRIER_LEAVE ||
               sync->kind == SYNC_CLUSTER_ARRIVE || sync->kind == SYNC_CLUSTER_LEAVE;
    if (met && run->tracer)
        note(listener->timeline, sync);
    listener->real->sync(run, sync);
}

/* The second line of the step, which such an instruction has not. */
static void hear_mbarrier(struct run *run, uint32_t lane, const struct memory_access *at,
                          const struct mbarrier_order *order,
                          bool (*update)(void *context, uint64_t *word), void *context)
{
    const struct listener *listener = (const struct listener *)run->memory->ops;
    struct timeline *t = listener->timeline;
    listener->real->mbarrier(run, lane, at, order, update, context);
    if (!run->tracer || !t->steps.len || t->steps.at[t->steps.len - 1].lane != lane)
        return;
    const char *says = order->passed
                           ? *order->passed ? "the phase is complete" : "the phase is not complete"
                       : *order->completed ? "completes the phase"
                                           : NULL;
    struct timeline_step *step = &t->steps.at[t->steps.len - 1];
    if (says)
        step->text = arena_printf(t->arena, "%s\n%s", step->text, says);
}

void listener_attach(struct listener *listener, struct timeline *timeline, struct run *run)
{
    *listener =
        (struct listener){.ops = *run->memory->ops, .real = run->memory->ops, .timeline = timeline};
    listener->ops.sync = hear_sync;
    listener->ops.mbarrier = hear_mbarrier;
    run->memory->ops = &listener->ops;
}

void listener_detach(const struct listener *listener, struct run *run)
{
    run->memory->ops = listener->real;
}
