/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <stddef.h>
#include <string.h>

#include "model/machine/core/place.h"
#include "model/machine/kernel/directed.h"
#include "model/machine/kernel/disturbed.h"
#include "model/machine/kernel/worker.h"
#include "model/machine/race/stale.h"
#include "model/machine/sync/hang.h"

/* What a host thread does with the clusters of a launch. */

/* ---- one cluster --------------------------------------------------------------------------- */

/* It waits for a CTA that has not started: on a full device that one might never start. */
static void note_wait(struct grid_worker *w)
{
    uint32_t started = (uint32_t)g_atomic_int_get(&w->grid->next);
    if (!w->idling.steady || started >= w->grid->total ||
        w->grid->test->launches[w->grid->launch].cooperative)
        return;
    for (uint32_t i = 0; i < w->machine->lane_count; i++)
        if (run_runs(&w->v.run, i)) {
            run_report(&w->v.run, i, REPORT_CROSS_CTA_WAIT,
                       "waits while %u of %u clusters have started", started, w->grid->total);
            return;
        }
}

/* The cluster cannot go on: another one must, if there is any to wait for. */
static void set_aside(struct grid_worker *w)
{
    if (w->grid->helpers) {
        g_atomic_int_set(&w->grid->alone, 1);
        return;
    }
    w->grid->threads = 1;
    note_wait(w);
    worker_park(w, true);
    w->all_steady = w->all_steady && w->idling.steady;
}

/* Those behind a cluster that ends the launch would not have run any more. */
static void end_launch(struct grid_worker *w)
{
    gint last = g_atomic_int_get(&w->grid->last);
    while (w->v.run.stop && !w->bound && (gint)w->index < last &&
           !g_atomic_int_compare_and_exchange(&w->grid->last, last, (gint)w->index))
        last = g_atomic_int_get(&w->grid->last);
    if (w->bound || w->grid->threads == 1)
        g_atomic_int_set(&w->grid->stop, 1);
}

/* Which of them count is known when the launch is over: other host threads may have ended it before. */
static void keep_cost(struct grid_worker *w, uint64_t instructions, uint64_t steps)
{
    struct cluster_cost cost = {w->index, w->v.instructions - instructions, w->v.run.steps - steps};
    if (w->grid->threads > 1)
        vec_push(w->arena, &w->costs, cost);
}

/* Until it is over, one way or the other, or set aside. */
static void continue_cluster(struct grid_worker *w)
{
    uint64_t before = w->v.run.changes, instructions = w->v.instructions, steps = w->v.run.steps;
    enum cluster_end end = worker_run_cluster(w);
    keep_cost(w, instructions, steps);
    w->progress += end == CLUSTER_DONE || w->v.run.changes != before;
    if (end == CLUSTER_IDLE)
        set_aside(w);
    else if (w->v.race)
        race_leave_cluster(w->v.race, w->index);
    w->clusters += end == CLUSTER_DONE;
    if (end == CLUSTER_BLOCKED) {
        hang_explain(&w->v.run, NULL);
        w->hang = true;
    }
    if (end == CLUSTER_STOPPED)
        end_launch(w);
    findings_keep(&w->findings, w->index);
}

/* ---- all clusters of a worker -------------------------------------------------------------- */

/* Goes on with each parked cluster once. */
static void round_of_parked(struct grid_worker *w)
{
    uint32_t count = w->parked.len;
    w->all_steady = true;
    for (uint32_t i = 0; i < count && !g_atomic_int_get(&w->grid->stop); i++) {
        struct parked parked = w->parked.at[0];
        memmove(w->parked.at, w->parked.at + 1, (w->parked.len - 1) * sizeof parked);
        w->parked.len--;
        worker_unpark(w, &parked);
        continue_cluster(w);
    }
}

static void give_up(struct grid_worker *w)
{
    for (uint32_t i = 0; i < w->parked.len && i < 4; i++) {
        worker_unpark(w, &w->parked.at[i]);
        worker_explain_idle(w);
        findings_keep(&w->findings, w->index);
    }
}

/* All clusters are started: those parked go on until they end or nobody moves any more. */
static void finish_parked(struct grid_worker *w)
{
    while (w->parked.len && !g_atomic_int_get(&w->grid->stop)) {
        uint64_t before = w->progress;
        round_of_parked(w);
        if (w->progress == before && w->all_steady) {
            give_up(w);
            break;
        }
    }
    worker_drop_parked(w);
}

/* A run on weak memory in which nothing moves any more: memory is fair in the end, so every load returns the
 * newest value now. Who still waits waits for ever. */
static void finish_weak(struct grid_worker *w)
{
    if (!w->parked.len)
        return;
    race_refresh(w->v.race);
    w->v.disturbance = NULL;
    g_atomic_int_set(&w->grid->next, (gint)w->grid->total); /* all have started */
    finish_parked(w);
}

static bool too_much_parked(const struct grid_worker *w)
{
    uint64_t limit =
        w->grid->options->memory_limit ? w->grid->options->memory_limit : UINT64_C(1) << 30;
    return w->parked.len * (uint64_t)worker_parked_bytes(w) > limit;
}

/* The next cluster, which will not start; there is one host thread. */
static bool cancel_next(struct canceller *canceller, uint32_t *cluster)
{
    struct grid_worker *w =
        (struct grid_worker *)((char *)canceller - offsetof(struct grid_worker, canceller));
    if ((uint32_t)w->grid->next >= w->grid->total)
        return false;
    *cluster = (uint32_t)w->grid->next++;
    w->clusters++;
    return true;
}

/* False: a limit is reached. */
static bool run_next(struct grid_worker *w, uint32_t index)
{
    w->index = index;
    if (worker_is_stopped(w))
        return false;
    worker_start_cluster(w, index);
    continue_cluster(w);
    if (too_much_parked(w)) {
        run_report(&w->v.run, 0, REPORT_MEMORY_BOUND, "%u waiting clusters fill the memory limit",
                   w->parked.len);
        w->bound = true;
        findings_keep(&w->findings, w->index);
        g_atomic_int_set(&w->grid->stop, 1);
    }
    return true;
}

/* How many clusters to take at once: neighbours mostly write memory that lies side by side, which is slow where
 * two host threads do; and few enough that all of them end at about the same time. */
static uint32_t share(const struct grid *grid)
{
    return grid->helpers ? CLAMP(grid->total / (16 * grid->threads), 1, 64) : 1;
}

static void run_in_order(struct grid_worker *w)
{
    struct grid *grid = w->grid;
    for (bool goes_on = true; goes_on;) {
        uint32_t count = share(grid), first = (uint32_t)g_atomic_int_add(&grid->next, (gint)count);
        goes_on = first < grid->total;
        for (uint32_t i = 0; i < count && first + i < grid->total && goes_on; i++)
            goes_on = run_next(w, first + i);
        grid_call_helpers(w);
    }
    finish_parked(w);
}

void worker_work(struct grid_worker *w)
{
    struct grid *grid = w->grid;
    w->canceller.cancel = cancel_next;
    if (!grid->direction && !grid->schedule && grid->threads == 1)
        w->v.run.canceller = &w->canceller;
    if (!grid->direction && !grid->schedule) {
        run_in_order(w);
        return;
    }
    (grid->direction ? directed_work : disturbed_work)(w);
    finish_weak(w);
}
