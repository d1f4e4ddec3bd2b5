/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

/* Coherence among performed writes: a transitively closed strict order that grows. */

bool weak_order(uint64_t *co, int before, uint64_t after)
{
    EACH_ITEM(a, after) {
        if ((int)a == before || (co[a] >> before & 1))
            return false;
        if (co[before] >> a & 1)
            continue;
        uint64_t successors = co[a] | UINT64_C(1) << a;
        for (int i = 0; i < ITEMS; i++)
            if (i == before || (co[i] >> before & 1))
                co[i] |= successors;
    }
    return true;
}

/* Was 'item' coherence-after something that the atomic read? */
static bool follows(const struct weak_memory *weak, const uint64_t *co, const struct item *atomic,
                    int item)
{
    const struct item *items = weak->state->items;
    if (atomic->rmw_from.init && item_overlaps(&items[item], atomic->memory, atomic->bytes))
        return true;
    EACH_ITEM(i, atomic->rmw_from.items) {
        if (co[i] >> item & 1)
            return true;
    }
    return false;
}

/* An atomic is broken when a write that is inclusive with it lies between what it read and what it
 * wrote. */
static bool atomic_intact(const struct weak_memory *weak, const uint64_t *co, int written)
{
    const struct item *items = weak->state->items, *atomic = &items[written];
    struct scalar op = weak_op_of(atomic);
    EACH_ITEM(i, weak_items(weak, ITEM_WRITE) & ~atomic->rmw_from.items) {
        if ((int)i != written && (co[i] >> written & 1) && weak_strong_pair(weak, &items[i], &op) &&
            follows(weak, co, atomic, (int)i))
            return false;
    }
    return true;
}

bool weak_order_consistent(const struct weak_memory *weak, const uint64_t *co)
{
    const struct item *items = weak->state->items;
    for (int i = 0; i < ITEMS; i++) {
        if (co[i] & (weak->state->never_co[i] | UINT64_C(1) << i))
            return false;
        if (items[i].kind == ITEM_WRITE && items[i].rmw && has_rule(weak, RULE_ATOMICITY) &&
            !atomic_intact(weak, co, i))
            return false;
    }
    return true;
}
