/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/weak.h"

#include "litmus/base/hash.h"
#include "model/machine/memory/weak/state.h"

/* A hash of the weak state that does not depend on where things lie in the tables: writes are named
 * by lane and number, outstanding loads by lane and micro, records by their key and contents. */

static uint64_t item_name(const struct item *item)
{
    return hash_pair((uint64_t)item->kind << 48 | (uint64_t)item->lane << 32 | item->sequence, 1);
}

struct weak_names {
    uint64_t item[ITEMS], snapshot[SNAPSHOTS];
};

/* A sum, so that the order of the table does not matter. */
static uint64_t hash_set(const uint64_t *names, uint64_t set)
{
    uint64_t sum = 0;
    EACH_ITEM(i, set)
        sum += hash_pair(names[i], 2);
    return sum;
}

static uint64_t hash_view(const struct weak_names *names, const stage *view)
{
    uint64_t sum = 0;
    for (int i = 0; i < ITEMS; i++)
        if (view[i])
            sum += hash_pair(names->item[i], view[i]);
    return sum;
}

/* Names items and snapshots by what they hold, so that states that differ only in where these lie
 * are the same. */
static void name_all(const struct weak_state *state, struct weak_names *names)
{
    for (int i = 0; i < ITEMS; i++)
        names->item[i] = state->items[i].kind ? item_name(&state->items[i]) : 0;
    for (int i = 0; i < SNAPSHOTS; i++) {
        const struct snapshot *s = &state->snapshots[i];
        uint64_t key =
            (uint64_t)s->kind << 44 | (uint64_t)s->scope << 40 | (uint64_t)s->proxy << 32 | s->lane;
        names->snapshot[i] = s->used
                                 ? hash_pair(hash_pair(key, s->address ^ (uint64_t)s->bytes << 40),
                                             hash_view(names, s->view))
                                 : 0;
    }
}

/* Everything about an item that what comes later can depend on. */
static uint64_t hash_item(const struct weak_state *state, const struct weak_names *names, int i)
{
    const struct item *item = &state->items[i];
    const struct atomic *late = &item->atomic;
    uint64_t flags = (uint64_t)item->proxy << 24 | (uint64_t)item->scope << 16 | item->pair << 8 |
                     item->strong << 4 | item->rmw << 3 | item->rmw_from.init << 2 |
                     (uint64_t)item->acquired << 32 | item->later_read_init;
    uint64_t from = hash_set(names->item, item->rmw_from.items);
    if (item->kind == ITEM_LOAD)
        from = hash_pair((uint64_t)late->op << 8 | late->type,
                         hash_pair(late->operands[0], late->operands[1]));
    uint64_t hash = hash_pair(names->item[i], hash_pair(item->value[0], item->value[1]));
    hash = hash_pair(
        hash, hash_pair(item->address ^ (uint64_t)item->bytes << 56, hash_pair(from, flags)));
    hash = hash_pair(hash, hash_set(names->snapshot, item->heads));
    hash = hash_pair(hash, hash_pair(hash_set(names->item, item->later_writes),
                                     hash_set(names->item, item->later_reads)));
    hash = hash_pair(hash, hash_pair(hash_set(names->item, state->co[i]),
                                     hash_set(names->item, state->never_co[i])));
    return item->kind == ITEM_LOAD ? hash_pair(hash, names->snapshot[item->snapshot]) : hash;
}

static uint64_t hash_lane(const struct weak_lane *lane, const struct weak_names *names,
                          uint32_t index)
{
    uint64_t hash = hash_pair(index, hash_view(names, lane->view));
    for (int i = 0; i < SEEN; i++)
        if (lane->seen[i].heads)
            hash +=
                hash_pair(lane->seen[i].address, hash_set(names->snapshot, lane->seen[i].heads));
    return hash_pair(hash, lane->writes);
}

void weak_hash(struct memory *memory, uint64_t hash[2])
{
    struct weak_memory *weak = (struct weak_memory *)memory;
    struct weak_state *state = weak->state;
    struct weak_names names;
    uint64_t sum = 0;
    weak_collect(weak);
    name_all(state, &names);
    for (int i = 0; i < ITEMS; i++)
        if (state->items[i].kind)
            sum += hash_item(state, &names, i);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (state->snapshots[i].used)
            sum += hash_pair(names.snapshot[i], 3 + state->snapshots[i].retired);
    for (uint32_t i = 0; i < state->lane_count; i++)
        sum += hash_lane(&state->lanes[i], &names, i);
    for (int i = 0; i < WORDS; i++)
        if (state->words[i].used)
            sum += hash_pair(state->words[i].memory, hash_pair(state->words[i].value, 5));
    hash[0] ^= hash_pair(sum, hash[0]);
    hash[1] ^= hash_pair(hash[1], hash_pair(sum, 7));
}
