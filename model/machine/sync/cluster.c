/* SPDX-License-Identifier: MIT */
#include "model/machine/core/run.h"
#include "model/machine/sync/sync.h"

/* The barrier of a cluster (lane-semantics section 5.5), and the exit of lanes, which every kind of
 * barrier must hear of. */

static void tell(struct run *run, enum sync_kind kind, uint32_t warp, uint32_t lanes,
                 uint32_t generation, const struct micro *micro)
{
    uint32_t list[32], count = 0, first = run->machine->warps[warp].first_lane;
    EACH_LANE(p, lanes)
    {
        list[count++] = first + p;
    }
    uint32_t cta = run->machine->warps[warp].cta;
    const struct sync sync = {.kind = kind,
                              .lanes = list,
                              .lane_count = count,
                              .cta = cta,
                              .micro = micro,
                              .generation = generation,
                              .cluster = run->machine->ctas[cta].cluster,
                              .relaxed = micro && micro->inst && micro->inst->sem == SEM_RELAXED};
    run->memory->ops->sync(run, &sync);
}

static uint32_t first_warp(const struct machine *machine, uint32_t cluster)
{
    return machine->ctas[machine->clusters[cluster].first_cta].first_warp;
}

static uint32_t end_warp(const struct machine *machine, uint32_t cluster)
{
    const struct cluster_place *place = &machine->clusters[cluster];
    const struct cta_place *last = &machine->ctas[place->first_cta + place->ctas - 1];
    return last->first_warp + last->warps;
}

static void pass(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = state_warp(run->machine, run->state, warp);
    uint32_t first = run->machine->warps[warp].first_lane;
    if (!lanes)
        return;
    w->at_cluster &= ~lanes;
    w->passed &= ~lanes;
    w->running |= lanes;
    tell(run, SYNC_CLUSTER_LEAVE, warp, lanes, w->phases - 1,
         lane_micro(run->machine, run->state, first + lowest(lanes)));
    EACH_LANE(p, lanes)
    {
        lane_advance(run, first + p);
    }
}

/* The phase completes when every thread that has not exited has arrived. */
void cluster_retry(struct run *run, uint32_t cluster)
{
    const struct machine *machine = run->machine;
    uint32_t arrived = 0;
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++) {
        const struct warp *warp = state_warp(machine, run->state, w);
        if (~(warp->arrived | warp->exited))
            return;
        arrived |= warp->arrived & ~warp->exited;
    }
    if (!arrived)
        return;
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++) {
        struct warp *warp = state_warp(machine, run->state, w);
        warp->passed |= warp->arrived & ~warp->exited;
        warp->arrived = 0;
        warp->phases++;
    }
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++)
        pass(run, w, state_warp(machine, run->state, w)->at_cluster);
}

static uint32_t cluster_of(const struct run *run, uint32_t warp)
{
    return run->machine->ctas[run->machine->warps[warp].cta].cluster;
}

void cluster_arrive(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = state_warp(run->machine, run->state, warp);
    uint32_t first = run->machine->warps[warp].first_lane, again = lanes & (w->arrived | w->passed);
    if (again)
        run_report(run, first + lowest(again), REPORT_CLUSTER_DOUBLE_ARRIVE,
                   "a second arrive before the wait for the first");
    tell(run, SYNC_CLUSTER_ARRIVE, warp, lanes, w->phases,
         lane_micro(run->machine, run->state, first + lowest(lanes)));
    w->arrived |= lanes & ~w->passed;
    EACH_LANE(p, lanes)
    {
        lane_advance(run, first + p);
    }
    cluster_retry(run, cluster_of(run, warp));
}

void cluster_wait(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = state_warp(run->machine, run->state, warp);
    uint32_t first = run->machine->warps[warp].first_lane;
    uint32_t without = lanes & ~(w->arrived | w->passed);
    EACH_LANE(p, without)
    {
        run_report(run, first + p, REPORT_CLUSTER_WAIT_WITHOUT_ARRIVE,
                   "no arrive before this wait");
        lane_advance(run, first + p);
    }
    uint32_t blocked = lanes & w->arrived;
    w->running &= ~blocked;
    w->at_cluster |= blocked;
    pass(run, warp, lanes & w->passed & ~without);
}

void warp_exit(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = state_warp(run->machine, run->state, warp);
    w->running &= ~lanes;
    w->exited |= lanes;
    tell(run, SYNC_EXIT, warp, lanes, 0, NULL);
    if (w->gathering)
        collective_retry(run, warp);
    barrier_retry(run, warp);
    if (run->machine->has_clusters)
        cluster_retry(run, cluster_of(run, warp));
}
