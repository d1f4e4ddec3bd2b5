/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include <string.h>

/* How far down each event stands. */

/* Which event must stand above which: an event above the next one of its thread, the start of an
 * arrow above its end. */
struct above {
    event_id upper, lower;
};
struct pairs {
    VEC(struct above) items;
};

static void add_threads(const struct picture_plan *p, struct pairs *pairs)
{
    event_id *last = ARENA_ARRAY(p->arena, event_id, p->graph->thread_count + 1);
    for (uint32_t thread = 0; thread < p->graph->thread_count; thread++)
        last[thread] = NONE;
    for (event_id e = 0; e < p->graph->event_count; e++) {
        uint32_t thread = p->graph->events[e].thread;
        if (!p->shown[e] || thread == NONE)
            continue;
        if (last[thread] != NONE)
            vec_push(p->arena, &pairs->items, ((struct above){last[thread], e}));
        last[thread] = e;
    }
}

static void add_synchronization(const struct picture_plan *p, struct pairs *pairs)
{
    for (uint32_t i = 0; i < p->arrows.len; i++) {
        const struct arrow *arrow = &p->arrows.at[i];
        if (arrow->kinds & (1u << ARROW_synchronizes | 1u << ARROW_po | 1u << ARROW_rmw))
            vec_push(p->arena, &pairs->items, ((struct above){arrow->from, arrow->to}));
    }
}

/* Longest ways, by going over the pairs until nothing moves. False on a circle, which an execution
 * that breaks an axiom may have. */
static bool settle(struct picture_plan *p, const struct pairs *pairs)
{
    bool moved = true;
    memset(p->row, 0, p->graph->event_count * sizeof *p->row);
    for (uint32_t round = 0; moved && round <= p->graph->event_count; round++) {
        moved = false;
        for (uint32_t i = 0; i < pairs->items.len; i++) {
            const struct above *pair = &pairs->items.at[i];
            if (p->row[pair->lower] > p->row[pair->upper])
                continue;
            p->row[pair->lower] = p->row[pair->upper] + 1;
            moved = true;
        }
    }
    return !moved;
}

void picture_plan_rows(struct picture_plan *p)
{
    struct pairs pairs = {{0}};
    p->row = ARENA_ARRAY(p->arena, uint32_t, p->graph->event_count + 1);
    add_threads(p, &pairs);
    uint32_t in_threads = pairs.items.len;
    add_synchronization(p, &pairs);
    p->timed = p->graph->test->host && settle(p, &pairs);
    pairs.items.len = in_threads;
    if (!p->timed)
        settle(p, &pairs);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->shown[e])
            p->row_count = MAX(p->row_count, p->row[e] + 1);
}
