/* SPDX-License-Identifier: MIT */
#include "cli/repair/narrow.h"

#include <string.h>

#include "cli/repair/ask.h"

/* Takes the cheapest option behind the wide ones that has the order of the one chosen and still suffices. */
static bool narrow_place(const struct repair *repair, uint8_t *choice, uint32_t at)
{
    const struct edit_place *place = &repair->places.items.at[at];
    const uint32_t *cost = repair->prices[at].cost;
    uint8_t wide = choice[at];
    for (uint32_t i = place->wide; i < place->options.len; i++) {
        bool fits = place->options.at[i].inst.sem == place->options.at[wide].inst.sem;
        choice[at] = (uint8_t)i;
        if (fits && cost[i] < cost[wide] && repair_ask(repair, choice) == MINIMAL_ENOUGH)
            return true;
    }
    choice[at] = wide;
    return false;
}

struct narrow narrow_find(const struct repair *repair, const struct minimal_set *set)
{
    uint32_t count = repair->places.items.len;
    uint8_t *choice = ARENA_ARRAY(repair->job->arena, uint8_t, count + 1);
    struct narrow narrow = {.cost = set->cost};
    memcpy(choice, set->choice, count);
    for (uint32_t i = 0; i < count && !repair->weakens; i++)
        if (choice[i] && narrow_place(repair, choice, i)) {
            const uint32_t *cost = repair->prices[i].cost;
            narrow.cost += (int64_t)cost[choice[i]] - cost[set->choice[i]];
            narrow.choice = choice;
        }
    return narrow;
}
