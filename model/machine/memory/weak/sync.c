/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* Synchronization in the weak memory: where a lane takes over what another knows, by release and
 * acquire patterns (8.8), Fence-SC order (8.9.3) and barriers (8.9.4). */

static struct scalar fence_op(uint32_t lane, enum scope scope)
{
    return (struct scalar){.lane = lane,
                           .scope = (uint8_t)scope,
                           .proxy = PROXY_GENERIC,
                           .pair = PAIRS,
                           .strong = true};
}

/* What the lane of 'op' knows now, but for the elements before of a vector. */
static struct snapshot known_to(const struct weak_memory *weak, const struct scalar *op, int kind)
{
    struct snapshot known = {.used = true,
                             .kind = kind,
                             .scope = op->scope,
                             .proxy = PROXY_GENERIC,
                             .lane = (uint16_t)op->lane};
    memcpy(known.view, weak->state->lanes[op->lane].view, sizeof known.view);
    EACH_ITEM(i, weak->siblings)
        known.view[i] = 0;
    return known;
}

static bool same_record(const struct snapshot *a, const struct snapshot *b)
{
    return a->used && a->kind == b->kind && a->lane == b->lane && a->scope == b->scope &&
           a->proxy == b->proxy && a->address == b->address && a->bytes == b->bytes;
}

/* Keeps the record. It replaces an earlier one of the same key, whose knowledge it contains. */
static void record(struct weak_memory *weak, struct snapshot known)
{
    struct snapshot *table = weak->state->snapshots;
    for (int i = 0; i < SNAPSHOTS; i++)
        if (same_record(&table[i], &known))
            table[i].retired = true;
    weak_new_snapshot(weak, &known);
}

static bool heads(const struct snapshot *snapshot, const struct scalar *op)
{
    if (!snapshot->used || snapshot->lane != op->lane)
        return false;
    return snapshot->kind == SNAPSHOT_FENCE ||
           (snapshot->kind == SNAPSHOT_RELEASE && snapshot->address == op->address &&
            snapshot->bytes == op->bytes && snapshot->proxy == op->proxy);
}

void weak_publish(struct weak_memory *weak, const struct scalar *op, int written)
{
    struct snapshot *table = weak->state->snapshots;
    if (op->release && has_rule(weak, RULE_RELEASE)) {
        struct snapshot head = known_to(weak, op, SNAPSHOT_RELEASE);
        head.proxy = op->proxy;
        head.bytes = op->bytes;
        head.address = op->address;
        record(weak, head);
    }
    for (int i = 0; i < SNAPSHOTS; i++)
        if (!table[i].retired && heads(&table[i], op))
            weak->state->items[written].heads |= UINT64_C(1) << i;
}

/* The records of a kind, retired ones included. */
static uint64_t records_of(const struct weak_memory *weak, int kind)
{
    const struct snapshot *table = weak->state->snapshots;
    uint64_t result = 0;
    for (int i = 0; i < SNAPSHOTS; i++)
        result |= (uint64_t)(table[i].used && (int)table[i].kind == kind) << i;
    return result;
}

static void take_over(struct weak_memory *weak, const struct scalar *op, uint64_t snapshots)
{
    EACH_ITEM(i, snapshots) {
        const struct snapshot *head = &weak->state->snapshots[i];
        if (head->used && head->proxy == op->proxy &&
            weak_inclusive(weak, head->lane, head->scope, op->lane, op->scope))
            weak_join(weak->state->lanes[op->lane].view, head->view);
    }
}

void weak_acquire(struct weak_memory *weak, const struct scalar *op, bool at_location)
{
    struct seen *seen = weak->state->lanes[op->lane].seen;
    bool takes = has_rule(weak, at_location ? RULE_ACQUIRE : RULE_ACQUIRE_FENCE);
    for (int i = 0; takes && i < SEEN; i++)
        if (!at_location || (seen[i].address == op->address && seen[i].bytes == op->bytes))
            take_over(weak, op, seen[i].heads);
    EACH_ITEM(i, weak_items(weak, ITEM_LOAD)) {
        struct item *load = &weak->state->items[i];
        if (load->lane == op->lane && load->strong &&
            (!at_location || (load->address == op->address && load->bytes == op->bytes)))
            load->acquired = MAX(load->acquired, op->scope);
    }
}

