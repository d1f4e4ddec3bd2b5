/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/lanes.h"

#include <stdlib.h>

#include "cli/show/picture/paint.h"
#include "cli/show/picture/text.h"
#include "litmus/base/sort.h"

enum { LEAST_WIDTH = 90 };

struct finder {
    struct arena *arena;
    const struct execution *execution;
    const struct graph *graph;
    const struct arrow_list *arrows;
    const struct picture_rows *rows;
    VEC(struct picture_lane) lanes;
    struct picture_lane *alone; /* a thread: the lane it would have for itself */
    uint32_t *joined;           /* a thread: the first thread of its lane, or NONE */
};

static uint32_t stream_number(const struct graph *graph, const char *stream)
{
    uint32_t number = 0;
    for (; graph->threads[number].stream != stream; number++)
        ;
    return number;
}

/* An asynchronous operation stands beside the thread that issued it; hosts stand outside. */
static struct picture_lane empty_lane(const struct finder *f, uint32_t thread)
{
    uint32_t home = thread;
    while (f->graph->threads[home].issuer != NONE)
        home = f->graph->threads[home].issuer;
    const struct thread *placed = &f->graph->threads[home];
    struct picture_lane lane = {.thread = thread,
                                .title = f->graph->threads[thread].name,
                                .box = {NONE, NONE, NONE, NONE},
                                .first = NONE,
                                .width = LEAST_WIDTH};
    if (placed->host != NONE)
        return lane;
    lane.box[LEVEL_GPU] = placed->gpu;
    lane.box[LEVEL_CLUSTER] = placed->cluster;
    lane.box[LEVEL_CTA] = placed->cta;
    lane.stream = placed->stream;
    if (lane.stream)
        lane.box[LEVEL_STREAM] = stream_number(f->graph, lane.stream);
    return lane;
}

static struct picture_lane lane_of(const struct finder *f, uint32_t thread)
{
    struct picture_lane lane = empty_lane(f, thread);
    for (event_id e = 0; e < f->graph->event_count; e++) {
        if (!f->arrows->shown[e] || f->graph->events[e].thread != thread)
            continue;
        const char *text = picture_event_text(f->arena, f->execution, f->arrows, e);
        double width = paint_text_width(text) + 16;
        lane.width = width > lane.width ? width : lane.width;
        lane.first = lane.first == NONE ? f->rows->of[e] : lane.first;
        lane.last = f->rows->of[e];
    }
    return lane;
}

static bool is_task(const struct picture_lane *lane)
{
    return lane->stream && lane->box[LEVEL_CTA] == NONE;
}

/* Does another thread of the lane stand on the same rows? */
static bool is_taken(const struct finder *f, uint32_t lane, const struct picture_lane *by)
{
    for (uint32_t t = 0; t < f->graph->thread_count; t++)
        if (f->joined[t] == f->lanes.at[lane].thread && f->alone[t].first <= by->last &&
            by->first <= f->alone[t].last)
            return true;
    return false;
}

static void join(struct finder *f, uint32_t lane, const struct picture_lane *task)
{
    struct picture_lane *into = &f->lanes.at[lane];
    into->title = "tasks";
    into->first = task->first < into->first ? task->first : into->first;
    into->last = task->last > into->last ? task->last : into->last;
    into->width = task->width > into->width ? task->width : into->width;
    f->joined[task->thread] = into->thread;
}

static void add_lane(struct finder *f, const struct picture_lane *lane)
{
    for (uint32_t i = 0; f->rows->timed && is_task(lane) && i < f->lanes.len; i++) {
        const struct picture_lane *other = &f->lanes.at[i];
        if (!is_task(other) || other->stream != lane->stream ||
            other->box[LEVEL_GPU] != lane->box[LEVEL_GPU] || is_taken(f, i, lane))
            continue;
        join(f, i, lane);
        return;
    }
    vec_push(f->arena, &f->lanes, *lane);
    f->joined[lane->thread] = lane->thread;
}

/* NONE, which + 1 makes the smallest, stands first: hosts left of GPUs, tasks left of their CTAs.
 */
static int compare(const void *a, const void *b)
{
    const struct picture_lane *x = a, *y = b;
    for (int level = 0; level < LANE_LEVELS; level++)
        if (x->box[level] != y->box[level])
            return x->box[level] + 1 < y->box[level] + 1 ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

void lanes_sort(struct picture_lane *lanes, uint32_t count)
{
    sort_array(lanes, count, sizeof *lanes, compare);
}

static struct picture_lanes sorted(struct finder *f)
{
    struct picture_lanes lanes = {f->lanes.at, f->lanes.len,
                                  ARENA_ARRAY(f->arena, uint32_t, f->graph->thread_count + 1)};
    lanes_sort(lanes.at, lanes.count);
    for (uint32_t thread = 0; thread < f->graph->thread_count; thread++) {
        lanes.of[thread] = NONE;
        for (uint32_t i = 0; f->joined[thread] != NONE && i < lanes.count; i++)
            if (lanes.at[i].thread == f->joined[thread])
                lanes.of[thread] = i;
    }
    return lanes;
}

struct picture_lanes picture_lanes(struct arena *arena, const struct execution *execution,
                                   const struct arrow_list *arrows, const struct picture_rows *rows)
{
    const struct graph *graph = execution->graph;
    struct finder f = {.arena = arena,
                       .execution = execution,
                       .graph = graph,
                       .arrows = arrows,
                       .rows = rows,
                       .alone = ARENA_ARRAY(arena, struct picture_lane, graph->thread_count + 1),
                       .joined = ARENA_ARRAY(arena, uint32_t, graph->thread_count + 1)};
    for (uint32_t thread = 0; thread < graph->thread_count; thread++) {
        f.alone[thread] = lane_of(&f, thread);
        f.joined[thread] = NONE;
    }
    for (uint32_t thread = 0; thread < graph->thread_count; thread++)
        if (f.alone[thread].first != NONE)
            add_lane(&f, &f.alone[thread]);
    return sorted(&f);
}
