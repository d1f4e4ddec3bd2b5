/* SPDX-License-Identifier: MIT */
#include "cli/picture_place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/witness.h"

enum {
    NODE_HEIGHT = 34,
    ROW = 84,     /* from row to row */
    COLUMN = 76,  /* between columns, for arrows and their labels */
    PADDING = 14, /* from what is in a box to the box */
    BOX_TITLE = 16,
    TITLE = 20,
    LEAST_WIDTH = 90,
};

enum level { LEVEL_gpu, LEVEL_cluster, LEVEL_cta, LEVELS };

struct lane {
    uint32_t thread;
    uint32_t box[LEVELS]; /* number of the CTA …, NONE: no box */
    double x, width;
    uint32_t rows;
};

struct plan {
    const struct explanation *explanation;
    const struct execution *execution;
    const struct graph *graph;
    struct arena *arena;
    const struct arrow_list *arrows;
    struct lane *columns;
    uint32_t column_count, rows;
    bool level[LEVELS]; /* is it drawn? */
    struct picture_plan plan;
};

double picture_text_width(const char *text, int font)
{
    size_t longest = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
    }
    return (double)longest * font * 0.6;
}

/* ---- words ---------------------------------------------------------------------------------- */

static bool reads_initial(const struct plan *p, event_id read)
{
    const struct execution *x = p->execution;
    for (uint32_t i = 0; i < x->granules[read]; i++) {
        event_id source = x->rf[x->rf_base[read] + i];
        if (source == NONE || p->graph->events[source].kind != EVENT_INIT ||
            p->arrows->shown[source])
            return false;
    }
    return x->granules[read] > 0;
}

static const char *effect(const struct plan *p, event_id id)
{
    const struct event *event = &p->graph->events[id];
    uint64_t value = p->execution->value[id];
    switch (event->kind) {
    case EVENT_INIT:
        return arena_printf(p->arena, "= %" PRIu64, value);
    case EVENT_WRITE:
        return arena_printf(p->arena, "writes %" PRIu64, value);
    case EVENT_READ:
        return arena_printf(p->arena, "reads %" PRIu64 "%s", value,
                            reads_initial(p, id) ? " (initial)" : "");
    case EVENT_BARRIER:
        return p->execution->completion[event->barrier] == NONE ? "waits for ever" : "";
    default:
        return "";
    }
}

static const char *node_text(const struct plan *p, event_id id)
{
    const char *name = witness_name(p->arena, p->execution, id), *says = effect(p, id);
    if (p->graph->events[id].kind == EVENT_INIT)
        return arena_printf(p->arena, "%s %s", name, says);
    return arena_printf(p->arena, "%s: %s%s%s", name, p->graph->events[id].text, *says ? "\n" : "",
                        says);
}

/* ---- columns -------------------------------------------------------------------------------- */

/* NONE, which + 1 makes the smallest, stands first: hosts left of GPUs, tasks left of their CTAs.
 */
