/* SPDX-License-Identifier: MIT */
#include "model/machine/race/private.h"

/* How warp syncs and barriers pass on what threads know. */

static void set(struct clock **to, struct clock *clock)
{
    clock_unref(*to);
    *to = clock;
}

void race_forget_sum(struct race_detector *race)
{
    set(&race->sum.of, NULL);
    set(&race->sum.and, NULL);
    set(&race->sum.is, NULL);
}

void race_learn(struct race_detector *race, struct thread_clock *thread, struct clock *news)
{
    struct sum *last = &race->sum;
    if (!news || thread->known == news)
        return;
    if (last->of != thread->known || last->and != news) {
        race_forget_sum(race);
        *last = (struct sum){clock_ref(thread->known), clock_ref(news),
                             clock_join(thread->known, news)};
    }
    set(&thread->known, clock_ref(last->is));
}

/* All a lane knows, itself included, as others would learn it. New reference. */
struct clock *race_snapshot(struct race_detector *race, uint32_t lane)
{
    const struct thread_clock *thread = &race->now->threads[lane];
    struct clock_entry entries[3] = {
        {CLOCK_THREAD(race_thread_number(race, lane)), race->time},
        {CLOCK_WARP(race_warp_number(race, lane)), thread->warp},
        {CLOCK_CTA(race->first_cta + race->machine->lanes[lane].cta), thread->cta}};
    race->time++;
    return clock_with(thread->known, entries, 3);
}

/* ---- warp syncs and barriers --------------------------------------------------------------- */

static void forget_gathering(struct gathering *gathering)
{
    clock_unref(gathering->clock);
    proxied_clear(&gathering->proxied);
    *gathering = (struct gathering){0};
}

/* Joins what the lane knows to what the others at the barrier know, and notes that it came. */
static void gather(struct race_detector *race, struct gathering *g, uint32_t first_warp,
                   uint32_t lane)
{
    const struct lane_place *place = &race->machine->lanes[lane];
    const struct thread_clock *thread = &race->now->threads[lane];
    uint32_t bit = 1u << place->lane, warp = place->warp - first_warp;
    if (warp < 32 && !(g->warps[warp] & bit)) {
        g->warps[warp] |= bit;
        g->times[warp] = race->time;
        g->count++;
    }
    if (thread->known != g->clock)
        set(&g->clock, clock_join(thread->known, g->clock));
    proxied_add(&g->proxied, &thread->proxied);
    g->cta = thread->cta > g->cta ? thread->cta : g->cta;
}

/* Entries of every lane gathered, and what they knew of their CTA, in key order. */
static struct clock *gathered_clock(struct race_detector *race, const struct gathering *g,
                                    uint32_t first_warp, uint32_t cta)
{
    struct clock_entry *entries = g_new(struct clock_entry, g->count + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < 32; w++)
        EACH_LANE(p, g->warps[w]) {
            uint64_t thread = (uint64_t)(race->first_warp + first_warp + w) * 32 + p;
            entries[count++] = (struct clock_entry){CLOCK_THREAD(thread), g->times[w]};
        }
    entries[count++] = (struct clock_entry){CLOCK_CTA(cta), g->cta};
    struct clock *clock = clock_with(g->clock, entries, count);
    g_free(entries);
    return clock;
}

/* Those who met know what all that were gathered knew, and, unless somebody of the warp or CTA was
 * missing ('all'), everything that happened there. Returns the time of the meeting. */
static uint32_t meet(struct race_detector *race, const struct sync *sync, const struct gathering *g,
                     bool all, uint32_t first_warp)
{
    uint32_t cta = race->first_cta + sync->cta;
    uint32_t now = race->time++;
    struct clock *clock = all ? clock_ref(g->clock) : gathered_clock(race, g, first_warp, cta);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        struct thread_clock *thread = &race->now->threads[sync->lanes[i]];
        if (thread->known != clock)
            race_learn(race, thread, clock);
        proxied_add(&thread->proxied, &g->proxied);
    }
    clock_unref(clock);
    return now;
}

/* When every thread of the CTA took part, the time of the barrier stands for all that any of them
 * did before it. */
