/* SPDX-License-Identifier: MIT */
#include "solver/sat/state.h"

/* Variables in a heap: the one that conflicts named most, and most recently, comes first; of equals
 * any, but always the same. */

#define FADE      0.95
#define TOO_LARGE 1e100

static void put(struct sat *sat, uint32_t at, uint32_t variable)
{
    sat->heap.at[at] = variable;
    sat->place[variable] = at;
}

static void rise(struct sat *sat, uint32_t at)
{
    uint32_t variable = sat->heap.at[at];
    while (at > 0) {
        uint32_t above = (at - 1) / 2;
        if (sat->activity[sat->heap.at[above]] >= sat->activity[variable])
            break;
        put(sat, at, sat->heap.at[above]);
        at = above;
    }
    put(sat, at, variable);
}

static void sink(struct sat *sat, uint32_t at)
{
    uint32_t variable = sat->heap.at[at];
    for (uint32_t below = 2 * at + 1; below < sat->heap.len; below = 2 * at + 1) {
        if (below + 1 < sat->heap.len &&
            sat->activity[sat->heap.at[below + 1]] > sat->activity[sat->heap.at[below]])
            below++;
        if (sat->activity[sat->heap.at[below]] <= sat->activity[variable])
            break;
        put(sat, at, sat->heap.at[below]);
        at = below;
    }
    put(sat, at, variable);
}

void activity_enter(struct sat *sat, uint32_t variable)
{
    if (sat->place[variable] != NONE_PLACE)
        return;
    vec_push(sat->arena, &sat->heap, variable);
    rise(sat, sat->heap.len - 1);
}

void activity_bump(struct sat *sat, uint32_t variable)
{
    sat->activity[variable] += sat->bump;
    if (sat->activity[variable] > TOO_LARGE) {
        for (uint32_t v = 0; v < sat->variables; v++)
            sat->activity[v] /= TOO_LARGE;
        sat->bump /= TOO_LARGE;
    }
    if (sat->place[variable] != NONE_PLACE)
        rise(sat, sat->place[variable]);
}

void activity_fade(struct sat *sat)
{
    sat->bump /= FADE;
}

static uint32_t take_first(struct sat *sat)
{
    uint32_t first = sat->heap.at[0], last = sat->heap.at[--sat->heap.len];
    sat->place[first] = NONE_PLACE;
    if (first != last) {
        put(sat, 0, last);
        sink(sat, 0);
    }
    return first;
}

uint32_t activity_next(struct sat *sat)
{
    while (sat->heap.len > 0) {
        uint32_t variable = take_first(sat);
        if (sat->value[2 * variable] == 0)
            return variable;
    }
    return NONE_PLACE;
}
