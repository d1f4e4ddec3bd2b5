/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

/* Marks: events that write no memory, such as an allocation or the use of a block. Knowledge of
 * them spreads as knowledge of writes does. A lane's mark replaces its earlier one of the same
 * token, because every lane that knows the later mark knew the earlier. */

static int find_mark(const struct weak_state *state, uint32_t lane, uint32_t token)
{
    for (int i = 0; i < ITEMS; i++)
        if (state->items[i].kind == ITEM_MARK && state->items[i].lane == lane &&
            state->items[i].sequence == token)
            return i;
    return NO_ITEM;
}

void weak_mark(struct run *run, uint32_t lane, uint32_t token)
{
    struct weak_memory *weak = (struct weak_memory *)run->memory;
    int mark = find_mark(weak->state, lane, token);
    if (mark != NO_ITEM)
        weak_replace(weak, mark, NO_ITEM, false);
    else
        mark = weak_new_item(weak);
    if (mark == NO_ITEM)
        return;
    weak->state->items[mark] = (struct item){.kind = ITEM_MARK,
                                             .pair = PAIRS,
                                             .snapshot = NO_ITEM,
                                             .lane = (uint16_t)lane,
                                             .sequence = token};
    weak->state->lanes[lane].view[mark] = STAGE_GENERIC;
}

bool weak_knows_marks(struct run *run, uint32_t lane, uint32_t token)
{
    const struct weak_state *state = ((const struct weak_memory *)run->memory)->state;
    for (int i = 0; i < ITEMS; i++)
        if (state->items[i].kind == ITEM_MARK && state->items[i].sequence == token &&
            !state->lanes[lane].view[i])
            return false;
    return true;
}
