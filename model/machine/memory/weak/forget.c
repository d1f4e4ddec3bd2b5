/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/weak.h"

#include "model/machine/memory/weak/access.h"

/* Forgets what no continuation can tell, so that a loop that writes leads back to where it began. Each lane has a
 * part of the table for its own writes, which take the first free place there: the place names the write. */

/* Writes of a location that are kept apart, and lanes, so that each has some places. */
enum { KEPT = 2, FORGETTING_LANES = 8 };

bool weak_memory_start_forgetting(struct memory *memory)
{
    struct weak_memory *weak = (struct weak_memory *)memory;
    weak->forgets = weak->machine->lane_count <= FORGETTING_LANES && !weak->pair_count;
    return weak->forgets;
}

int weak_place_of(const struct weak_memory *weak, uint32_t lane)
{
    const struct weak_state *state = weak->state;
    uint32_t room = ITEMS / state->lane_count;
    for (uint32_t i = lane * room; i < (lane + 1) * room; i++)
        if (!state->items[i].kind)
            return (int)i;
    return NO_ITEM;
}

uint64_t weak_memory_writes(const struct memory *memory)
{
    return weak_items((const struct weak_memory *)memory, ITEM_WRITE);
}

uint64_t weak_memory_take_missed(struct memory *memory)
{
    struct weak_memory *weak = (struct weak_memory *)memory;
    uint64_t missed = weak->missed;
    weak->missed = 0;
    return missed;
}

/* ---- writes --------------------------------------------------------------------------------- */

static bool same_place(const struct item *a, const struct item *b)
{
    return a->address == b->address && a->memory == b->memory && a->bytes == b->bytes;
}

/* Is every write that overlaps it one of the same bytes, and before or after it? */
static bool is_ordered(const struct weak_memory *weak, uint32_t write)
{
    const struct weak_state *state = weak->state;
    const struct item *item = &state->items[write];
    uint64_t all = weak_overlapping(weak, weak_items(weak, ITEM_WRITE), item->memory, item->bytes);
    EACH_ITEM(i, all & ~item_bit((int)write)) {
        bool before = state->co[write] >> i & 1, after = state->co[i] >> write & 1;
        if (!same_place(&state->items[i], item) || (!before && !after))
            return false;
    }
    return true;
}

/* Does every lane that is not done know a write of the set? */
static bool all_know(struct run *run, uint64_t writes)
{
    const struct weak_memory *weak = weak_in(run);
    for (uint32_t lane = 0; lane < weak->state->lane_count; lane++) {
        bool knows = !machine_program(run->machine, lane) || run_exited(run, lane);
        EACH_ITEM(i, writes)
            knows |= weak->state->lanes[lane].view[i] & STAGE_GENERIC;
        if (!knows)
            return false;
    }
    return true;
}

/* Nothing comes between it and its atomic any more. */
static bool atomics_are_over(struct run *run, uint32_t write)
{
    const struct weak_state *state = weak_in(run)->state;
    EACH_ITEM(i, state->of_kind[ITEM_WRITE]) {
        const struct item *item = &state->items[i];
        if (item->rmw && item->rmw_from.items >> write & 1 &&
            !all_know(run, state->co[i] | item_bit((int)i)))
            return false;
    }
    return true;
}

static void forget(struct weak_memory *weak, uint32_t write)
{
    struct weak_state *state = weak->state;
    for (uint32_t i = 0; i < ITEMS; i++) {
        state->co[i] &= ~item_bit((int)write);
        state->never_co[i] &= ~item_bit((int)write);
        if (state->items[i].rmw_from.items >> write & 1)
            state->items[i].rmw = false;
        state->items[i].rmw_from.items &= ~item_bit((int)write);
    }
    state->co[write] = state->never_co[write] = 0;
    weak_replace(weak, (int)write, NO_ITEM, false);
    weak_free_item(weak, (int)write);
}

static void forget_writes(struct run *run)
{
    struct weak_memory *weak = weak_in(run);
    EACH_ITEM(i, weak_items(weak, ITEM_WRITE)) {
        if (is_ordered(weak, (uint32_t)i) && all_know(run, weak->state->co[i]) &&
            atomics_are_over(run, (uint32_t)i))
            forget(weak, (uint32_t)i);
    }
}

/* Of the first of more than a few writes of a location everybody learns that it is overwritten, as if by a read
 * of the next one: knowledge only restrains. */
static void learn_of_next(struct run *run, uint32_t write)
{
    struct weak_state *state = weak_in(run)->state;
    uint64_t later = state->co[write], next = later;
    EACH_ITEM(i, later)
        next &= ~state->co[i];
    for (uint32_t lane = 0; lane < state->lane_count; lane++) {
        bool knows = false;
        EACH_ITEM(i, later)
            knows |= state->lanes[lane].view[i] & STAGE_GENERIC;
        EACH_ITEM(i, knows ? 0 : next)
            state->lanes[lane].view[i] |= STAGE_GENERIC;
    }
}

static void learn(struct run *run)
{
    const struct weak_memory *weak = weak_in(run);
    EACH_ITEM(i, weak_items(weak, ITEM_WRITE)) {
        if (__builtin_popcountll(weak->state->co[i]) >= KEPT && is_ordered(weak, (uint32_t)i))
            learn_of_next(run, (uint32_t)i);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

/* The initial contents are overwritten for all: what an atomic read there is of no more use. */
static void forget_initial(struct run *run)
{
    struct weak_state *state = weak_in(run)->state;
    EACH_ITEM(i, state->of_kind[ITEM_WRITE]) {
        struct item *item = &state->items[i];
        if (item->rmw && !item->rmw_from.items && all_know(run, state->co[i] | item_bit((int)i)))
            item->rmw = item->rmw_from.init = false;
    }
}

static bool tells(const stage *view, const struct snapshot *snapshot)
{
    for (int i = 0; i < ITEMS; i++)
        if (snapshot->view[i] & ~view[i])
            return true;
    return false;
}

/* The records that tell the lane something it does not know. */
static uint64_t telling(const struct weak_state *state, uint32_t lane, uint64_t records)
{
    EACH_ITEM(i, records) {
        if (!tells(state->lanes[lane].view, &state->snapshots[i]))
            records &= ~item_bit((int)i);
    }
    return records;
}

static void forget_records(struct run *run)
{
    struct weak_state *state = weak_in(run)->state;
    uint64_t news = 0;
    for (uint32_t lane = 0; lane < state->lane_count; lane++) {
        bool over = !machine_program(run->machine, lane) || run_exited(run, lane);
        for (int i = 0; i < SEEN; i++) {
            uint64_t *heads = &state->lanes[lane].seen[i].heads;
            *heads = over ? 0 : telling(state, lane, *heads);
        }
        EACH_ITEM(i, state->of_kind[ITEM_WRITE])
            news |= over ? 0 : telling(state, lane, state->items[i].heads);
    }
    EACH_ITEM(i, state->of_kind[ITEM_WRITE])
        state->items[i].heads &= news;
}

void weak_memory_forget(struct run *run)
{
    struct weak_memory *weak = weak_in(run);
    if (weak_items(weak, ITEM_LOAD))
        return;
    learn(run);
    forget_writes(run);
    forget_initial(run);
    forget_records(run);
    for (uint32_t lane = 0; lane < weak->state->lane_count; lane++)
        weak->state->lanes[lane].writes = 0;
}
