/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/weak.h"

#include "model/machine/memory/weak/state.h"

/* A hash of the weak state that does not depend on where things lie in the tables: writes are named
 * by lane and number, outstanding loads by lane and micro, records by their key and contents. */

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + UINT64_C(0x7f4a7c159e3779b9));
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 29) * UINT64_C(0xff51afd7ed558ccd);
    return x ^ x >> 32;
}

static uint64_t item_name(const struct item *item)
{
    return mix((uint64_t)item->kind << 48 | (uint64_t)item->lane << 32 | item->sequence, 1);
}

struct names {
    uint64_t item[ITEMS], snapshot[SNAPSHOTS];
};

/* A sum, so that the order of the table does not matter. */
static uint64_t hash_set(const uint64_t *names, uint64_t set)
{
    uint64_t sum = 0;
    for (; set; set &= set - 1)
        sum += mix(names[__builtin_ctzll(set)], 2);
    return sum;
}

static uint64_t hash_view(const struct names *names, const stage *view)
{
    uint64_t sum = 0;
    for (int i = 0; i < ITEMS; i++)
        if (view[i])
            sum += mix(names->item[i], view[i]);
    return sum;
}

static void name_all(const struct weak_state *state, struct names *names)
{
    for (int i = 0; i < ITEMS; i++)
        names->item[i] = state->items[i].kind ? item_name(&state->items[i]) : 0;
    for (int i = 0; i < SNAPSHOTS; i++) {
        const struct snapshot *s = &state->snapshots[i];
        uint64_t key =
            (uint64_t)s->kind << 44 | (uint64_t)s->scope << 40 | (uint64_t)s->proxy << 32 | s->lane;
        names->snapshot[i] = s->used ? mix(mix(key, s->address ^ (uint64_t)s->bytes << 40),
                                           hash_view(names, s->view))
                                     : 0;
    }
}

static uint64_t hash_item(const struct weak_state *state, const struct names *names, int i)
{
    const struct item *item = &state->items[i];
    const struct late_atomic *late = &item->atomic;
    uint64_t flags = (uint64_t)item->proxy << 24 | (uint64_t)item->scope << 16 | item->pair << 8 |
                     item->strong << 4 | item->rmw << 3 | item->rmw_from.init << 2 |
                     (uint64_t)item->acquired << 32 | item->later_read_init;
    uint64_t from = hash_set(names->item, item->rmw_from.items);
    if (item->kind == ITEM_LOAD)
        from = mix((uint64_t)late->op << 8 | late->type, mix(late->operands[0], late->operands[1]));
    uint64_t hash = mix(names->item[i], mix(item->value[0], item->value[1]));
    hash = mix(hash, mix(item->address ^ (uint64_t)item->bytes << 56, mix(from, flags)));
    hash = mix(hash, hash_set(names->snapshot, item->heads));
    hash = mix(hash, mix(hash_set(names->item, item->later_writes),
                         hash_set(names->item, item->later_reads)));
    hash = mix(hash,
               mix(hash_set(names->item, state->co[i]), hash_set(names->item, state->never_co[i])));
    return item->kind == ITEM_LOAD ? mix(hash, names->snapshot[item->snapshot]) : hash;
}

static uint64_t hash_lane(const struct weak_lane *lane, const struct names *names, uint32_t index)
{
    uint64_t hash = mix(index, hash_view(names, lane->view));
    for (int i = 0; i < SEEN; i++)
        if (lane->seen[i].heads)
            hash += mix(lane->seen[i].address, hash_set(names->snapshot, lane->seen[i].heads));
    return mix(hash, lane->writes);
}

void weak_memory_hash(struct memory *memory, uint64_t hash[2])
{
    struct weak_memory *weak = (struct weak_memory *)memory;
    struct weak_state *state = weak->state;
    struct names names;
    uint64_t sum = 0;
    weak_collect(weak);
    name_all(state, &names);
    for (int i = 0; i < ITEMS; i++)
        if (state->items[i].kind)
            sum += hash_item(state, &names, i);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (state->snapshots[i].used)
            sum += mix(names.snapshot[i], 3 + state->snapshots[i].retired);
    for (uint32_t i = 0; i < state->lane_count; i++)
        sum += hash_lane(&state->lanes[i], &names, i);
    for (int i = 0; i < WORDS; i++)
        if (state->words[i].used)
            sum += mix(state->words[i].memory, mix(state->words[i].value, 5));
    hash[0] ^= mix(sum, hash[0]);
    hash[1] ^= mix(hash[1], mix(sum, 7));
}
