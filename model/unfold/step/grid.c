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

/* griddepcontrol.launch_dependents, with the thread's release fences before it. */
static void trigger(struct unfold_step *s)
{
    struct builder *b = s->b;
    VEC(event_id) fences = {0};
    for (event_id e = 0; e < b->events.len; e++)
        if (b->events.at[e].thread == s->run->thread && releases(&b->events.at[e]))
            vec_push(b->arena, &fences, e);
    struct trigger trigger = {.thread = s->run->thread,
                              .event = step_api_event(s, 0, NULL),
                              .guard = s->guard,
                              .fences = fences.at,
                              .fence_count = fences.len};
    vec_push(b->arena, &b->triggers, trigger);
}

/* griddepcontrol.wait. For liveness: the thread goes on when the kernels before have ended. */
static void wait_for_kernels(struct unfold_step *s)
{
    struct builder *b = s->b;
    struct grid_wait wait = {.guard = s->guard};
    if (b->options->liveness) {
        expr_id over = builder_delayed(b, 1, &wait.over);
        s->guard = s->state->guard = expr_and(b->exprs, s->state->guard, over);
    }
    wait.event = step_api_event(s, 0, NULL);
    vec_push(b->arena, &b->grid_waits, wait);
}

/* The thread's guard if it took no branch since its start or its last grid.sync. */
static expr_id straight_guard(const struct builder *b, uint32_t thread)
{
    for (uint32_t i = b->grid_syncs.len; i-- > 0;)
        if (b->grid_syncs.at[i].thread == thread)
            return b->grid_syncs.at[i].after;
    return b->starts[thread];
}

/* For liveness: the thread goes on when the whole grid has arrived. */
static void wait_for_grid(struct unfold_step *s, struct grid_sync *sync)
{
    struct builder *b = s->b;
    expr_id passed = builder_delayed(b, 1, &sync->passed);
    struct spin stays = {.thread = s->run->thread, .waits = true, .span = s->inst->span};
    stays.begins = s->guard;
    stays.writes = expr_false(b->exprs);
    stays.condition = expr_and(b->exprs, s->guard, expr_not(b->exprs, passed));
    vec_push(b->arena, &b->spins, stays);
    s->guard = s->state->guard = expr_and(b->exprs, s->state->guard, passed);
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
    if (s->guard != straight_guard(b, s->run->thread))
        step_unsupported(s, "grid.sync in a branch is not modelled");
    struct grid_sync sync = {.thread = s->run->thread, .guard = s->guard};
    sync.span = s->inst->span;
    sync.arrive = step_api_event(s, 0, NULL);
    if (b->options->liveness)
        wait_for_grid(s, &sync);
    sync.after = s->guard;
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
        wait_for_kernels(s);
    else if (s->b->test->host)
        trigger(s);
}