static void leave_barrier(struct race_detector *race, const struct sync *sync, struct gathering *g)
{
    const struct cta_place *cta = &race->machine->ctas[sync->cta];
    /* those of an arrive have gone on meanwhile */
    bool all = g->count == sync->lane_count && cta->warps <= 32;
    for (uint32_t w = 0; all && w < cta->warps; w++)
        all = g->warps[w] == race->machine->warps[cta->first_warp + w].present;
    uint32_t now = meet(race, sync, g, all, cta->first_warp);
    for (uint32_t i = 0; all && i < sync->lane_count; i++)
        race->now->threads[sync->lanes[i]].cta = now;
    forget_gathering(g);
}

/* As at a barrier of the CTA: when the whole warp took part, one time stands for all that its lanes
 * did. */
static void sync_warp(struct race_detector *race, const struct sync *sync)
{
    uint32_t warp = race->machine->lanes[sync->lanes[0]].warp;
    struct gathering g = {0};
    for (uint32_t i = 0; i < sync->lane_count; i++)
        gather(race, &g, warp, sync->lanes[i]);
    bool all = g.warps[0] == race->machine->warps[warp].present;
    uint32_t now = meet(race, sync, &g, all, warp);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        struct thread_clock *thread = &race->now->threads[sync->lanes[i]];
        thread->warp = all ? now : thread->warp;
        thread->cta = g.cta > thread->cta ? g.cta : thread->cta;
    }
    forget_gathering(&g);
}

/* ---- cluster barriers ---------------------------------------------------------------------- */

/* No lane can be two phases ahead of another one. */
static struct phase *phase_of(struct race_detector *race, const struct sync *sync)
{
    struct phase *phase = &race->now->phases[2 * sync->cluster + sync->generation % 2];
    if (phase->generation != sync->generation) {
        set(&phase->clock, NULL);
        proxied_clear(&phase->proxied);
    }
    phase->generation = sync->generation;
    return phase;
}

/* A relaxed arrival publishes what release fences before it allow (barrier.cluster, 9.7.15). */
static void arrive_cluster(struct race_detector *race, const struct sync *sync)
{
    struct phase *phase = phase_of(race, sync);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        const struct heads *fenced = &race->now->threads[sync->lanes[i]].fenced;
        struct clock *own = sync->relaxed ? NULL : race_snapshot(race, sync->lanes[i]);
        clock_add(&phase->clock, own);
        proxied_add(&phase->proxied, &race->now->threads[sync->lanes[i]].proxied);
        clock_unref(own);
        for (uint32_t k = 0; sync->relaxed && k < fenced->count; k++)
            if (fenced->at[k].scope >= SCOPE_CLUSTER)
                set(&phase->clock, clock_join(fenced->at[k].clock, phase->clock));
    }
}

static void leave_cluster(struct race_detector *race, const struct sync *sync)
{
    const struct phase *phase = phase_of(race, sync);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        race_learn(race, &race->now->threads[sync->lanes[i]], phase->clock);
        proxied_add(&race->now->threads[sync->lanes[i]].proxied, &phase->proxied);
    }
}

void race_sync(struct race_detector *race, const struct sync *sync)
{
    if (race_predictor(race))
        race_sync(race_predictor(race), sync);
    struct gathering *barrier = NULL;
    if (sync->kind == SYNC_BARRIER_ARRIVE || sync->kind == SYNC_BARRIER_LEAVE)
        barrier = &race->now->barriers[sync->cta * BARRIERS + sync->id];
    switch (sync->kind) {
    case SYNC_WARP:
        sync_warp(race, sync);
        break;
    case SYNC_BARRIER_ARRIVE:
        for (uint32_t i = 0; i < sync->lane_count; i++)
            gather(race, barrier, race->machine->ctas[sync->cta].first_warp, sync->lanes[i]);
        race->time++;
        break;
    case SYNC_BARRIER_LEAVE:
        leave_barrier(race, sync, barrier);
        break;
    case SYNC_CLUSTER_ARRIVE:
        arrive_cluster(race, sync);
        break;
    case SYNC_CLUSTER_LEAVE:
        leave_cluster(race, sync);
        break;
    case SYNC_GRID:
    case SYNC_PUBLISH:
    case SYNC_HANDOVER:
        for (uint32_t i = 1; i < sync->lane_count; i++) {
            struct clock *news = race_snapshot(race, sync->lanes[i]);
            race_learn(race, &race->now->threads[sync->lanes[0]], news);
            clock_unref(news);
        }
        break;
    }
}
