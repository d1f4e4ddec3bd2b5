/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

/* Where the boxes of the events stand: a column a lane, a row a step. */

enum {
    ROW = 84,       /* from row to row */
    TIMED_ROW = 58, /* where many rows have one event */
    INITIAL = 46,   /* from the top to the initial writes above it */
    COLUMN = 76,
};

static void place_node(struct picture_plan *p, event_id event, const char *text, struct point at,
                       double width)
{
    double half = event == NONE ? 9 : PICTURE_NODE_HEIGHT / 2.0;
    struct picture_node node = {
        event, {at.x - width / 2, at.y - half, at.x + width / 2, at.y + half}, text, NONE};
    if (event == NONE || p->graph->events[event].kind != EVENT_INIT)
        node.box = picture_grid_box(&p->grid, at.x);
    if (event != NONE)
        p->node_of[event] = p->nodes.len;
    vec_push(p->arena, &p->nodes, node);
}

static void place_column(struct picture_plan *p, uint32_t lane)
{
    const struct picture_lane *column = &p->lanes[lane];
    double x = p->grid.x[lane];
    place_node(p, NONE, column->title, (struct point){x, picture_grid_title(&p->grid, lane)},
               column->width);
    for (event_id e = 0; e < p->graph->event_count; e++) {
        uint32_t thread = p->graph->events[e].thread;
        if (p->shown[e] && thread != NONE && p->lane_of[thread] == lane)
            place_node(p, e, p->text[e], (struct point){x, picture_grid_row(&p->grid, p->row[e])},
                       column->width);
    }
}

/* Initial writes that the cycle needs: a row of their own above all. */
static void place_initial(struct picture_plan *p)
{
    struct point at = {p->grid.x[0], picture_grid_top(&p->grid) + INITIAL};
    for (event_id e = 0; e < p->graph->event_count; e++) {
        if (!p->shown[e] || p->graph->events[e].kind != EVENT_INIT)
            continue;
        double width = paint_text_width(p->text[e]) + 16;
        place_node(p, e, p->text[e], at, width);
        at.x += width + COLUMN;
    }
}

void picture_plan_nodes(struct picture_plan *p)
{
    if (!p->lane_count)
        return;
    p->node_of = ARENA_ARRAY(p->arena, uint32_t, p->graph->event_count);
    p->grid = (struct picture_grid){.arena = p->arena,
                                    .lanes = p->lanes,
                                    .lane_count = p->lane_count,
                                    .row_count = p->row_count,
                                    .own_rows = p->timed,
                                    .row_height = p->timed ? TIMED_ROW : ROW};
    picture_grid_place(&p->grid);
    for (uint32_t lane = 0; lane < p->lane_count; lane++)
        place_column(p, lane);
    place_initial(p);
}