/* Fence-SC order is the order of performing: a fence knows what every earlier inclusive one knew.
 */
static void order_sc(struct weak_memory *weak, const struct scalar *op)
{
    if (has_rule(weak, RULE_FENCE_SC))
        take_over(weak, op, records_of(weak, SNAPSHOT_SC));
    record(weak, known_to(weak, op, SNAPSHOT_SC));
}

static void memory_fence(struct weak_memory *weak, const struct scalar *op, enum sem sem)
{
    if (sem == SEM_ACQUIRE || sem == SEM_ACQ_REL || sem == SEM_SC)
        weak_acquire(weak, op, false);
    if (sem == SEM_SC)
        order_sc(weak, op);
    if ((sem == SEM_RELEASE || sem == SEM_ACQ_REL || sem == SEM_SC) &&
        has_rule(weak, RULE_RELEASE_FENCE))
        record(weak, known_to(weak, op, SNAPSHOT_FENCE));
}

/* Restricted releases cover only their own thread's accesses of the named class: shared memory, or
 * mbarrier.init, whose objects are not in the table. */
static void restricted_release(struct weak_memory *weak, const struct scalar *op,
                               enum fence_kind kind)
{
    struct snapshot known = known_to(weak, op, SNAPSHOT_FENCE);
    known.address = kind;
    for (int i = 0; i < ITEMS; i++) {
        const struct item *item = &weak->state->items[i];
        if (kind == FENCE_MBARRIER_INIT || item->lane != op->lane ||
            !weak_item_in(weak, item, SPACE_SHARED))
            known.view[i] = 0;
    }
    record(weak, known);
}

/* A restricted acquire is for later accesses to shared memory only. */
static void restricted_acquire(struct weak_memory *weak, const struct scalar *op)
{
    stage before[ITEMS], *view = weak->state->lanes[op->lane].view;
    memcpy(before, view, sizeof before);
    weak_acquire(weak, op, false);
    for (int i = 0; i < ITEMS; i++)
        if (!weak_item_in(weak, &weak->state->items[i], SPACE_SHARED_CLUSTER))
            view[i] = before[i];
}

/* A one-way release fence marks what is known generically; past the acquire fence of the same
 * proxy, wherever the path between them led, it is known through that proxy in the acquirer's CTA,
 * or through other addresses. */
static void one_way_release(struct weak_memory *weak, const struct scalar *op, uint32_t proxy)
{
    stage *view = weak->state->lanes[op->lane].view;
    for (int i = 0; i < ITEMS; i++)
        if (view[i] & STAGE_GENERIC)
            view[i] |= STAGE_RELEASED(proxy);
    memory_fence(weak, op, SEM_RELEASE);
}

/* What was released to the proxy is now known to accesses through it, in this CTA. */
static void one_way_acquire(struct weak_memory *weak, const struct scalar *op, uint32_t proxy)
{
    stage *view = weak->state->lanes[op->lane].view,
          entered = proxy == PROXY_ALIAS ? STAGE_ALIAS : 0;
    uint32_t cta = weak->machine->lanes[op->lane].cta;
    for (uint32_t i = 0; i < weak->pair_count; i++)
        if (weak->pairs[i].proxy == proxy && weak->pairs[i].cta == cta)
            entered |= STAGE_ENTERED(i);
    memory_fence(weak, op, SEM_ACQUIRE);
    for (int i = 0; i < ITEMS; i++)
        if (view[i] & STAGE_RELEASED(proxy))
            view[i] |= entered;
}

