/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/race_private.h"
#include "model/machine/run.h"

static uint32_t warp_number(const struct race *race, uint32_t lane)
{
    return race->first_warp + race->machine->lanes[lane].warp;
}

static uint64_t thread_number(const struct race *race, uint32_t lane)
{
    return (uint64_t)warp_number(race, lane) * 32 + race->machine->lanes[lane].lane;
}

static uint32_t cta_number(const struct race *race, uint32_t lane)
{
    return race->first_cta + race->machine->lanes[lane].cta;
}

static uint32_t cluster_number(const struct race *race, uint32_t lane)
{
    return race->first_cta + race->machine->clusters[race->machine->lanes[lane].cluster].first_cta;
}

static void learn(struct thread_clock *thread, struct clock *news)
{
    struct clock *joined = clock_join(thread->known, news);
    clock_unref(thread->known);
    thread->known = joined;
}

static void set(struct clock **to, struct clock *clock)
{
    clock_unref(*to);
    *to = clock;
}

/* All a lane knows, itself included, as others would learn it. New reference. */
static struct clock *snapshot(struct race *race, uint32_t lane)
{
    const struct thread_clock *thread = &race->now.threads[lane];
    struct clock_entry entries[3] = {{CLOCK_THREAD(thread_number(race, lane)), race->time},
                                     {CLOCK_WARP(warp_number(race, lane)), thread->warp},
                                     {CLOCK_CTA(cta_number(race, lane)), thread->cta}};
    race->time++;
    return clock_with(thread->known, entries, 3);
}

/* ---- warp syncs and barriers --------------------------------------------------------------- */

void race_forget_gathering(struct gathering *gathering)
{
    clock_unref(gathering->clock);
    *gathering = (struct gathering){0};
}

static void gather(struct race *race, struct gathering *g, uint32_t first_warp, uint32_t lane)
{
    const struct lane_place *place = &race->machine->lanes[lane];
    const struct thread_clock *thread = &race->now.threads[lane];
    uint32_t bit = 1u << place->lane, warp = place->warp - first_warp;
    if (warp < 32 && !(g->warps[warp] & bit)) {
        g->warps[warp] |= bit;
        g->times[warp] = race->time;
        g->count++;
    }
    if (thread->known != g->clock)
        set(&g->clock, clock_join(thread->known, g->clock));
    g->cta = thread->cta > g->cta ? thread->cta : g->cta;
}

/* Entries of every lane gathered, and what they knew of their CTA, in key order. */
static struct clock *gathered_clock(struct race *race, const struct gathering *g,
                                    uint32_t first_warp, uint32_t cta)
{
    struct clock_entry *entries = g_new(struct clock_entry, g->count + 1);
    uint32_t count = 0;
    for (uint32_t w = 0; w < 32; w++)
        EACH_LANE(p, g->warps[w])
        {
            uint64_t thread = (uint64_t)(race->first_warp + first_warp + w) * 32 + p;
            entries[count++] = (struct clock_entry){CLOCK_THREAD(thread), g->times[w]};
        }
    entries[count++] = (struct clock_entry){CLOCK_CTA(cta), g->cta};
    struct clock *clock = clock_with(g->clock, entries, count);
    g_free(entries);
    return clock;
}

static uint32_t present_lanes(const struct machine *machine, uint32_t first_warp, uint32_t warps)
{
    uint32_t count = 0;
    for (uint32_t w = first_warp; w < first_warp + warps; w++)
        count += (uint32_t)__builtin_popcount(machine->warps[w].present);
    return count;
}

/* The completion: who leaves knows all arrivals. When nobody was missing, that is all of the CTA.
 */
static void leave_barrier(struct race *race, const struct sync *sync, struct gathering *g)
{
    const struct cta_place *cta = &race->machine->ctas[sync->cta];
    bool all = g->count == present_lanes(race->machine, cta->first_warp, cta->warps) &&
               g->count == sync->lane_count; /* those of an arrive have gone on meanwhile */
    uint32_t now = race->time++;
    struct clock *clock =
        all ? clock_ref(g->clock)
            : gathered_clock(race, g, cta->first_warp, race->first_cta + sync->cta);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        struct thread_clock *thread = &race->now.threads[sync->lanes[i]];
        if (all)
            thread->cta = now;
        if (thread->known != clock)
            learn(thread, clock);
    }
    clock_unref(clock);
    race_forget_gathering(g);
}

