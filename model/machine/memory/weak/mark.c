/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/state.h"

/* Marks: events that write no memory, such as an allocation or the use of a block. Knowledge of
 * them spreads as knowledge of writes does. A lane's mark replaces its earlier one of the same
 * token, because every lane that knows the later mark knew the earlier. */

static int find_mark(const struct weak_memory *weak, uint32_t lane, uint32_t token)
{
    EACH_ITEM(i, weak_items(weak, ITEM_MARK)) {
        if (weak->state->items[i].lane == lane && weak->state->items[i].sequence == token)
            return (int)i;
    }
    return NO_ITEM;
}

void weak_mark(struct run *run, uint32_t lane, uint32_t token)
{
    struct weak_memory *weak = weak_in(run);
    int mark = find_mark(weak, lane, token);
    const struct item item = {.kind = ITEM_MARK,
                              .pair = PAIRS,
                              .snapshot = NO_ITEM,
                              .lane = (uint16_t)lane,
                              .sequence = token};
    if (mark == NO_ITEM)
        mark = weak_new_item(weak, &item);
    else
        weak_replace(weak, mark, NO_ITEM, false);
    if (mark == NO_ITEM)
        return;
    weak->state->lanes[lane].view[mark] = STAGE_GENERIC;
}

bool weak_knows_marks(struct run *run, uint32_t lane, uint32_t token)
{
    const struct weak_memory *weak = weak_in(run);
    EACH_ITEM(i, weak_items(weak, ITEM_MARK)) {
        if (weak->state->items[i].sequence == token && !weak->state->lanes[lane].view[i])
            return false;
    }
    return true;
}
