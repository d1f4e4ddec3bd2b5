/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

/* Which accesses of the weak machine mix byte by byte, and where that could be noticed: 8.10.3
 * promises single copies to morally strong pairs only. */

bool weak_may_mix(const struct weak_memory *weak, const struct item *item, const struct scalar *op)
{
    if (item->copied || op->copied)
        return true;
    return weak->machine->options.tearing == TEARING_BYTES && !weak_strong_pair(weak, item, op);
}

bool weak_is_whole(const struct weak_memory *weak, const struct item *item, bool copied)
{
    return weak->machine->options.tearing == TEARING_WHOLE && !item->copied && !copied;
}

bool weak_some_mix(const struct weak_memory *weak, uint64_t writes)
{
    const struct item *items = weak->state->items;
    EACH_ITEM(a, writes) {
        struct scalar op = weak_op_of(&items[a]);
        EACH_ITEM(b, a_left & (a_left - 1)) {
            if (weak_may_mix(weak, &items[b], &op))
                return true;
        }
    }
    return false;
}

static uint8_t byte_of(const struct item *item, uint32_t byte)
{
    return ((const uint8_t *)item->value)[byte - item->memory];
}

bool weak_byte_varies(const struct weak_memory *weak, uint64_t writes, bool initial, uint32_t byte)
{
    bool found = initial;
    uint8_t value = initial ? weak->initial[byte] : 0;
    EACH_ITEM(i, writes) {
        const struct item *item = &weak->state->items[i];
        if (!item_overlaps(item, byte, 1))
            continue;
        if (found && byte_of(item, byte) != value)
            return true;
        value = byte_of(item, byte);
        found = true;
    }
    return false;
}

/* Would two single copies be left, each on a byte that both wrote? */
static bool remain_mixed(const struct weak_memory *weak, const struct item *item, uint32_t byte,
                         const struct item *other, uint32_t at)
{
    return item != other && weak_is_whole(weak, item, other->copied) &&
           item_overlaps(item, at, 1) && item_overlaps(other, byte, 1);
}

uint64_t weak_unmixed(const struct weak_memory *weak, uint64_t writes, uint32_t byte,
                      const struct remains *before)
{
    const struct item *items = weak->state->items;
    uint64_t result = 0;
    EACH_ITEM(i, writes) {
        bool mixed = false;
        for (uint32_t k = 0; k < sizeof before->source && k < byte; k++)
            mixed |= before->source[k] >= 0 &&
                     remain_mixed(weak, &items[i], byte, &items[before->source[k]], byte - 1 - k);
        result |= mixed ? 0 : UINT64_C(1) << i;
    }
    return result;
}
