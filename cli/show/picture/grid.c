/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/grid.h"

#include "litmus/base/sort.h"

enum {
    COLUMN = 76,  /* between columns, for arrows and their labels */
    PADDING = 14, /* from what is in a box to the box */
    BOX_TITLE = 16,
    NAME_RIGHT = 6, /* of the corner of the box, to its name */
    NAME_DOWN = 9,
    NAME_HEIGHT = 12,
    TITLE = 20,
    LEAST_WIDTH = 90,
    BESIDE_TEXT = 16,
    LONG_TEXT = 330,
};

/* ---- lanes ---------------------------------------------------------------------------------- */

struct picture_lane picture_lane_empty(uint32_t thread, const char *title)
{
    return (struct picture_lane){.thread = thread,
                                 .title = title,
                                 .box = {NONE, NONE, NONE, NONE},
                                 .first = NONE,
                                 .width = MAX(LEAST_WIDTH, paint_text_width(title) + BESIDE_TEXT)};
}

/* Long texts are calls with the names of constants, whose capitals some fonts make wider than the letters counted. */
static double box_width(const char *text)
{
    double width = paint_text_width(text), beyond = MAX(0, width - LONG_TEXT);
    return width + BESIDE_TEXT + beyond / 4;
}

void picture_lane_add(struct picture_lane *lane, uint32_t row, const char *text)
{
    lane->first = MIN(lane->first, row); /* NONE is larger than any */
    lane->last = MAX(lane->last, row);
    lane->width = MAX(lane->width, box_width(text));
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

void picture_lanes_sort(struct picture_lane *lanes, uint32_t count)
{
    sort_array(lanes, count, sizeof *lanes, compare);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* CTAs and streams are always worth a box; a cluster when one holds two CTAs, a GPU when there are
 * two or a host beside it. */
static void choose_levels(struct picture_grid *g)
{
    g->level[LEVEL_CTA] = g->level[LEVEL_STREAM] = true;
    for (uint32_t i = 1; i < g->lane_count; i++) {
        const uint32_t *a = g->lanes[i - 1].box, *b = g->lanes[i].box;
        g->level[LEVEL_CLUSTER] |=
            a[LEVEL_CLUSTER] == b[LEVEL_CLUSTER] && a[LEVEL_CTA] != b[LEVEL_CTA];
        g->level[LEVEL_GPU] |= a[LEVEL_GPU] != b[LEVEL_GPU];
    }
}

static bool same_box(const struct picture_grid *g, uint32_t i, uint32_t j, int level)
{
    for (int l = 0; l <= level; l++)
        if (g->lanes[i].box[l] != g->lanes[j].box[l])
            return false;
    return true;
}

static bool has_box(const struct picture_grid *g, uint32_t lane, int level)
{
    return g->level[level] && g->lanes[lane].box[level] != NONE;
}

/* Sides of boxes between a lane and the next. */
static int sides_between(const struct picture_grid *g, uint32_t i)
{
    int ends = 0, begins = 0;
    for (int level = 0; level < LANE_LEVELS; level++) {
        ends += has_box(g, i, level) && !same_box(g, i, i + 1, level);
        begins += has_box(g, i + 1, level) && !same_box(g, i, i + 1, level);
    }
    int sides = ends + begins;
    return sides > 2 ? sides - 2 : 0; /* one on each side is part of the distance */
}

static void place_columns(struct picture_grid *g)
{
    double x = 0;
    g->x = ARENA_ARRAY(g->arena, double, g->lane_count + 1);
    for (uint32_t i = 0; i < g->lane_count; i++) {
        g->x[i] = x + g->lanes[i].width / 2;
        x += g->lanes[i].width;
        if (i + 1 < g->lane_count)
            x += COLUMN + PADDING * sides_between(g, i);
    }
}

/* ---- boxes ---------------------------------------------------------------------------------- */

double picture_grid_row(const struct picture_grid *g, uint32_t row)
{
    return -(double)g->row_height * row;
}

static uint32_t first_row(const struct picture_grid *g, uint32_t lane)
{
    return g->own_rows ? g->lanes[lane].first : 0;
}

static uint32_t last_row(const struct picture_grid *g, uint32_t lane)
{
    return g->own_rows ? g->lanes[lane].last : g->row_count - 1;
}

enum { ABOVE = PICTURE_NODE_HEIGHT / 2 + 14 + TITLE };

static struct rectangle box_around(const struct picture_grid *g, uint32_t first, uint32_t last,
                                   int level)
{
    uint32_t top = first_row(g, first), bottom = last_row(g, first);
    int inside = 0;
    for (int inner = level; inner < LANE_LEVELS; inner++) {
        bool any = false;
        for (uint32_t lane = first; lane <= last; lane++)
            any |= has_box(g, lane, inner);
        inside += any;
    }
    for (uint32_t lane = first; lane <= last; lane++) {
        top = MIN(top, first_row(g, lane));
        bottom = MAX(bottom, last_row(g, lane));
    }
    double pad = PADDING * inside;
    return (struct rectangle){g->x[first] - g->lanes[first].width / 2 - pad,
                              picture_grid_row(g, bottom) - PICTURE_NODE_HEIGHT / 2.0 - pad,
                              g->x[last] + g->lanes[last].width / 2 + pad,
                              picture_grid_row(g, top) + ABOVE + BOX_TITLE * inside + 2};
}

/* Among the first 'count' boxes. */
static uint32_t box_at(const struct picture_grid *g, double x, uint32_t count)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < count; i++)
        if (x > g->boxes.at[i].at.left && x < g->boxes.at[i].at.right)
            found = i;
    return found;
}