static void directed_fence(struct weak_memory *weak, const struct scalar *op,
                           const struct inst *inst)
{
    switch (inst->fence_kind) {
    case FENCE_PROXY_RELEASE:
        one_way_release(weak, op, inst->proxy);
        break;
    case FENCE_PROXY_ACQUIRE:
        one_way_acquire(weak, op, inst->proxy);
        break;
    case FENCE_RESTRICT_ACQUIRE:
        restricted_acquire(weak, op);
        break;
    case FENCE_MBARRIER_INIT:
    case FENCE_RESTRICT_RELEASE:
        restricted_release(weak, op, inst->fence_kind);
        break;
    case FENCE_MEMORY:
    case FENCE_PROXY: /* go both ways */
        abort();
    }
}

void weak_fence(struct run *run, uint32_t lane, const struct micro *micro)
{
    struct weak_memory *weak = weak_in(run);
    const struct inst *inst = micro->inst;
    struct scalar op = fence_op(lane, inst->scope);
    stage *view = weak->state->lanes[lane].view;
    if (inst->fence_kind == FENCE_MEMORY)
        memory_fence(weak, &op, inst->sem);
    else if (inst->fence_kind != FENCE_PROXY)
        directed_fence(weak, &op, inst);
    else if (inst->proxy == PROXY_ALIAS)
        weak_alias_fence(weak, view);
    else
        weak_proxy_fence(weak, view, inst->proxy, run->machine->lanes[lane].cta, inst->space);
}

/* ---- barriers ------------------------------------------------------------------------------- */

static void share_all(struct weak_memory *weak, const uint32_t *lanes, uint32_t count)
{
    struct weak_lane *all = weak->state->lanes;
    for (uint32_t i = 1; i < count; i++)
        weak_join(all[lanes[0]].view, all[lanes[i]].view);
    for (uint32_t i = 1; i < count; i++)
        weak_join(all[lanes[i]].view, all[lanes[0]].view);
}

static uint64_t barrier_key(const struct sync *sync)
{
    bool cluster = sync->kind == SYNC_CLUSTER_ARRIVE || sync->kind == SYNC_CLUSTER_LEAVE;
    return cluster ? UINT64_C(1) << 63 | sync->cluster : (uint64_t)sync->cta << 32 | sync->id;
}

/* Generations older than the one before 'generation' are over. */
static struct snapshot *gathering(struct weak_memory *weak, const struct sync *sync, bool make)
{
    const struct snapshot new = {.used = true,
                                 .kind = SNAPSHOT_BARRIER,
                                 .address = barrier_key(sync),
                                 .bytes = sync->generation};
    struct snapshot *table = weak->state->snapshots;
    EACH_ITEM(i, records_of(weak, SNAPSHOT_BARRIER)) {
        if (table[i].address != new.address)
            continue;
        if (table[i].bytes == new.bytes)
            return &table[i];
        table[i].retired |= make && table[i].bytes + 1 < new.bytes;
    }
    int index = make ? weak_new_snapshot(weak, &new) : NO_ITEM;
    return index == NO_ITEM ? NULL : &table[index];
}

/* A relaxed arrival carries only what its lane knew at release fences wide enough for the cluster. */
static void arrive_relaxed(struct weak_memory *weak, uint32_t lane, struct snapshot *at)
{
    EACH_ITEM(i, records_of(weak, SNAPSHOT_FENCE)) {
        const struct snapshot *fence = &weak->state->snapshots[i];
        if (fence->lane == lane && fence->scope >= SCOPE_CLUSTER)
            weak_join(at->view, fence->view);
    }
}

static void arrive(struct weak_memory *weak, const struct sync *sync)
{
    struct snapshot *at = gathering(weak, sync, true);
    for (uint32_t i = 0; at && i < sync->lane_count; i++)
        if (sync->relaxed)
            arrive_relaxed(weak, sync->lanes[i], at);
        else
            weak_join(at->view, weak->state->lanes[sync->lanes[i]].view);
}

static void leave(struct weak_memory *weak, const struct sync *sync)
{
    struct snapshot *at = gathering(weak, sync, false);
    for (uint32_t i = 0; at && has_rule(weak, RULE_BARRIER) && i < sync->lane_count; i++)
        weak_join(weak->state->lanes[sync->lanes[i]].view, at->view);
}

