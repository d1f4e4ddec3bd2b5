/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/directed.h"

#include <glib.h>
#include <string.h>

enum {
    TURN = 1 << 14,   /* micros of a warp's turn, at most */
    WAITING = 1 << 7, /* back edges without a change of memory: somebody else's turn */
    STILL = 2,        /* turns of each cluster without a change of memory: nothing will change */
};

/* Which clusters have started. */
struct started {
    bool *is;
    uint32_t next; /* all before it have */
};

/* Of the machine, in the cluster that runs; NONE: nobody waits there. */
static uint32_t held_warp(const struct grid_worker *w)
{
    const struct direction *d = w->v.direction;
    bool here = d->holds && !d->reached && d->cluster == d->held.cluster;
    return here ? w->machine->lanes[d->held.lane].warp : NONE;
}

static bool others_can_move(struct grid_worker *w)
{
    uint32_t held = held_warp(w);
    for (uint32_t i = 0; i < w->machine->warp_count; i++)
        if (i != held && run_warp(&w->v.run, i)->running)
            return true;
    return worker_finish_copies(w);
}

/* Should another cluster have its turn, because of what has just happened? */
static bool gives_way(const struct direction *d)
{
    uint32_t wanted = d->reached ? d->held.cluster : d->goal.cluster;
    return d->holds && wanted != d->cluster;
}

/* The warp that has its turn first. */
static uint32_t first_warp(const struct grid_worker *w)
{
    const struct direction *d = w->v.direction;
    bool here = d->goal_first && d->cluster == d->goal.cluster;
    return here ? w->machine->lanes[d->goal.lane].warp : 0;
}

static void run_warps(struct grid_worker *w)
{
    struct vector_engine *v = &w->v;
    uint32_t count = w->machine->warp_count, first = first_warp(w);
    for (uint32_t i = 0; i < count && !v->run.stop && !v->direction->pauses; i++) {
        uint32_t warp = (first + i) % count;
        if (warp != held_warp(w))
            vector_run_warp(v, warp, TURN);
    }
}

/* Turns of the warps until the cluster is over, waits, or gives way. */
static enum cluster_end take_turn(struct grid_worker *w)
{
    struct vector_engine *v = &w->v;
    struct direction *d = v->direction;
    v->idle = 0;
    do {
        run_warps(w);
        if (worker_out_of_bounds(w) || v->run.stop)
            return CLUSTER_STOPPED;
        if (worker_cluster_done(w))
            return CLUSTER_DONE;
        bool paused = d->pauses;
        d->pauses = false;
        if (paused && (d->lost || gives_way(d)))
            return CLUSTER_YIELDS;
        if (!others_can_move(w))
            return held_warp(w) == NONE ? CLUSTER_BLOCKED : CLUSTER_IDLE;
    } while (v->idle < WAITING);
    return worker_finish_copies(w) ? CLUSTER_YIELDS : CLUSTER_IDLE;
}

static void start(struct grid_worker *w, struct started *started, uint32_t cluster)
{
    started->is[cluster] = true;
    w->v.direction->cluster = cluster;
    worker_start_cluster(w, cluster);
}

static void resume(struct grid_worker *w, uint32_t index)
{
    struct parked parked = w->parked.at[index];
    w->parked.len--;
    memmove(w->parked.at + index, w->parked.at + index + 1,
            (w->parked.len - index) * sizeof parked);
    w->v.direction->cluster = parked.index;
    worker_unpark(w, &parked);
}

/* The one that the schedule waits for, or NONE. */
static uint32_t wanted_cluster(const struct direction *d, const struct started *started)
{
    if (d->goal_first && !started->is[d->goal.cluster])
        return d->goal.cluster;
    if (d->reached || (!d->holds && d->starts))
        return d->held.cluster;
    return d->holds ? d->goal.cluster : NONE;
}

/* A parked cluster that could go on, the one that is wanted if it can; NONE: all wait. */
static uint32_t any_parked(const struct grid_worker *w, uint32_t wanted)
{
    uint32_t found = NONE;
    for (uint32_t i = w->parked.len; i-- > 0;) {
        const struct parked *parked = &w->parked.at[i];
        if (parked->index == wanted &&
            (parked->seen != w->v.run.changes || w->v.direction->reached))
            return i;
        found = parked->seen != w->v.run.changes ? i : found;
    }
    return found;
}

/* Are any clusters left to start? */
static bool some_left(const struct grid_worker *w, struct started *started)
{
    while (started->next < w->grid->total && started->is[started->next])
        started->next++;
    return started->next < w->grid->total;
}

/* True: a cluster started, or one goes on that could. */
static bool choose_cluster(struct grid_worker *w, struct started *started)
{
    uint32_t wanted = wanted_cluster(w->v.direction, started);
    if (wanted != NONE && !started->is[wanted]) {
        start(w, started, wanted);
        return true;
    }
    uint32_t parked = any_parked(w, wanted);
    if (some_left(w, started) && (parked == NONE || w->parked.at[parked].index != wanted)) {
        start(w, started, started->next);
        return true;
    }
    resume(w, parked == NONE ? 0 : parked);
    return parked != NONE;
}

void directed_work(struct grid_worker *w)
{
    struct started started = {.is = g_new0(bool, w->grid->total)};
    uint32_t still = 0;
    bool goes_on = true;
    while (goes_on && (some_left(w, &started) || w->parked.len)) {
        uint64_t before = w->v.run.changes;
        bool moves = choose_cluster(w, &started);
        enum cluster_end end = take_turn(w);
        goes_on = end != CLUSTER_STOPPED && end != CLUSTER_BLOCKED && !w->v.direction->done &&
                  !w->v.direction->lost;
        if (end == CLUSTER_YIELDS || end == CLUSTER_IDLE)
            worker_park(w, end == CLUSTER_IDLE);
        else
            race_leave_cluster(w->v.race, w->index);
        findings_keep(&w->findings, w->index);
        still = moves || w->v.run.changes != before || end != CLUSTER_IDLE ? 0 : still + 1;
        goes_on = goes_on && still <= STILL * (w->parked.len + 1);
    }
    worker_drop_parked(w);
    g_free(started.is);
}
