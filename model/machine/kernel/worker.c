/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/worker.h"

#include <string.h>

#include "model/machine/race/race.h"
#include "model/machine/setup/setup.h"
#include "model/machine/sync/copy.h"
#include "model/machine/sync/hang.h"

/* How many micros a warp executes before the next one has its turn. */
enum { TURN = 1 << 16 };

bool worker_cluster_done(const struct grid_worker *w)
{
    return run_warps_exited(&w->v.run, 0, w->machine->warp_count);
}

static bool cluster_runnable(const struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->machine->warp_count; i++)
        if (run_warp(&w->v.run, i)->running)
            return true;
    return false;
}

bool worker_finish_copies(struct grid_worker *w)
{
    bool any = false;
    for (uint32_t lane = 0; w->machine->copies && lane < w->machine->lane_count; lane++)
        EACH_COPY(i, &w->v.run, lane)
            any |= copy_perform(&w->v.run, lane, i);
    return any;
}

bool worker_can_move(struct grid_worker *w)
{
    return cluster_runnable(w) || worker_finish_copies(w);
}

bool worker_is_stopped(const struct grid_worker *w)
{
    const struct grid *grid = w->grid;
    return g_atomic_int_get(&grid->stop) || w->index > (uint32_t)g_atomic_int_get(&grid->last) ||
           g_atomic_int_get(&grid->alone);
}

bool worker_out_of_bounds(struct grid_worker *w)
{
    const struct grid *grid = w->grid;
    bool late = grid->deadline && g_get_monotonic_time() > grid->deadline;
    bool steps = w->v.run.steps > w->machine->options.max_steps;
    if (late)
        run_report(&w->v.run, 0, REPORT_TIME_BOUND, "%.6g s are over", grid->options->seconds);
    else if (steps)
        run_report(&w->v.run, 0, REPORT_STEP_BOUND, "%llu steps done",
                   (unsigned long long)w->v.run.steps);
    w->bound = w->bound || late || steps;
    return late || steps;
}

enum cluster_end worker_run_cluster(struct grid_worker *w)
{
    struct vector_engine *v = &w->v;
    idle_start(&w->idling, v);
    while (!worker_cluster_done(w)) {
        for (uint32_t i = 0; i < w->machine->warp_count && !v->run.stop; i++)
            vector_run_warp(v, i, TURN);
        if (worker_out_of_bounds(w) || v->run.stop || worker_is_stopped(w))
            return CLUSTER_STOPPED;
        if (!worker_cluster_done(w) && !worker_can_move(w))
            return CLUSTER_BLOCKED;
        if (idle_long(v) && !worker_finish_copies(w) && idle_gives_way(&w->idling, v) &&
            (w->grid->threads == 1 || w->idling.steady))
            return CLUSTER_IDLE;
    }
    worker_finish_copies(w);
    return CLUSTER_DONE;
}

static void enter_cluster(struct grid_worker *w, uint32_t index)
{
    w->index = index;
    memset(w->v.turns, 0, w->machine->warp_count * sizeof *w->v.turns);
    if (w->v.race)
        race_enter_cluster(w->v.race, index);
}

void worker_start_cluster(struct grid_worker *w, uint32_t index)
{
    machine_move_cluster(w->machine, index);
    machine_start(w->machine, w->v.run.state);
    memory_sc_forget_shared(w->v.memory);
    w->v.run.clock = -w->v.run.steps;
    enter_cluster(w, index);
}

/* What differs from cluster to cluster, to where it is kept or 'back'. */
static void move_cluster(struct grid_worker *w, uint8_t *kept, bool back)
{
    const struct machine *machine = w->machine;
    void *const parts[] = {w->v.run.state, w->v.memory->bytes, w->v.memory->written};
    const size_t sizes[] = {machine->state_bytes, machine->shared_bytes, machine->shared_bytes};
    for (uint32_t i = 0; i < 3; kept += sizes[i++])
        if (sizes[i])
            memcpy(back ? parts[i] : kept, back ? kept : parts[i], sizes[i]);
}

size_t worker_parked_bytes(const struct grid_worker *w)
{
    return w->machine->state_bytes + 2 * (size_t)w->machine->shared_bytes;
}

void worker_park(struct grid_worker *w, bool waits)
{
    struct parked parked = {.index = w->index,
                            .clock = w->v.run.steps + w->v.run.clock,
                            .seen = waits ? w->v.run.changes : UINT64_MAX,
                            .bytes = g_malloc(worker_parked_bytes(w))};
    move_cluster(w, parked.bytes, false);
    vec_push(w->arena, &w->parked, parked);
}

void worker_unpark(struct grid_worker *w, struct parked *parked)
{
    machine_move_cluster(w->machine, parked->index);
    move_cluster(w, parked->bytes, true);
    g_clear_pointer(&parked->bytes, g_free);
    w->v.run.clock = parked->clock - w->v.run.steps;
    enter_cluster(w, parked->index);
}

/* Every lane still running goes round a loop that nobody will end. */
void worker_explain_idle(struct grid_worker *w)
{
    bool *spinning = ARENA_ARRAY(w->arena, bool, w->machine->lane_count);
    for (uint32_t i = 0; i < w->machine->lane_count; i++)
        spinning[i] = run_runs(&w->v.run, i);
    hang_explain(&w->v.run, spinning);
    w->hang = true;
}

void worker_drop_parked(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len; i++)
        g_free(w->parked.at[i].bytes);
    w->parked.len = 0;
}
