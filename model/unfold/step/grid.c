/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/grid.h"
#include "model/unfold/step/groups.h"

/* grid.sync and griddepcontrol: what model/host needs to know of them for its edges. */

static bool releases(const struct event *fence)
{
    return fence->kind == EVENT_FENCE && fence->inst->fence_kind == FENCE_MEMORY &&
           fence->inst->sem != SEM_ACQUIRE &&
           (fence->scope == SCOPE_GPU || fence->scope == SCOPE_SYS);
}

/* The thread's release fences before griddepcontrol.launch_dependents. */
static void trigger(struct unfold_step *s)
{
    struct builder *b = s->b;
    for (event_id e = 0; e < b->events.len; e++) {
        struct trigger trigger = {e, s->guard};
        if (b->events.at[e].thread == s->run->thread && releases(&b->events.at[e]))
            vec_push(b->arena, &b->triggers, trigger);
    }
}

/* An arrival and a departure, which are later ordered with those of the other threads of the
 * grid. */
static void sync(struct unfold_step *s)
{
    struct builder *b = s->b;
    const struct thread *t = &b->threads.at[s->run->thread];
    if (t->launch == NONE || !b->test->host) {
        step_unsupported(s, "grid.sync belongs into a kernel of a host program");
        return;
    }
    if (!b->test->launches[t->launch].cooperative)
        step_undefined(s, "trap", "grid.sync in a grid that was not launched 'cooperative'",
                       expr_true(b->exprs));
    if (b->options->liveness)
        step_unsupported(s, "whether a program with grid.sync ends is not modelled");
    if (s->guard != b->starts[s->run->thread])
        step_unsupported(s, "grid.sync in a branch is not modelled");
    struct grid_sync sync = {.thread = s->run->thread};
    sync.arrive = step_api_event(s, 0, NULL);
    sync.leave = step_api_event(s, 0, "leaves grid.sync");
    vec_push(b->arena, &b->grid_syncs, sync);
}

/* Outside of host programs griddepcontrol orders nothing: permission to start another grid is no memory
 * edge. */
void step_grid(struct unfold_step *s)
{
    if (s->inst->op == OP_GRID_SYNC)
        sync(s);
    else if (s->b->test->host && s->inst->op == OP_GRIDDEP_WAIT)
        vec_push(s->b->arena, &s->b->grid_waits, step_api_event(s, 0, NULL));
    else if (s->b->test->host)
        trigger(s);
}
