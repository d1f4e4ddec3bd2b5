/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

#include <string.h>

/* The two tables of the state: items and snapshots. */

uint64_t weak_overlapping(const struct weak_memory *weak, uint64_t set, uint32_t memory,
                          uint32_t bytes)
{
    uint64_t result = 0;
    EACH_ITEM(i, set)
        result |= (uint64_t)item_overlaps(&weak->state->items[i], memory, bytes) << i;
    return result;
}

uint64_t weak_strong_with(const struct weak_memory *weak, uint64_t set, const struct scalar *op)
{
    uint64_t result = 0;
    EACH_ITEM(i, set)
        result |= (uint64_t)weak_strong_pair(weak, &weak->state->items[i], op) << i;
    return result;
}

int weak_new_item(struct weak_memory *weak, const struct item *item)
{
    struct weak_state *state = weak->state;
    uint64_t taken =
        state->of_kind[ITEM_WRITE] | state->of_kind[ITEM_LOAD] | state->of_kind[ITEM_MARK];
    int index = weak->forgets ? weak_place_of(weak, item->lane)
                : ~taken      ? __builtin_ctzll(~taken)
                              : NO_ITEM;
    state->overflow |= index == NO_ITEM;
    if (index == NO_ITEM)
        return NO_ITEM;
    state->items[index] = *item;
    if (weak->forgets)
        state->items[index].sequence = (uint32_t)index;
    state->of_kind[item->kind] |= UINT64_C(1) << index;
    return index;
}

void weak_free_item(struct weak_memory *weak, int index)
{
    struct item *item = &weak->state->items[index];
    weak->state->of_kind[item->kind] &= ~(UINT64_C(1) << index);
    *item = (struct item){0};
}

/* Snapshots that something still refers to, as a set. */
static uint64_t referred(const struct weak_state *state)
{
    uint64_t used = 0;
    for (int i = 0; i < ITEMS; i++) {
        used |= state->items[i].heads;
        if (state->items[i].kind == ITEM_LOAD)
            used |= UINT64_C(1) << state->items[i].snapshot;
    }
    for (uint32_t lane = 0; lane < state->lane_count; lane++)
        for (int i = 0; i < SEEN; i++)
            used |= state->lanes[lane].seen[i].heads;
    return used;
}

void weak_collect(struct weak_memory *weak)
{
    uint64_t used = referred(weak->state);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (weak->state->snapshots[i].retired && !(used >> i & 1))
            weak->state->snapshots[i] = (struct snapshot){0};
}

int weak_new_snapshot(struct weak_memory *weak, const struct snapshot *snapshot)
{
    weak_collect(weak);
    for (int i = 0; i < SNAPSHOTS; i++)
        if (!weak->state->snapshots[i].used) {
            weak->state->snapshots[i] = *snapshot;
            return i;
        }
    weak->state->overflow = true;
    return NO_ITEM;
}

uint64_t *weak_word(struct weak_memory *weak, uint32_t memory)
{
    struct weak_state *state = weak->state;
    for (int i = 0; i < WORDS; i++)
        if (state->words[i].used && state->words[i].memory == memory)
            return &state->words[i].value;
    for (int i = 0; i < WORDS; i++)
        if (!state->words[i].used) {
            state->words[i].used = true;
            state->words[i].memory = memory;
            memcpy(&state->words[i].value, weak->initial + memory, sizeof state->words[i].value);
            return &state->words[i].value;
        }
    state->overflow = true;
    return NULL;
}