static int compare_columns(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;
    for (int level = 0; level < LEVELS; level++)
        if (x->box[level] != y->box[level])
            return x->box[level] + 1 < y->box[level] + 1 ? -1 : 1;
    return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* An asynchronous operation stands beside the thread that issued it. */
static struct lane column_of(const struct plan *p, uint32_t thread)
{
    uint32_t home = thread;
    while (p->graph->threads[home].issuer != NONE)
        home = p->graph->threads[home].issuer;
    const struct thread *placed = &p->graph->threads[home];
    struct lane column = {.thread = thread, .box = {placed->gpu, placed->cluster, placed->cta}};
    if (placed->host != NONE)
        column.box[0] = column.box[1] = column.box[2] = NONE;
    return column;
}

static void find_columns(struct plan *p)
{
    p->columns = ARENA_ARRAY(p->arena, struct lane, p->graph->thread_count + 1);
    for (uint32_t thread = 0; thread < p->graph->thread_count; thread++) {
        struct lane column = column_of(p, thread);
        column.width = LEAST_WIDTH;
        for (event_id e = 0; e < p->graph->event_count; e++) {
            if (!p->arrows->shown[e] || p->graph->events[e].thread != thread)
                continue;
            double width = picture_text_width(node_text(p, e), PICTURE_FONT) + 16;
            column.width = width > column.width ? width : column.width;
            column.rows++;
        }
        p->rows = column.rows > p->rows ? column.rows : p->rows;
        if (column.rows)
            p->columns[p->column_count++] = column;
    }
    if (p->column_count)
        qsort(p->columns, p->column_count, sizeof *p->columns, compare_columns);
}

/* A CTA is always worth a box; a cluster when one holds two CTAs, a GPU when there are two or a
 * host beside it. */
static void choose_levels(struct plan *p)
{
    p->level[LEVEL_cta] = true;
    for (uint32_t i = 1; i < p->column_count; i++) {
        const uint32_t *a = p->columns[i - 1].box, *b = p->columns[i].box;
        p->level[LEVEL_cluster] |=
            a[LEVEL_cluster] == b[LEVEL_cluster] && a[LEVEL_cta] != b[LEVEL_cta];
        p->level[LEVEL_gpu] |= a[LEVEL_gpu] != b[LEVEL_gpu];
    }
}

static bool same_box(const struct plan *p, uint32_t i, uint32_t j, int level)
{
    for (int l = 0; l <= level; l++)
        if (p->columns[i].box[l] != p->columns[j].box[l])
            return false;
    return true;
}

static int levels_between(const struct plan *p, uint32_t i)
{
    int count = 0;
    for (int level = 0; level < LEVELS; level++)
        count += p->level[level] && !same_box(p, i, i + 1, level);
    return count;
}

static void place_columns(struct plan *p)
{
    double x = 0;
    for (uint32_t i = 0; i < p->column_count; i++) {
        p->columns[i].x = x + p->columns[i].width / 2;
        x += p->columns[i].width;
        if (i + 1 < p->column_count)
            x += COLUMN + 2 * PADDING * (levels_between(p, i) ? levels_between(p, i) - 1 : 0);
    }
}

/* ---- boxes ---------------------------------------------------------------------------------- */

static double bottom_row(const struct plan *p)
{
    return -(double)ROW * (p->rows ? p->rows - 1 : 0) - NODE_HEIGHT / 2.0;
}

enum { TOP = NODE_HEIGHT / 2 + 14 + TITLE };

static struct rectangle box_around(const struct plan *p, uint32_t first, uint32_t last, int level)
{
    int inside = 0;
    for (int inner = level; inner < LEVELS; inner++)
        inside += p->level[inner];
    double pad = PADDING * inside;
    return (struct rectangle){
        p->columns[first].x - p->columns[first].width / 2 - pad, bottom_row(p) - pad,
        p->columns[last].x + p->columns[last].width / 2 + pad, TOP + BOX_TITLE * inside + 2};
}

static uint32_t box_at(const struct plan *p, double x, uint32_t count)
{
    uint32_t found = NONE;
    for (uint32_t i = 0; i < count; i++)
        if (x > p->plan.boxes.at[i].at.left && x < p->plan.boxes.at[i].at.right)
            found = i;
    return found;
}

static void place_boxes(struct plan *p)
{
    static const char *const words[] = {"GPU", "cluster", "CTA"};
    for (int level = 0; level < LEVELS; level++) {
        uint32_t outer = p->plan.boxes.len;
        for (uint32_t first = 0, last; p->level[level] && first < p->column_count;
             first = last + 1) {
            for (last = first; last + 1 < p->column_count && same_box(p, first, last + 1, level);)
                last++;
            if (p->columns[first].box[level] == NONE)
                continue;
            struct picture_box box = {
                box_around(p, first, last, level),
                arena_printf(p->arena, "%s %u", words[level], p->columns[first].box[level]),
                box_at(p, p->columns[first].x, outer)};
            vec_push(p->arena, &p->plan.boxes, box);
        }
    }
}

/* ---- nodes ---------------------------------------------------------------------------------- */

static void place_node(struct plan *p, event_id event, const char *text, double x, double y,
                       double width)
{
    struct picture_node node = {event, x, y, width, event == NONE ? 18 : NODE_HEIGHT, text, NONE};
    if (event == NONE || p->graph->events[event].kind != EVENT_INIT)
        node.box = box_at(p, x, p->plan.boxes.len);
    vec_push(p->arena, &p->plan.nodes, node);
}

static void place_column(struct plan *p, const struct lane *column)
{
    uint32_t row = 0;
    place_node(p, NONE, p->graph->threads[column->thread].name, column->x, TOP - TITLE / 2.0,
               column->width);
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (p->arrows->shown[e] && p->graph->events[e].thread == column->thread)
            place_node(p, e, node_text(p, e), column->x, -(double)ROW * row++, column->width);
}

/* Initial writes that the cycle needs: a row of their own above all. */
static double place_initial(struct plan *p, double top)
{
    double x = p->columns[0].x;
    bool any = false;
    for (event_id e = 0; e < p->graph->event_count; e++) {
        if (!p->arrows->shown[e] || p->graph->events[e].kind != EVENT_INIT)
            continue;
        double width = picture_text_width(node_text(p, e), PICTURE_FONT) + 16;
        place_node(p, e, node_text(p, e), x, top + 46, width);
        x += width + COLUMN;
        any = true;
    }
    return any ? top + 46 + NODE_HEIGHT / 2.0 : top;
}

static void enclose(struct plan *p)
{
    struct rectangle *all = &p->plan.all;
    for (uint32_t i = 0; i < p->plan.nodes.len; i++) {
        const struct picture_node *node = &p->plan.nodes.at[i];
        all->left = MIN(all->left, node->x - node->width / 2);
        all->right = MAX(all->right, node->x + node->width / 2);
    }
    for (uint32_t i = 0; i < p->plan.boxes.len; i++) {
        all->left = MIN(all->left, p->plan.boxes.at[i].at.left);
        all->right = MAX(all->right, p->plan.boxes.at[i].at.right);
    }
}

struct picture_plan picture_place(const struct explanation *explanation,
                                  const struct arrow_list *arrows)
{
    struct plan p = {.explanation = explanation,
                     .execution = explanation->execution,
                     .graph = explanation->execution->graph,
                     .arena = explanation->job->arena,
                     .arrows = arrows};
    find_columns(&p);
    if (!p.column_count)
        return p.plan;
    choose_levels(&p);
    place_columns(&p);
    place_boxes(&p);
    for (uint32_t i = 0; i < p.column_count; i++)
        place_column(&p, &p.columns[i]);
    double top = TOP, bottom = bottom_row(&p);
    for (uint32_t i = 0; i < p.plan.boxes.len; i++) {
        top = MAX(top, p.plan.boxes.at[i].at.top);
        bottom = MIN(bottom, p.plan.boxes.at[i].at.bottom);
    }
    p.plan.all.top = place_initial(&p, top);
    p.plan.all.bottom = bottom;
    enclose(&p);
    return p.plan;
}
