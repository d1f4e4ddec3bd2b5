/* SPDX-License-Identifier: MIT */
#include "cli/picture_place.h"

#include "cli/picture_lanes.h"

enum {
    NODE_HEIGHT = 34,
    ROW = 84,       /* from row to row */
    TIMED_ROW = 58, /* where many rows have one event */
    COLUMN = 76,    /* between columns, for arrows and their labels */
    PADDING = 14,   /* from what is in a box to the box */
    BOX_TITLE = 16,
    TITLE = 20,
};

struct plan {
    const struct execution *execution;
    const struct graph *graph;
    struct arena *arena;
    const struct arrow_list *arrows;
    struct picture_rows rows;
    struct picture_lanes lanes;
    double *x;               /* a lane: its middle */
    bool level[LANE_LEVELS]; /* is it drawn? */
    struct picture_plan plan;
};

/* ---- columns -------------------------------------------------------------------------------- */

/* CTAs and streams are always worth a box; a cluster when one holds two CTAs, a GPU when there are
 * two or a host beside it. */
static void choose_levels(struct plan *p)
{
    p->level[LEVEL_CTA] = p->level[LEVEL_STREAM] = true;
    for (uint32_t i = 1; i < p->lanes.count; i++) {
        const uint32_t *a = p->lanes.at[i - 1].box, *b = p->lanes.at[i].box;
        p->level[LEVEL_CLUSTER] |=
            a[LEVEL_CLUSTER] == b[LEVEL_CLUSTER] && a[LEVEL_CTA] != b[LEVEL_CTA];
        p->level[LEVEL_GPU] |= a[LEVEL_GPU] != b[LEVEL_GPU];
    }
}

static bool same_box(const struct plan *p, uint32_t i, uint32_t j, int level)
{
    for (int l = 0; l <= level; l++)
        if (p->lanes.at[i].box[l] != p->lanes.at[j].box[l])
            return false;
    return true;
}

static bool has_box(const struct plan *p, uint32_t lane, int level)
{
    return p->level[level] && p->lanes.at[lane].box[level] != NONE;
}

/* Sides of boxes between a lane and the next. */
static int sides_between(const struct plan *p, uint32_t i)
{
    int ends = 0, begins = 0;
    for (int level = 0; level < LANE_LEVELS; level++) {
        ends += has_box(p, i, level) && !same_box(p, i, i + 1, level);
        begins += has_box(p, i + 1, level) && !same_box(p, i, i + 1, level);
    }
    int sides = ends + begins;
    return sides > 2 ? sides - 2 : 0; /* one on each side is part of the distance */
}

static void place_columns(struct plan *p)
{
    double x = 0;
    p->x = ARENA_ARRAY(p->arena, double, p->lanes.count + 1);
    for (uint32_t i = 0; i < p->lanes.count; i++) {
        p->x[i] = x + p->lanes.at[i].width / 2;
        x += p->lanes.at[i].width;
        if (i + 1 < p->lanes.count)
            x += COLUMN + PADDING * sides_between(p, i);
    }
}

/* ---- boxes ---------------------------------------------------------------------------------- */

static double row_at(const struct plan *p, uint32_t row)
{
    return -(double)(p->rows.timed ? TIMED_ROW : ROW) * row;
}

static uint32_t first_row(const struct plan *p, uint32_t lane)
{
    return p->rows.timed ? p->lanes.at[lane].first : 0;
}

static uint32_t last_row(const struct plan *p, uint32_t lane)
{
    return p->rows.timed ? p->lanes.at[lane].last : p->rows.count - 1;
}

enum { ABOVE = NODE_HEIGHT / 2 + 14 + TITLE };

static struct rectangle box_around(const struct plan *p, uint32_t first, uint32_t last, int level)
{
    uint32_t top = first_row(p, first), bottom = last_row(p, first);
    int inside = 0;
    for (int inner = level; inner < LANE_LEVELS; inner++) {
        bool any = false;
        for (uint32_t lane = first; lane <= last; lane++)
            any |= has_box(p, lane, inner);
        inside += any;
    }
    for (uint32_t lane = first; lane <= last; lane++) {
        top = MIN(top, first_row(p, lane));
        bottom = MAX(bottom, last_row(p, lane));
    }
    double pad = PADDING * inside;
    return (struct rectangle){p->x[first] - p->lanes.at[first].width / 2 - pad,
                              row_at(p, bottom) - NODE_HEIGHT / 2.0 - pad,
                              p->x[last] + p->lanes.at[last].width / 2 + pad,
                              row_at(p, top) + ABOVE + BOX_TITLE * inside + 2};
}

