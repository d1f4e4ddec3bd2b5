/* SPDX-License-Identifier: MIT */
#include "model/machine/kernel/disturbed.h"

#include <glib.h>

#include "model/machine/kernel/turns.h"
#include "model/machine/race/race.h"
#include "model/machine/sync/hang.h"

enum {
    TURN = 1 << 12,   /* micros of a warp's turn, at most */
    WINDOW = 16,      /* clusters on their way at a time, unless they wait for one that is not */
    WAITING = 1 << 8, /* back edges without a change of memory: somebody else's turn */
    LOOKS = 4,        /* turns of each cluster without a change of memory: another one starts */
    LATE = 5,         /* log2 of the last step at which a cluster is delayed */
    STILL = 256,      /* so many of them: nothing will change */
    STILL_LONE = 4,   /* of a cluster that is the only one */
    STILL_WEAK = 16,  /* on weak memory, where the newest values are looked at next */
};

bool disturbed_differs(const struct program *program)
{
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (turns_end_at(&program->micros[i]) && program->micros[i].kind != MICRO_RED)
            return true;
    return false;
}

/* Any order of the clusters is as likely as any other. */
static uint32_t *shuffled(struct arena *arena, struct disturbance *d, uint32_t total)
{
    uint32_t *order = ARENA_ARRAY(arena, uint32_t, total);
    for (uint32_t i = 0; i < total; i++) {
        uint32_t other = turns_draw(d, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

/* The even ones and the first delay clusters and warps at some step of theirs until all others are done
 * with: two threads that do the same seldom get so far apart by chance. The others give turns at
 * random, more or less often. A cluster does its first step where it starts: half of the schedules start them in any
 * order, and of the others each eight begin with another cluster. */
struct disturbance *disturbed_new(struct arena *arena, uint64_t seed, uint32_t index,
                                  uint32_t total)
{
    static const uint8_t rarely[] = {1, 2, 4};
    struct disturbance *d = ARENA_NEW(arena, struct disturbance);
    bool delays = index % 2 == 0 || index == 1;
    schedule_random(&d->random, schedule_seed(seed, index));
    d->backwards = index % 2;
    d->turned = index / 8;
    d->rarely = delays ? 0 : rarely[(index - 3) / 2 % G_N_ELEMENTS(rarely)];
    if (index >= 3 && (index + 1) / 2 % 2 == 0)
        d->order = shuffled(arena, d, total);
    return d;
}

struct chooser *disturbed_chooser(struct disturbance *disturbance)
{
    return &disturbance->random.chooser;
}

/* Some step of the cluster that starts, mostly an early one. */
static uint32_t draw_delay(const struct grid_worker *w)
{
    struct disturbance *d = w->v.disturbance;
    bool delayed = !d->rarely && w->parked.len < WINDOW && (d->lone || turns_draw(d, 4));
    return delayed ? 1 + turns_draw(d, 2u << turns_draw(d, LATE)) : 0;
}

/* One that can move, if any can. */
static uint32_t any_warp(const struct grid_worker *w)
{
    struct disturbance *d = w->v.disturbance;
    uint32_t count = w->machine->warp_count, warp = turns_draw(d, count);
    for (uint32_t i = 0; i < count; i++, warp = warp + 1 == count ? 0 : warp + 1)
        if (run_warp(&w->v.run, warp)->running && warp != d->held)
            return warp;
    warp = d->held == NONE ? warp : d->held;
    d->held = NONE;
    return warp;
}

/* Turns of warps until the cluster is over, cannot move, or gives way. */
static enum cluster_end take_turn(struct grid_worker *w)
{
    struct vector_engine *v = &w->v;
    struct disturbance *d = v->disturbance;
    v->idle = 0;
    d->gives_way = false;
    do {
        d->yields = false;
        vector_run_warp(v, any_warp(w), TURN);
        if (worker_out_of_bounds(w) || v->run.stop || worker_is_stopped(w))
            return CLUSTER_STOPPED;
        if (worker_cluster_done(w))
            return CLUSTER_DONE;
        if (!worker_can_move(w))
            return CLUSTER_BLOCKED;
    } while (!d->gives_way && v->idle < WAITING);
    return d->gives_way || worker_finish_copies(w) ? CLUSTER_YIELDS : CLUSTER_IDLE;
}

/* One that can go on, if any can. */
static uint32_t any_parked(const struct grid_worker *w)
{
    uint32_t count = w->parked.len, first = turns_draw(w->v.disturbance, count);
    for (uint32_t i = 0; i < count; i++)
        if (w->parked.at[(first + i) % count].seen != w->v.run.changes)
            return (first + i) % count;
    return first;
}

/* The cluster that starts behind 'index' others. On weak memory loads return old values where others begin with another
 * one. */
static uint32_t in_order(const struct grid_worker *w, uint32_t index)
{
    const struct disturbance *d = w->v.disturbance;
    uint64_t total = w->grid->total, by = w->v.weak ? 0 : d->turned * (total / 8 + 1);
    if (d->order)
        return d->order[index];
    uint32_t turned = (uint32_t)((index + by) % total);
    return d->backwards ? (uint32_t)total - 1 - turned : turned;
}

/* The one to start after 'started' others, or one that is on its way. */
static void choose_cluster(struct grid_worker *w, uint32_t *started, bool start)
{
    struct disturbance *d = w->v.disturbance;
    d->held = NONE;
    d->delay = start ? draw_delay(w) : 0;
    if (start) {
        worker_start_cluster(w, in_order(w, (*started)++));
        return;
    }
    uint32_t chosen = any_parked(w);
    struct parked parked = w->parked.at[chosen];
    w->parked.at[chosen] = w->parked.at[--w->parked.len];
    worker_unpark(w, &parked);
}

/* Does a cluster start? With delays all start before any goes on, unless they wait for one. */
static bool starts(const struct grid_worker *w, uint32_t started, bool stuck)
{
    struct disturbance *d = w->v.disturbance;
    bool room = w->parked.len < WINDOW;
    if (started == w->grid->total)
        return false;
    return stuck || !w->parked.len || (room && (!d->rarely || !turns_draw(d, d->rarely)));
}

/* False: the launch ends here. */
static bool end_turn(struct grid_worker *w, enum cluster_end end)
{
    if (end == CLUSTER_YIELDS || end == CLUSTER_IDLE) {
        worker_park(w, end == CLUSTER_IDLE);
        return true;
    }
    if (end == CLUSTER_BLOCKED && w->v.weak) {
        hang_explain(&w->v.run, NULL);
        w->hang = true;
    }
    race_leave_cluster(w->v.race, w->index);
    w->clusters += end == CLUSTER_DONE;
    return end == CLUSTER_DONE;
}

void disturbed_work(struct grid_worker *w)
{
    uint32_t started = 0, still = 0, total = w->grid->total;
    uint32_t most_still = total == 1 ? STILL_LONE : w->v.weak ? STILL_WEAK : STILL;
    bool goes_on = true;
    w->v.disturbance->lone = total == 1;
    while (goes_on && (started < total || w->parked.len)) {
        uint32_t rounds = still / (w->parked.len + 1);
        if (rounds > most_still)
            break;
        bool start = starts(w, started, rounds > LOOKS);
        uint64_t before = w->v.run.changes;
        choose_cluster(w, &started, start);
        enum cluster_end end = take_turn(w);
        still = start || end == CLUSTER_DONE || w->v.run.changes != before ? 0 : still + 1;
        goes_on = end_turn(w, end);
        findings_keep(&w->findings, w->index);
    }
    if (!goes_on || !w->v.weak)
        worker_drop_parked(w);
}
