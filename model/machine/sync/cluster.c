/* SPDX-License-Identifier: MIT */
#include "model/machine/sync/cluster.h"

#include "model/machine/sync/barrier.h"
#include "model/machine/sync/collective.h"

/* The barrier of a cluster (lane-semantics section 5.5), and the exit of lanes, which every kind of
 * barrier must hear of. */

static void tell(struct run *run, enum sync_kind kind, uint32_t warp, uint32_t lanes,
                 uint32_t generation)
{
    uint32_t first = run_first(run, warp);
    enum sem sem = run_micro(run, first + lowest(lanes))->inst->sem;
    run_sync(run, warp, lanes,
             (struct sync){.kind = kind, .generation = generation, .relaxed = sem == SEM_RELAXED});
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
    struct warp *w = run_warp(run, warp);
    uint32_t first = run_first(run, warp);
    if (!lanes)
        return;
    w->at_cluster &= ~lanes;
    w->passed &= ~lanes;
    w->running |= lanes;
    tell(run, SYNC_CLUSTER_LEAVE, warp, lanes, w->phases - 1);
    EACH_LANE(p, lanes)
        run_advance(run, first + p);
}

/* The phase completes when every thread that has not exited has arrived. */
static void cluster_retry(struct run *run, uint32_t cluster)
{
    const struct machine *machine = run->machine;
    uint32_t arrived = 0;
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++) {
        const struct warp *warp = run_warp(run, w);
        if (~(warp->arrived | warp->exited))
            return;
        arrived |= warp->arrived & ~warp->exited;
    }
    if (!arrived)
        return;
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++) {
        struct warp *warp = run_warp(run, w);
        warp->passed |= warp->arrived & ~warp->exited;
        warp->arrived = 0;
        warp->phases++;
    }
    for (uint32_t w = first_warp(machine, cluster); w < end_warp(machine, cluster); w++)
        pass(run, w, run_warp(run, w)->at_cluster);
}

static uint32_t cluster_of(const struct run *run, uint32_t warp)
{
    return run->machine->ctas[run->machine->warps[warp].cta].cluster;
}

void cluster_arrive(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = run_warp(run, warp);
    uint32_t first = run_first(run, warp), again = lanes & (w->arrived | w->passed);
    if (again)
        run_report(run, first + lowest(again), REPORT_CLUSTER_DOUBLE_ARRIVE,
                   "a second arrive before the wait for the first");
    tell(run, SYNC_CLUSTER_ARRIVE, warp, lanes, w->phases);
    w->arrived |= lanes & ~w->passed;
    EACH_LANE(p, lanes)
        run_advance(run, first + p);
    cluster_retry(run, cluster_of(run, warp));
}

void cluster_wait(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = run_warp(run, warp);
    uint32_t first = run_first(run, warp);
    uint32_t without = lanes & ~(w->arrived | w->passed);
    EACH_LANE(p, without) {
        run_report(run, first + p, REPORT_CLUSTER_WAIT_WITHOUT_ARRIVE,
                   "no arrive before this wait");
        run_advance(run, first + p);
    }
    uint32_t blocked = lanes & w->arrived;
    w->running &= ~blocked;
    w->at_cluster |= blocked;
    pass(run, warp, lanes & w->passed & ~without);
}

void cluster_exit(struct run *run, uint32_t warp, uint32_t lanes)
{
    struct warp *w = run_warp(run, warp);
    w->running &= ~lanes;
    w->exited |= lanes;
    if (w->gathering)
        collective_retry(run, warp);
    barrier_retry(run, warp);
    if (run->machine->has_clusters)
        cluster_retry(run, cluster_of(run, warp));
}