static uint32_t box_at(const struct plan *p, double x, uint32_t count)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < count; i++)
        if (x > p->plan.boxes.at[i].at.left && x < p->plan.boxes.at[i].at.right)
            found = i;
    return found;
}

static const char *box_name(const struct plan *p, const struct lane *lane, int level)
{
    static const char *const words[] = {"GPU", "stream", "cluster", "CTA"};
    if (level == LEVEL_STREAM)
        return arena_printf(p->arena, "stream %s", lane->stream);
    return arena_printf(p->arena, "%s %u", words[level], lane->box[level]);
}

static void place_boxes(struct plan *p)
{
    for (int level = 0; level < LANE_LEVELS; level++) {
        uint32_t outer = p->plan.boxes.len;
        for (uint32_t first = 0, last; first < p->lanes.count; first = last + 1) {
            for (last = first; last + 1 < p->lanes.count && same_box(p, first, last + 1, level);)
                last++;
            if (!has_box(p, first, level))
                continue;
            struct picture_box box = {box_around(p, first, last, level),
                                      box_name(p, &p->lanes.at[first], level),
                                      box_at(p, p->x[first], outer)};
            vec_push(p->arena, &p->plan.boxes, box);
        }
    }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static const char *text_of(const struct plan *p, event_id event)
{
    return picture_event_text(p->arena, p->execution, p->arrows, event);
}

static void place_node(struct plan *p, event_id event, const char *text, double x, double y,
                       double width)
{
    struct picture_node node = {event, x, y, width, event == NONE ? 18 : NODE_HEIGHT, text, NONE};
    if (event == NONE || p->graph->events[event].kind != EVENT_INIT)
        node.box = box_at(p, x, p->plan.boxes.len);
    vec_push(p->arena, &p->plan.nodes, node);
}

static void place_column(struct plan *p, uint32_t lane)
{
    const struct lane *column = &p->lanes.at[lane];
    place_node(p, NONE, column->title, p->x[lane],
               row_at(p, first_row(p, lane)) + ABOVE - TITLE / 2.0, column->width);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->arrows->shown[e] && p->graph->events[e].thread != NONE &&
            p->lanes.of[p->graph->events[e].thread] == lane)
            place_node(p, e, text_of(p, e), p->x[lane], row_at(p, p->rows.of[e]), column->width);
}

/* Initial writes that the cycle needs: a row of their own above all. */
static double place_initial(struct plan *p, double top)
{
    double x = p->x[0];
    bool any = false;
    for (event_id e = 0; e < p->graph->event_count; e++) {
        if (!p->arrows->shown[e] || p->graph->events[e].kind != EVENT_INIT)
            continue;
        double width = picture_text_width(text_of(p, e), PICTURE_FONT) + 16;
        place_node(p, e, text_of(p, e), x, top + 46, width);
        x += width + COLUMN;
        any = true;
    }
    return any ? top + 46 + NODE_HEIGHT / 2.0 : top;
}

static void enclose(struct plan *p)
{
    struct rectangle *all = &p->plan.all;
    *all = (struct rectangle){0, row_at(p, p->rows.count - 1) - NODE_HEIGHT / 2.0, 0, ABOVE};
    for (uint32_t i = 0; i < p->plan.boxes.len; i++) {
        const struct rectangle *box = &p->plan.boxes.at[i].at;
        *all = (struct rectangle){MIN(all->left, box->left), MIN(all->bottom, box->bottom),
                                  MAX(all->right, box->right), MAX(all->top, box->top)};
    }
    all->top = place_initial(p, all->top);
    for (uint32_t i = 0; i < p->plan.nodes.len; i++) {
        const struct picture_node *node = &p->plan.nodes.at[i];
        all->left = MIN(all->left, node->x - node->width / 2);
        all->right = MAX(all->right, node->x + node->width / 2);
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
    choose_levels(&p);
    place_columns(&p);
    place_boxes(&p);
    for (uint32_t lane = 0; lane < p.lanes.count; lane++)
        place_column(&p, lane);
    enclose(&p);
    return p.plan;
}