static const char *box_name(const struct picture_grid *g, const struct picture_lane *lane,
                            int level)
{
    static const char *const words[] = {"GPU", "stream", "cluster", "CTA"};
    if (level == LEVEL_STREAM)
        return arena_printf(g->arena, "stream %s", lane->stream);
    return arena_printf(g->arena, "%s %u", words[level], lane->box[level]);
}

static void place_boxes(struct picture_grid *g)
{
    for (int level = 0; level < LANE_LEVELS; level++) {
        uint32_t outer = g->boxes.len;
        for (uint32_t first = 0, last; first < g->lane_count; first = last + 1) {
            for (last = first; last + 1 < g->lane_count && same_box(g, first, last + 1, level);)
                last++;
            if (!has_box(g, first, level))
                continue;
            struct picture_box box = {box_around(g, first, last, level),
                                      box_name(g, &g->lanes[first], level),
                                      box_at(g, g->x[first], outer)};
            vec_push(g->arena, &g->boxes, box);
        }
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

uint32_t picture_grid_box(const struct picture_grid *g, double x)
{
    return box_at(g, x, g->boxes.len);
}

uint32_t picture_box_depth(const struct picture_grid *g, uint32_t box)
{
    uint32_t depth = 0;
    for (uint32_t up = g->boxes.at[box].parent; up != NONE; up = g->boxes.at[up].parent)
        depth++;
    return depth;
}

double picture_grid_title(const struct picture_grid *g, uint32_t lane)
{
    return picture_grid_row(g, first_row(g, lane)) + ABOVE - TITLE / 2.0;
}

double picture_grid_top(const struct picture_grid *g)
{
    double top = ABOVE;
    for (uint32_t i = 0; i < g->boxes.len; i++)
        top = MAX(top, g->boxes.at[i].at.top);
    return top;
}

struct rectangle picture_box_name(const struct picture_box *box)
{
    double left = box->at.left + NAME_RIGHT, middle = box->at.top - NAME_DOWN;
    return (struct rectangle){left, middle - NAME_HEIGHT / 2.0, left + paint_text_width(box->name),
                              middle + NAME_HEIGHT / 2.0};
}

void picture_grid_paint(const struct picture_grid *g, struct painting *painting)
{
    for (uint32_t i = 0; i < g->boxes.len; i++) {
        const struct picture_box *box = &g->boxes.at[i];
        struct rectangle name = picture_box_name(box);
        paint_open(painting, PAINT_box_0 + picture_box_depth(g, i), false);
        paint_box(painting, box->at);
        paint_text(painting, (struct point){name.left, (name.bottom + name.top) / 2}, box->name);
        paint_close(painting);
    }
}

void picture_grid_place(struct picture_grid *g)
{
    choose_levels(g);
    place_columns(g);
    place_boxes(g);
}
