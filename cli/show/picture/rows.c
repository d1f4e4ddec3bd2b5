/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/rows.h"

#include <string.h>

/* Which event must stand above which: an event above the next one of its thread, the start of an
 * arrow above its end. */
struct above {
    event_id upper, lower;
};
struct pairs {
    VEC(struct above) items;
};

static struct pairs threads_of(struct arena *arena, const struct graph *graph,
                               const struct arrow_list *arrows)
{
    struct pairs pairs = {{0}};
    event_id *last = ARENA_ARRAY(arena, event_id, graph->thread_count + 1);
    for (uint32_t thread = 0; thread < graph->thread_count; thread++)
        last[thread] = NONE;
    for (event_id e = 0; e < graph->event_count; e++) {
        uint32_t thread = graph->events[e].thread;
        if (!arrows->shown[e] || thread == NONE)
            continue;
        if (last[thread] != NONE)
            vec_push(arena, &pairs.items, ((struct above){last[thread], e}));
        last[thread] = e;
    }
    return pairs;
}

static void add_synchronization(struct arena *arena, const struct arrow_list *arrows,
                                struct pairs *pairs)
{
    for (uint32_t i = 0; i < arrows->items.len; i++) {
        const struct arrow *arrow = &arrows->items.at[i];
        if (arrow->kinds & (1u << ARROW_synchronizes | 1u << ARROW_po | 1u << ARROW_rmw))
            vec_push(arena, &pairs->items, ((struct above){arrow->from, arrow->to}));
    }
}

/* Longest ways, by going over the pairs until nothing moves. False on a circle, which an execution
 * that breaks an axiom may have. */
static bool settle(const struct pairs *pairs, uint32_t *row, uint32_t events)
{
    for (uint32_t round = 0; round <= events; round++) {
        bool moved = false;
        for (uint32_t i = 0; i < pairs->items.len; i++) {
            const struct above *pair = &pairs->items.at[i];
            if (row[pair->lower] > row[pair->upper])
                continue;
            row[pair->lower] = row[pair->upper] + 1;
            moved = true;
        }
        if (!moved)
            return true;
    }
    return false;
}

struct picture_rows picture_rows(struct arena *arena, const struct graph *graph,
                                 const struct arrow_list *arrows)
{
    struct picture_rows rows = {.of = ARENA_ARRAY(arena, uint32_t, graph->event_count + 1)};
    struct pairs pairs = threads_of(arena, graph, arrows), all = threads_of(arena, graph, arrows);
    add_synchronization(arena, arrows, &all);
    rows.timed = graph->test->host && settle(&all, rows.of, graph->event_count);
    if (!rows.timed) {
        memset(rows.of, 0, graph->event_count * sizeof *rows.of);
        settle(&pairs, rows.of, graph->event_count);
    }
    for (event_id e = 0; e < graph->event_count; e++)
        if (arrows->shown[e] && rows.of[e] >= rows.count)
            rows.count = rows.of[e] + 1;
    return rows;
}
