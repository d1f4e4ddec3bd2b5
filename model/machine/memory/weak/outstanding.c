/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/alu/alu.h"
#include "model/machine/memory/weak/access.h"

/* Outstanding accesses: loads and atomics that their lane has passed and that are performed later.
 * The snapshot is what the lane knew when it passed; what must come after them was noted by those
 * who knew of them. */

bool weak_issue(struct weak_memory *weak, const struct scalar *op, uint32_t micro,
                const struct late_atomic *atomic)
{
    int index = weak_new_item(weak),
        snapshot = index == NO_ITEM ? NO_ITEM : weak_new_snapshot(weak);
    if (snapshot == NO_ITEM)
        return false;
    struct weak_lane *lane = &weak->state->lanes[op->lane];
    struct item *item = &weak->state->items[index];
    weak_fill_item(item, op, micro, (uint64_t[2]){0});
    item->kind = ITEM_LOAD;
    item->snapshot = (int8_t)snapshot;
    item->acquired = op->acquire ? op->scope : SCOPE_NONE;
    item->atomic = *atomic;
    struct snapshot *known = &weak->state->snapshots[snapshot];
    known->kind = SNAPSHOT_LOAD;
    known->retired = true;
    memcpy(known->view, lane->view, sizeof known->view);
    lane->view[index] |= weak_own_stage(op);
    if (op->acquire)
        weak_acquire(weak, op, true);
    if (atomic->op != ATOM_NONE && op->strong)
        weak_publish(weak, op, index);
    return true;
}

/* Would an acquire of its lane since have synchronized with what 'source' publishes? */
static bool synchronizes(const struct weak_memory *weak, const struct item *load, int source)
{
    uint64_t heads = weak->state->items[source].heads;
    for (int i = 0; load->acquired != SCOPE_NONE && i < SNAPSHOTS; i++) {
        const struct snapshot *head = &weak->state->snapshots[i];
        if ((heads >> i & 1) &&
            weak_inclusive(weak, head->lane, head->scope, load->lane, load->acquired))
            return true;
    }
    return false;
}

/* Everybody who knew of the load and came later must agree with what it returns. */
static bool agrees(struct weak_memory *weak, const struct item *load, const struct scalar *op,
                   int source)
{
    if (source == INIT || !weak_strong_pair(weak, &weak->state->items[source], op))
        return true;
    if (load->later_read_init ||
        (has_rule(weak, RULE_LATE_ACQUIRE) && synchronizes(weak, load, source)))
        return false;
    uint64_t co[ITEMS];
    memcpy(co, weak->state->co, sizeof co);
    EACH_ITEM(i, load->later_writes) {
        if (!weak_order(weak, co, source, (int)i))
            return false;
    }
    EACH_ITEM(i, load->later_reads & ~item_bit(source)) {
        if (co[i] >> source & 1)
            return false;
    }
    return weak_order_consistent(weak, co);
}

static uint64_t disagreeing(struct weak_memory *weak, const struct item *load,
                            const struct scalar *op)
{
    uint64_t excluded = load->later_writes;
    if (!has_rule(weak, RULE_AGREEMENT))
        return 0;
    for (int i = 0; i < ITEMS; i++)
        if (weak->state->items[i].kind == ITEM_WRITE && !agrees(weak, load, op, i))
            excluded |= item_bit(i);
    return excluded;
}

/* What follows from the source for those who came later (observation, 8.9.2). False: another source of
 * the same read excludes it. */
static bool settle_source(struct weak_memory *weak, int index, int source)
{
    const struct item *access = &weak->state->items[index];
    struct scalar op = weak_op_of(access);
    if (source < 0 || !weak_strong_pair(weak, &weak->state->items[source], &op))
        return true;
    for (int i = 0; i < ITEMS; i++) {
        if ((access->later_writes >> i & 1) && !weak_order(weak, weak->state->co, source, i) &&
            has_rule(weak, RULE_AGREEMENT))
            return false;
        if ((access->later_reads >> i & 1) && i != source)
            weak->state->never_co[i] |= item_bit(source);
    }
    if (op.strong && !op.red)
        weak_add_seen(weak, &op, weak->state->items[source].heads);
    weak_replace(weak, index, source, true); /* whoever knows of the access knows its source */
    return true;
}

static bool settle_sources(struct weak_memory *weak, int index, const struct read_plan *plan)
{
    for (int run = 0; run < plan->run_count; run++)
        if (!settle_source(weak, index, plan->source[run]))
            return false;
    return plan->run_count == 1 || weak_order_consistent(weak, weak->state->co);
}

/* The write of a late atomic: before the writes of those who knew of it, and not what overwrites
 * anything that they read. */
static bool write_late(struct weak_memory *weak, struct chooser *chooser, int index,
                       const struct read_sources *sources, uint64_t value)
{
    const struct item *access = &weak->state->items[index];
    struct scalar op = weak_op_of(access);
    const stage *view = weak->state->snapshots[access->snapshot].view;
    int written = access->later_read_init ? NO_ITEM : weak_new_item(weak);
    if (written == NO_ITEM)
        return false;
    struct write_bounds bounds = {weak_known(weak, view, &op, ITEM_WRITE), access->later_writes};
    bounds.before |= weak_strong_with(weak, sources->items, &op);
    struct item *item = &weak->state->items[written];
    weak_fill_item(item, &op, weak->state->lanes[op.lane].writes++, (uint64_t[2]){value, 0});
    item->heads = access->heads;
    weak_join_chain(weak, &op, written, sources);
    EACH_ITEM(i, access->later_reads)
        weak->state->never_co[i] |= item_bit(written);
    if (!weak_place_write(weak, chooser, &op, written, &bounds))
        return false;
    weak_note_write(weak, &op, view, written);
    weak_replace(weak, index, written, true);
    return true;
}

static bool write_back(struct weak_memory *weak, struct chooser *chooser, int index,
                       const struct read_sources *sources, uint64_t old)
{
    const struct late_atomic *atomic = &weak->state->items[index].atomic;
    bool writes = atomic->op != ATOM_NONE;
    if (!writes)
        return true;
    uint64_t value = alu_atomic((enum atom_op)atomic->op, (enum type)atomic->type, old,
                                atomic->operands[0], atomic->operands[1], &writes);
    return !writes || write_late(weak, chooser, index, sources, value);
}

bool weak_return(struct weak_memory *weak, struct chooser *chooser, int index, uint64_t value[2])
{
    struct item *item = &weak->state->items[index];
    struct scalar op = weak_op_of(item);
    const stage *view = weak->state->snapshots[item->snapshot].view;
    uint64_t known = weak_known(weak, view, &op, ITEM_WRITE);
    struct read_plan plans[MAX_PLANS];
    uint32_t count =
        weak_list_plans(weak, &op, known, disagreeing(weak, item, &op), plans, MAX_PLANS);
    if (!count)
        return false;
    const struct read_plan *plan = &plans[count > 1 ? chooser->choose(chooser, count) : 0];
    struct read_sources sources = weak_sources(plan);
    weak_copy_bytes(weak, &op, plan, value);
    weak_remember_read(weak, &op, known, plan);
    weak_note_read(weak, &op, view, plan);
    if (!settle_sources(weak, index, plan) || !write_back(weak, chooser, index, &sources, value[0]))
        return false;
    weak_replace(weak, index, NO_ITEM, false);
    memset(item, 0, sizeof *item);
    return true;
}