/* The first lane learns what the others know, unless a test leaves out 'rule'. The runtime's edges
 * hold whatever the proxy (8.9.4, last paragraph). */
static void take_handed(struct weak_memory *weak, const struct sync *sync, enum weak_rule rule,
                        bool every_proxy)
{
    struct weak_lane *lanes = weak->state->lanes;
    for (uint32_t i = 1; has_rule(weak, rule) && i < sync->lane_count; i++)
        if (every_proxy)
            weak_join_all(weak, lanes[sync->lanes[0]].view, lanes[sync->lanes[i]].view);
        else
            weak_join(lanes[sync->lanes[0]].view, lanes[sync->lanes[i]].view);
}

/* What the second lane knew at its release fences of .gpu or .sys scope. When that comes too late
 * for somebody, the run is pruned. */
static void take_published(struct weak_memory *weak, const struct sync *sync)
{
    stage *view = weak->state->lanes[sync->lanes[0]].view;
    EACH_ITEM(i, records_of(weak, SNAPSHOT_FENCE)) {
        const struct snapshot *fence = &weak->state->snapshots[i];
        if (fence->retired || fence->lane != sync->lanes[1] || fence->address != FENCE_MEMORY ||
            (fence->scope != SCOPE_GPU && fence->scope != SCOPE_SYS))
            continue;
        weak->state->pruned |= sync->late;
        weak_join_all(weak, view, fence->view);
    }
}

void weak_sync(struct run *run, const struct sync *sync)
{
    struct weak_memory *weak = weak_in(run);
    switch (sync->kind) {
    case SYNC_WARP:
        share_all(weak, sync->lanes, sync->lane_count);
        break;
    case SYNC_BARRIER_ARRIVE:
    case SYNC_CLUSTER_ARRIVE:
        arrive(weak, sync);
        break;
    case SYNC_BARRIER_LEAVE:
    case SYNC_CLUSTER_LEAVE:
        leave(weak, sync);
        break;
    case SYNC_GRID:
        take_handed(weak, sync, RULE_BARRIER, false);
        break;
    case SYNC_HANDOVER:
        take_handed(weak, sync, RULE_HANDOVER, has_rule(weak, RULE_HANDOVER_PROXY));
        break;
    case SYNC_PUBLISH:
        take_published(weak, sync);
        break;
    }
}

/* ---- mbarriers ------------------------------------------------------------------------------ */

static void record_arrival(struct weak_memory *weak, const struct scalar *op, uint8_t scope,
                           const stage *view)
{
    struct snapshot arrival = known_to(weak, op, SNAPSHOT_ARRIVAL);
    arrival.scope = scope;
    arrival.address = op->memory;
    memcpy(arrival.view, view, sizeof arrival.view);
    record(weak, arrival);
}

/* An arrival carries what its lane knows, and what it knew at its release fences (pattern form 3).
 */
void weak_arrive(struct weak_memory *weak, const struct scalar *op)
{
    EACH_ITEM(i, records_of(weak, SNAPSHOT_FENCE)) {
        const struct snapshot *fence = &weak->state->snapshots[i];
        if (!fence->retired && fence->lane == op->lane)
            record_arrival(weak, op, fence->scope, fence->view);
    }
    if (op->release)
        record_arrival(weak, op, op->scope, weak->state->lanes[op->lane].view);
}

void weak_take_arrivals(struct weak_memory *weak, const struct scalar *op)
{
    uint64_t arrivals = 0;
    EACH_ITEM(i, records_of(weak, SNAPSHOT_ARRIVAL)) {
        if (weak->state->snapshots[i].address == op->memory)
            arrivals |= UINT64_C(1) << i;
    }
    if (op->acquire)
        take_over(weak, op, arrivals);
    struct scalar at = *op;
    at.address = UINT64_MAX - op->memory;
    weak_add_seen(weak, &at, arrivals);
}