static void sync_warp(struct race *race, const struct sync *sync)
{
    uint32_t warp = race->machine->lanes[sync->lanes[0]].warp;
    struct gathering g = {0};
    for (uint32_t i = 0; i < sync->lane_count; i++)
        gather(race, &g, warp, sync->lanes[i]);
    bool all = g.warps[0] == race->machine->warps[warp].present;
    uint32_t now = race->time++;
    struct clock *clock =
        all ? clock_ref(g.clock) : gathered_clock(race, &g, warp, cta_number(race, sync->lanes[0]));
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        struct thread_clock *thread = &race->now.threads[sync->lanes[i]];
        if (all)
            thread->warp = now;
        thread->cta = g.cta > thread->cta ? g.cta : thread->cta;
        if (thread->known != clock)
            learn(thread, clock);
    }
    clock_unref(clock);
    clock_unref(g.clock);
}

static uint32_t cluster_first_warp(const struct race *race, uint32_t cluster)
{
    return race->machine->ctas[race->machine->clusters[cluster].first_cta].first_warp;
}

/* Arrivals publish one by one: a cluster's barrier is rare enough for that. */
static void arrive_cluster(struct race *race, const struct sync *sync)
{
    struct gathering *now = &race->now.clusters[2 * sync->cluster], *before = now + 1;
    uint32_t first = cluster_first_warp(race, sync->cluster);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        const struct lane_place *place = &race->machine->lanes[sync->lanes[i]];
        if ((place->warp - first) < 32 && now->warps[place->warp - first] >> place->lane & 1) {
            race_forget_gathering(before); /* its second arrival: the phase is over */
            *before = *now;
            *now = (struct gathering){0};
        }
        struct clock *own = sync->relaxed ? NULL : snapshot(race, sync->lanes[i]);
        gather(race, now, first, sync->lanes[i]);
        set(&now->clock, clock_join(own, now->clock));
        clock_unref(own);
    }
}

static void leave_cluster(struct race *race, const struct sync *sync)
{
    struct gathering *now = &race->now.clusters[2 * sync->cluster];
    uint32_t first = cluster_first_warp(race, sync->cluster);
    for (uint32_t i = 0; i < sync->lane_count; i++) {
        const struct lane_place *place = &race->machine->lanes[sync->lanes[i]];
        bool in_now =
            place->warp - first < 32 && now->warps[place->warp - first] >> place->lane & 1;
        learn(&race->now.threads[sync->lanes[i]], in_now ? now->clock : now[1].clock);
    }
}

void race_sync(struct race *race, const struct sync *sync)
{
    struct gathering *barrier = NULL;
    if (sync->kind == SYNC_BARRIER_ARRIVE || sync->kind == SYNC_BARRIER_LEAVE)
        barrier = &race->now.barriers[sync->cta * BARRIERS + sync->id];
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
    case SYNC_HANDOVER:
        for (uint32_t i = 1; i < sync->lane_count; i++) {
            struct clock *news = snapshot(race, sync->lanes[i]);
            learn(&race->now.threads[sync->lanes[0]], news);
            clock_unref(news);
        }
        break;
    default:
        break;
    }
}

/* ---- release and acquire ------------------------------------------------------------------- */

static bool includes(const struct race *race, uint32_t scope, uint32_t lane, uint32_t cta,
                     uint32_t cluster)
{
    return scope >= SCOPE_GPU ||
           (scope == SCOPE_CLUSTER && cluster_number(race, lane) == cluster) ||
           cta_number(race, lane) == cta;
}

/* What the variable holds for this lane, or NULL. */
static struct clock *readable(const struct race *race, const struct variable *variable,
                              uint32_t lane, uint32_t scope)
{
    if (!variable || !includes(race, scope, lane, variable->cta, variable->cluster) ||
        !includes(race, variable->scope, lane, variable->cta, variable->cluster))
        return NULL;
    return variable->clock;
}

