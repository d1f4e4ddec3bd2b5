/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

/* Which column of the picture each thread and task stands in. */

static uint32_t stream_number(const struct graph *graph, const char *stream)
{
    uint32_t number = 0;
    for (; graph->threads[number].stream != stream; number++)
        ;
    return number;
}

/* An asynchronous operation stands beside the thread that issued it; hosts stand outside. */
static struct picture_lane empty_lane(const struct graph *graph, uint32_t thread)
{
    uint32_t home = thread;
    while (graph->threads[home].issuer != NONE)
        home = graph->threads[home].issuer;
    const struct thread *placed = &graph->threads[home];
    struct picture_lane lane = picture_lane_empty(thread, graph->threads[thread].name);
    if (placed->host != NONE)
        return lane;
    lane.box[LEVEL_GPU] = placed->gpu;
    lane.box[LEVEL_CLUSTER] = placed->cluster;
    lane.box[LEVEL_CTA] = placed->cta;
    lane.stream = placed->stream;
    if (lane.stream)
        lane.box[LEVEL_STREAM] = stream_number(graph, lane.stream);
    return lane;
}

static bool is_task(const struct picture_lane *lane)
{
    return lane->stream && lane->box[LEVEL_CTA] == NONE;
}

/* Has the lane room for the task: is it one for tasks of the stream, and does no thread that is in
 * it stand on the same rows? 'alone': a thread's lane if it had one for itself. */
static bool has_room(const struct picture_plan *p, const struct picture_lane *lane,
                     const struct picture_lane *alone, const struct picture_lane *task)
{
    if (!p->timed || !is_task(task) || !is_task(lane) || lane->stream != task->stream ||
        lane->box[LEVEL_GPU] != task->box[LEVEL_GPU])
        return false;
    for (uint32_t t = 0; t < task->thread; t++)
        if (p->lane_of[t] == lane->thread && alone[t].first <= task->last &&
            task->first <= alone[t].last)
            return false;
    return true;
}

/* Until the lanes are sorted, lane_of gives a lane by its first thread. */
static void add_lane(struct picture_plan *p, const struct picture_lane *alone, uint32_t thread)
{
    const struct picture_lane *own = &alone[thread];
    uint32_t i = 0;
    while (i < p->lane_count && !has_room(p, &p->lanes[i], alone, own))
        i++;
    struct picture_lane *into = &p->lanes[i];
    if (i == p->lane_count)
        p->lanes[p->lane_count++] = *own;
    else
        into->title = "tasks";
    p->lane_of[thread] = into->thread;
    into->first = MIN(into->first, own->first);
    into->last = MAX(into->last, own->last);
    into->width = MAX(into->width, own->width);
}

static uint32_t lane_with(const struct picture_plan *p, uint32_t first_thread)
{
    for (uint32_t i = 0; i < p->lane_count; i++)
        if (p->lanes[i].thread == first_thread)
            return i;
    return NONE;
}

void picture_plan_lanes(struct picture_plan *p)
{
    uint32_t threads = p->graph->thread_count;
    struct picture_lane *alone = ARENA_ARRAY(p->arena, struct picture_lane, threads + 1);
    p->lanes = ARENA_ARRAY(p->arena, struct picture_lane, threads + 1);
    p->lane_of = ARENA_ARRAY(p->arena, uint32_t, threads + 1);
    for (uint32_t thread = 0; thread < threads; thread++)
        alone[thread] = empty_lane(p->graph, thread);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->shown[e] && p->graph->events[e].thread != NONE)
            picture_lane_add(&alone[p->graph->events[e].thread], p->row[e], p->text[e]);
    for (uint32_t thread = 0; thread < threads; thread++) {
        p->lane_of[thread] = NONE;
        if (alone[thread].first != NONE)
            add_lane(p, alone, thread);
    }
    picture_lanes_sort(p->lanes, p->lane_count);
    for (uint32_t thread = 0; thread < threads; thread++)
        p->lane_of[thread] = lane_with(p, p->lane_of[thread]);
}
