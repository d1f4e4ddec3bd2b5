/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"
#include "model/machine/core/region.h"
#include "model/machine/core/scope.h"

/* Knowledge of the weak memory: which items a lane knows, at which stage, and how knowledge is
 * joined and carried across proxies. */

/* Does the scope of lane 'from' contain lane 'to'? */
static bool reaches(const struct weak_memory *weak, uint32_t scope, uint32_t from, uint32_t to)
{
    const struct machine *machine = weak->machine;
    struct scope_place a = scope_place_of(machine, machine->lanes[from].cta, 0);
    struct scope_place b = scope_place_of(machine, machine->lanes[to].cta, 0);
    return scope_holds(scope, &a, &b);
}

bool weak_inclusive(const struct weak_memory *weak, uint32_t lane_a, uint32_t scope_a,
                    uint32_t lane_b, uint32_t scope_b)
{
    return lane_a == lane_b ||
           (reaches(weak, scope_a, lane_a, lane_b) && reaches(weak, scope_b, lane_b, lane_a));
}

/* Morally strong (8.7): one lane or strong and inclusive; one proxy; complete overlap. */
bool weak_strong_pair(const struct weak_memory *weak, const struct item *item,
                      const struct scalar *op)
{
    if (item->proxy != op->proxy || item->address != op->address || item->bytes != op->bytes)
        return false;
    if (item->lane == op->lane)
        return true;
    return item->strong && op->strong &&
           weak_inclusive(weak, item->lane, item->scope, op->lane, op->scope);
}

struct scalar weak_op_of(const struct item *item)
{
    return (struct scalar){.lane = item->lane,
                           .memory = item->memory,
                           .bytes = item->bytes,
                           .address = item->address,
                           .proxy = item->proxy,
                           .scope = item->scope,
                           .pair = item->pair,
                           .strong = item->strong,
                           .red = item->atomic.red,
                           .copied = item->copied};
}

/* The nine cases of ptx-model.md 4.6: is knowledge at stage 'have' knowledge for this access? */
static bool knows(stage have, const struct item *item, const struct scalar *op)
{
    if (!have || !item_overlaps(item, op->memory, op->bytes))
        return false;
    bool same = item_same_mapping(item, op->address, op->memory);
    if (op->proxy == PROXY_GENERIC)
        return have & (same ? STAGE_GENERIC | STAGE_ALIAS : STAGE_ALIAS);
    if (same && item->proxy == op->proxy && (have & STAGE_HERE(op->pair)))
        return true;
    return have & (same ? STAGE_ENTERED(op->pair) | STAGE_ENTERED_ALIAS(op->pair)
                        : STAGE_ENTERED_ALIAS(op->pair));
}

uint64_t weak_known(const struct weak_memory *weak, const stage *view, const struct scalar *op,
                    enum item_kind kind)
{
    uint64_t known = 0;
    const struct item *items = weak->state->items;
    EACH_ITEM(i, weak_items(weak, kind))
        known |= (uint64_t)knows(view[i], &items[i], op) << i;
    return known;
}

stage weak_own_stage(const struct scalar *op)
{
    return op->proxy == PROXY_GENERIC ? STAGE_GENERIC : STAGE_HERE(op->pair);
}

void weak_join(stage *to, const stage *from)
{
    for (int i = 0; i < ITEMS; i++)
        to[i] |= from[i];
}

void weak_join_all(const struct weak_memory *weak, stage *to, const stage *from)
{
    stage every = STAGE_EVERY | STAGE_RELEASED(PROXY_TENSORMAP);
    for (uint32_t i = 0; i < weak->pair_count; i++)
        if (weak->pairs[i].proxy == PROXY_TENSORMAP)
            every &= ~(STAGE_ENTERED(i) | STAGE_ENTERED_ALIAS(i));
    for (int i = 0; i < ITEMS; i++)
        if (from[i])
            to[i] |= every;
}

bool weak_item_in(const struct weak_memory *weak, const struct item *item, enum space space)
{
    const struct region *region = region_find(weak->machine, item->address, item->bytes);
    bool shared = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
    return space == SPACE_GENERIC || (region && shared == (region->cta != NONE));
}

/* Leaves the proxy for accesses of this CTA, and enters it for what is known generically. */
void weak_proxy_fence(struct weak_memory *weak, stage *view, uint32_t proxy, uint32_t cta,
                      enum space space)
{
    uint32_t pair = weak_pair(weak, proxy, cta);
    if (pair == PAIRS || !has_rule(weak, RULE_PROXY_FENCE))
        return;
    for (int i = 0; i < ITEMS; i++) {
        if (!view[i] || !weak_item_in(weak, &weak->state->items[i], space))
            continue;
        if (weak->state->items[i].proxy == proxy && (view[i] & STAGE_HERE(pair)))
            view[i] |= STAGE_GENERIC;
        if (view[i] & STAGE_GENERIC)
            view[i] |= STAGE_ENTERED(pair);
        if (view[i] & STAGE_ALIAS)
            view[i] |= STAGE_ENTERED_ALIAS(pair);
    }
}

void weak_alias_fence(const struct weak_memory *weak, stage *view)
{
    for (int i = 0; has_rule(weak, RULE_ALIAS_FENCE) && i < ITEMS; i++)
        if (view[i] & STAGE_GENERIC)
            view[i] |= STAGE_ALIAS;
}

static void replace_in(stage *view, int from, int to, bool keep)
{
    if (to >= 0)
        view[to] |= view[from];
    if (!keep)
        view[from] = 0;
}

void weak_replace(struct weak_memory *weak, int from, int to, bool keep)
{
    struct weak_state *state = weak->state;
    for (uint32_t lane = 0; lane < state->lane_count; lane++)
        replace_in(state->lanes[lane].view, from, to, keep);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (state->snapshots[i].used)
            replace_in(state->snapshots[i].view, from, to, keep);
}