static struct variable *variable_at(struct race *race, uint32_t memory)
{
    gpointer key = GUINT_TO_POINTER(memory + 1);
    struct variable *variable = g_hash_table_lookup(race->variables, key);
    if (!variable) {
        variable = g_new0(struct variable, 1);
        g_hash_table_insert(race->variables, key, variable);
    }
    return variable;
}

static void acquire(struct race *race, uint32_t lane, const struct micro *micro, uint32_t memory,
                    uint32_t scope)
{
    struct thread_clock *thread = &race->now.threads[lane];
    const struct variable *variable =
        g_hash_table_lookup(race->variables, GUINT_TO_POINTER(memory + 1));
    struct clock *news = readable(race, variable, lane, scope);
    enum sem sem = micro->inst->sem;
    if (!news || micro->kind == MICRO_RED)
        return;
    if (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL || sem == SEM_SC)
        learn(thread, news);
    else
        set(&thread->pending, clock_join(news, thread->pending));
}

/* A strong write publishes what its release, or a fence before it, allows; a read-modify-write adds
 * to what was there, another write replaces it. */
static void release(struct race *race, uint32_t lane, const struct micro *micro, uint32_t memory,
                    uint32_t scope)
{
    struct thread_clock *thread = &race->now.threads[lane];
    enum sem sem = micro->inst->sem;
    bool releases = sem == SEM_RELEASE || sem == SEM_ACQ_REL || sem == SEM_SC;
    bool exchange = micro->kind == MICRO_ATOM || micro->kind == MICRO_RED;
    struct clock *own = releases ? snapshot(race, lane) : clock_ref(thread->fenced);
    struct variable *variable =
        own ? variable_at(race, memory)
            : g_hash_table_lookup(race->variables, GUINT_TO_POINTER(memory + 1));
    if (!variable)
        return;
    struct clock *kept = exchange ? readable(race, variable, lane, scope) : NULL;
    set(&variable->clock, clock_join(own, kept));
    clock_unref(own);
    variable->scope = scope;
    variable->cta = cta_number(race, lane);
    variable->cluster = cluster_number(race, lane);
}

void race_order_access(struct race *race, uint32_t lane, const struct micro *micro, uint32_t memory)
{
    bool exchange = micro->kind == MICRO_ATOM || micro->kind == MICRO_RED;
    bool strong = micro->inst->sem > SEM_WEAK || exchange;
    uint32_t scope = micro->inst->scope == SCOPE_NONE ? SCOPE_GPU : micro->inst->scope;
    if (!strong)
        return;
    if (micro->kind != MICRO_STORE)
        acquire(race, lane, micro, memory, scope);
    if (micro->kind != MICRO_LOAD)
        release(race, lane, micro, memory, scope);
}

void race_fence(struct race *race, uint32_t lane, const struct micro *micro)
{
    struct thread_clock *thread = &race->now.threads[lane];
    const struct inst *inst = micro->inst;
    if (inst->fence_kind != FENCE_MEMORY)
        return;
    if (inst->sem != SEM_RELEASE) {
        learn(thread, thread->pending);
        set(&thread->pending, NULL);
    }
    if (inst->sem == SEM_ACQUIRE)
        return;
    if (inst->sem == SEM_SC && inst->scope >= SCOPE_GPU)
        learn(thread, race->fences);
    set(&thread->fenced, snapshot(race, lane));
    if (inst->sem == SEM_SC && inst->scope >= SCOPE_GPU)
        set(&race->fences, clock_join(thread->fenced, race->fences));
}

/* After the operation: arrivals release, a wait that passed acquires. Phases are not told apart, so
 * a later phase's arrival may hide a race. */
void race_mbarrier(struct race *race, uint32_t lane, const struct access *at,
                   const struct mbarrier_order *order)
{
    struct variable *variable = variable_at(race, at->memory);
    if (order->sem == SEM_RELAXED)
        return;
    if (order->passed && *order->passed)
        learn(&race->now.threads[lane], variable->clock);
    if (!order->arrives)
        return;
    struct clock *own = snapshot(race, lane);
    set(&variable->clock, clock_join(own, variable->clock));
    clock_unref(own);
}
