/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/weak.h"

#include <string.h>

#include "model/machine/memory/weak/access.h"

/* Outstanding accesses: loads and atomics that their lane has passed and that are performed later.
 * The snapshot is what the lane knew when it passed; what must come after them was noted by those
 * who knew of them. */

/* The outstanding accesses of a lane. */
static uint64_t loads_of(const struct weak_memory *weak, uint32_t lane)
{
    uint64_t loads = weak_items(weak, ITEM_LOAD), result = 0;
    EACH_ITEM(i, loads)
        result |= (uint64_t)(weak->state->items[i].lane == lane) << i;
    return result;
}

static int find_load(const struct weak_memory *weak, uint32_t lane, uint32_t micro)
{
    EACH_ITEM(i, loads_of(weak, lane)) {
        if (weak->state->items[i].sequence == micro)
            return (int)i;
    }
    return NO_ITEM;
}

uint32_t weak_memory_outstanding(const struct memory *memory, uint32_t lane, uint32_t *micros,
                                 uint32_t limit)
{
    const struct weak_memory *weak = (const struct weak_memory *)memory;
    uint32_t count = 0;
    EACH_ITEM(i, weak_memory_is(memory) ? loads_of(weak, lane) : 0) {
        if (count < limit)
            micros[count++] = weak->state->items[i].sequence;
    }
    return count;
}

bool weak_memory_may_issue(const struct memory *memory, const struct memory_access *access)
{
    return access->reads && access->count == 1 && access->bytes <= 8 &&
           ((const struct weak_memory *)memory)->uniform;
}

bool weak_memory_issue(struct memory *memory, const struct memory_access *access,
                       uint32_t micro_index)
{
    struct weak_memory *weak = (struct weak_memory *)memory;
    struct scalar op = weak_scalar(weak, access, 0);
    struct weak_lane *lane = &weak->state->lanes[op.lane];
    struct item item = weak_item(&op, ITEM_LOAD, micro_index);
    struct snapshot known = {.used = true, .retired = true, .kind = SNAPSHOT_LOAD};
    if (find_load(weak, op.lane, micro_index) != NO_ITEM)
        return false;
    memcpy(known.view, lane->view, sizeof known.view);
    item.snapshot = (int8_t)weak_new_snapshot(weak, &known);
    item.acquired = op.acquire ? op.scope : SCOPE_NONE;
    if (access->writes)
        item.atomic = weak_atomic_of(access->micro->inst, access->value[0], access->operand[0]);
    int index = item.snapshot == NO_ITEM ? NO_ITEM : weak_new_item(weak, &item);
    if (index == NO_ITEM)
        return false;
    lane->view[index] |= weak_own_stage(&op);
    if (op.acquire)
        weak_acquire(weak, &op, true);
    if (access->writes && op.strong)
        weak_publish(weak, &op, index);
    return true;
}

/* Would an acquire of its lane since have synchronized with what 'source' publishes? */
static bool synchronizes(const struct weak_memory *weak, const struct item *load, int source)
{
    uint64_t heads = weak->state->items[source].heads;
    EACH_ITEM(i, load->acquired != SCOPE_NONE ? heads : 0) {
        const struct snapshot *head = &weak->state->snapshots[i];
        if (weak_inclusive(weak, head->lane, head->scope, load->lane, load->acquired))
            return true;
    }
    return false;
}

/* Everybody who knew of the load and came later must agree with what it returns. */
static bool agrees(struct weak_memory *weak, const struct item *load, const struct scalar *op,
                   int source)
{
    if (!weak_strong_pair(weak, &weak->state->items[source], op))
        return true;
    if (load->later_read_init ||
        (has_rule(weak, RULE_LATE_ACQUIRE) && synchronizes(weak, load, source)))
        return false;
    uint64_t co[ITEMS];
    memcpy(co, weak->state->co, sizeof co);
    if (!weak_order(co, source, load->later_writes))
        return false;
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
    EACH_ITEM(i, weak_items(weak, ITEM_WRITE)) {
        if (!agrees(weak, load, op, (int)i))
            excluded |= item_bit((int)i);
    }
    return excluded;
}

/* What follows from the sources for those who came later (observation, 8.9.2). False: one source of
 * the read excludes another. */
static bool settle_sources(struct weak_memory *weak, int index, const struct scalar *op,
                           const struct read_plan *plan)
{
    struct weak_state *state = weak->state;
    const struct item *access = &state->items[index];
    EACH_ITEM(source, weak_strong_with(weak, plan->sources.items, op)) {
        if (!weak_order(state->co, (int)source, access->later_writes) &&
            has_rule(weak, RULE_AGREEMENT))
            return false;
        EACH_ITEM(i, access->later_reads & ~item_bit((int)source))
            state->never_co[i] |= item_bit((int)source);
        if (op->strong && !op->red)
            weak_add_seen(weak, op, state->items[source].heads);
        weak_replace(weak, index, (int)source, true); /* who knows of the access knows its source */
    }
    return plan->run_count == 1 || weak_order_consistent(weak, state->co);
}

/* Gives an outstanding access its value, with what its lane knew when it was issued. An atomic
 * operation writes, too. False: the choice is impossible, or the memory is full. */
static bool perform(struct weak_memory *weak, int index, uint64_t value[2])
{
    const struct item *item = &weak->state->items[index];
    struct scalar op = weak_op_of(item);
    const stage *view = weak->state->snapshots[item->snapshot].view;
    struct read_plan plan;
    uint64_t result[2];
    int written = NO_ITEM;
    if (!weak_read(weak, &op, view, disagreeing(weak, item, &op), &plan, value) ||
        !settle_sources(weak, index, &op, &plan))
        return false;
    if (item->atomic.op != ATOM_NONE && weak_result(&item->atomic, value, result)) {
        written = weak_write(weak, &op, result, &plan.sources, item);
        if (written == NO_ITEM)
            return false;
    }
    weak_replace(weak, index, written, false);
    weak_free_item(weak, index);
    return true;
}

bool weak_memory_return(struct run *run, uint32_t lane, uint32_t micro_index,
                        struct memory_access *access)
{
    struct weak_memory *weak = weak_in(run);
    int index = find_load(weak, lane, micro_index);
    weak->state->pruned |= index == NO_ITEM || !perform(weak, index, access->value);
    return !weak->state->pruned;
}
