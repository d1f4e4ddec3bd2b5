/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/place.h"

enum {
    ROW = 84,       /* from row to row */
    TIMED_ROW = 58, /* where many rows have one event */
    INITIAL = 46,   /* from the top to the initial writes above it */
    COLUMN = 76,
};

struct plan {
    const struct execution *execution;
    const struct graph *graph;
    struct arena *arena;
    const struct arrow_list *arrows;
    struct picture_rows rows;
    struct picture_lanes lanes;
    struct picture_plan plan;
};

static const char *text_of(const struct plan *p, event_id event)
{
    return picture_event_text(p->arena, p->execution, p->arrows, event);
}

static void place_node(struct plan *p, event_id event, const char *text, double x, double y,
                       double width)
{
    double half = event == NONE ? 9 : PICTURE_NODE_HEIGHT / 2.0;
    struct picture_node node = {
        event, {x - width / 2, y - half, x + width / 2, y + half}, text, NONE};
    if (event == NONE || p->graph->events[event].kind != EVENT_INIT)
        node.box = picture_grid_box(&p->plan.grid, x);
    if (event != NONE)
        p->plan.node_of[event] = p->plan.nodes.len;
    vec_push(p->arena, &p->plan.nodes, node);
}

static void place_column(struct plan *p, uint32_t lane)
{
    const struct picture_lane *column = &p->lanes.at[lane];
    const struct picture_grid *grid = &p->plan.grid;
    double x = grid->x[lane];
    place_node(p, NONE, column->title, x, picture_grid_title(grid, lane), column->width);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->arrows->shown[e] && p->graph->events[e].thread != NONE &&
            p->lanes.of[p->graph->events[e].thread] == lane)
            place_node(p, e, text_of(p, e), x, picture_grid_row(grid, p->rows.of[e]),
                       column->width);
}

/* Initial writes that the cycle needs: a row of their own above all. */
static void place_initial(struct plan *p)
{
    double x = p->plan.grid.x[0], y = picture_grid_top(&p->plan.grid) + INITIAL;
    for (event_id e = 0; e < p->graph->event_count; e++) {
        if (!p->arrows->shown[e] || p->graph->events[e].kind != EVENT_INIT)
            continue;
        double width = paint_text_width(text_of(p, e)) + 16;
        place_node(p, e, text_of(p, e), x, y, width);
        x += width + COLUMN;
    }
}

struct picture_plan picture_place(const struct explanation *explanation,
                                  const struct arrow_list *arrows)
{
    struct plan p = {.execution = explanation->execution,
                     .graph = explanation->execution->graph,
                     .arena = explanation->job->arena,
                     .arrows = arrows};
    p.rows = picture_rows(p.arena, p.graph, arrows);
    p.lanes = picture_lanes(p.arena, p.execution, arrows, &p.rows);
    if (!p.lanes.count)
        return p.plan;
    p.plan.grid = (struct picture_grid){.arena = p.arena,
                                        .lanes = p.lanes.at,
                                        .lane_count = p.lanes.count,
                                        .row_count = p.rows.count,
                                        .own_rows = p.rows.timed,
                                        .row_height = p.rows.timed ? TIMED_ROW : ROW};
    picture_grid_place(&p.plan.grid);
    p.plan.node_of = ARENA_ARRAY(p.arena, uint32_t, p.graph->event_count);
    for (uint32_t lane = 0; lane < p.lanes.count; lane++)
        place_column(&p, lane);
    place_initial(&p);
    return p.plan;
}
