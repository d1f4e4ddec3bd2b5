/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include <math.h>
#include <stdlib.h>

#include "litmus/base/sort.h"

/* The line that the label of an arrow is to stand beside. */
struct label_line {
    struct arrow *arrow;
    double width, length; /* of its text; of the line */
    struct point *line;   /* points on it in order, with both ends */
    uint32_t points;
    struct rectangle around; /* the line */
};

struct labelling {
    const struct picture_plan *plan;
    struct label_line *labels; /* an arrow, the shortest first */
    struct rectangle *placed;  /* labels, and the names of boxes */
    uint32_t placed_count;
};

enum {
    ON_NODE = 1000,
    ON_LABEL = 400,
    ON_LINE = 5,
    ALONG = 48,
    AWAY = 3,
    HEIGHT = 12,
    SAMPLES = 16
};

static struct rectangle around(const struct label_line *label, struct point at)
{
    return (struct rectangle){at.x - label->width / 2, at.y - HEIGHT / 2.0, at.x + label->width / 2,
                              at.y + HEIGHT / 2.0};
}

static bool overlap(const struct rectangle *a, const struct rectangle *b)
{
    return a->left < b->right && b->left < a->right && a->bottom < b->top && b->bottom < a->top;
}

/* Cuts [*from, *to] of a segment down to where it is between two sides of a box. */
static void clip(double at, double by, double low, double high, double *from, double *to)
{
    if (by == 0) {
        *to = at > low && at < high ? *to : -1;
        return;
    }
    double enters = (low - at) / by, leaves = (high - at) / by;
    double first = enters < leaves ? enters : leaves, last = enters < leaves ? leaves : enters;
    *from = first > *from ? first : *from;
    *to = last < *to ? last : *to;
}

static bool crosses(const struct point *a, const struct point *b, const struct rectangle *box)
{
    double from = 0, to = 1;
    clip(a->x, b->x - a->x, box->left, box->right, &from, &to);
    clip(a->y, b->y - a->y, box->bottom, box->top, &from, &to);
    return from < to;
}

/* Pieces of the line that cross the box. */
static uint32_t pieces_inside(const struct label_line *line, const struct rectangle *box)
{
    if (!overlap(&line->around, box))
        return 0;
    uint32_t inside = 0;
    for (uint32_t i = 1; i < line->points; i++)
        inside += crosses(&line->line[i - 1], &line->line[i], box);
    return inside;
}

/* Counts on until it is 'enough'. */
static uint32_t hits(const struct labelling *c, const struct rectangle *box, double enough)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < c->plan->nodes.len && result < enough; i++)
        result += ON_NODE * overlap(box, &c->plan->nodes.at[i].at);
    for (uint32_t i = 0; i < c->placed_count && result < enough; i++)
        result += ON_LABEL * overlap(box, &c->placed[i]);
    for (uint32_t i = 0; i < c->plan->arrows.len && result < enough; i++)
        result += ON_LINE * pieces_inside(&c->labels[i], box);
    return result;
}

/* Beside point 'i', 'side' times so far that the label's corner clears the line. */
static struct point beside(const struct label_line *label, uint32_t i, double side)
{
    const struct point *a = &label->line[i ? i - 1 : 0];
    const struct point *b = &label->line[i + 1 < label->points ? i + 1 : i];
    double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy);
    if (length == 0)
        return label->line[i];
    double nx = -dy / length, ny = dx / length;
    double clear = fabs(nx) * label->width / 2 + fabs(ny) * HEIGHT / 2.0 + AWAY;
    return (struct point){label->line[i].x + side * clear * nx,
                          label->line[i].y + side * clear * ny};
}

/* Of all places along the line, near its middle first, the one that hits least. */
static void place(struct labelling *c, struct label_line *label)
{
    static const double sides[] = {-1, 1, -1.4, 1.4, -2, 2, -3, 3, -4.5, 4.5, -7, 7};
    double least = INFINITY;
    for (uint32_t step = 1; step < ALONG; step++)
        for (size_t side = 0; side < sizeof sides / sizeof *sides; side++) {
            double off = fabs(step - ALONG / 2.0) / ALONG + fabs(sides[side]) * 1.5;
            if (off >= least)
                continue;
            struct point at = beside(label, step * (label->points - 1) / ALONG, sides[side]);
            struct rectangle box = around(label, at);
            uint32_t crossed = hits(c, &box, least - off);
            if (crossed + off >= least)
                continue;
            least = crossed + off;
            label->arrow->label_at = at;
        }
    c->placed[c->placed_count++] = around(label, label->arrow->label_at);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static struct point bezier_at(const struct point *p, double t)
{
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, e = t * t * t;
    return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                          a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
}

static void add_point(struct label_line *label, struct point at)
{
    struct rectangle *all = &label->around;
    if (label->points)
        label->length +=
            hypot(at.x - label->line[label->points - 1].x, at.y - label->line[label->points - 1].y);
    *all = (struct rectangle){fmin(all->left, at.x - 1), fmin(all->bottom, at.y - 1),
                              fmax(all->right, at.x + 1), fmax(all->top, at.y + 1)};
    label->line[label->points++] = at;
}

static struct label_line line_of(struct arena *arena, struct arrow *arrow)
{
    struct label_line label = {
        .arrow = arrow,
        .width = arrow->in_cycle ? paint_bold_width(arrow->label) : paint_text_width(arrow->label),
        .line = ARENA_ARRAY(arena, struct point, arrow->points / 3 * SAMPLES + 1),
        .around = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t piece = 0; piece + 3 < arrow->points; piece += 3)
        for (int s = 0; s < SAMPLES; s++)
            add_point(&label, bezier_at(&arrow->way[piece], (double)s / SAMPLES));
    add_point(&label, arrow->tip);
    return label;
}

static int compare(const void *a, const void *b)
{
    const struct label_line *x = a, *y = b;
    if (fabs(x->length - y->length) > 1e-6)
        return x->length < y->length ? -1 : 1;
    return x->arrow < y->arrow ? -1 : x->arrow > y->arrow;
}

void picture_plan_labels(struct picture_plan *p)
{
    uint32_t count = p->arrows.len;
    struct labelling c = {
        .plan = p,
        .labels = ARENA_ARRAY(p->arena, struct label_line, count + 1),
        .placed = ARENA_ARRAY(p->arena, struct rectangle, count + p->grid.boxes.len + 1)};
    for (uint32_t i = 0; i < p->grid.boxes.len; i++)
        c.placed[c.placed_count++] = picture_box_name(&p->grid.boxes.at[i]);
    for (uint32_t i = 0; i < count; i++)
        c.labels[i] = line_of(p->arena, &p->arrows.at[i]);
    sort_array(c.labels, count, sizeof *c.labels, compare);
    for (uint32_t i = 0; i < count; i++)
        place(&c, &c.labels[i]);
}
