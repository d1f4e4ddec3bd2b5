/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/labels.h"

#include <math.h>
#include <stdlib.h>

#include "litmus/base/sort.h"

struct labelling {
    struct wording *labels;
    uint32_t count;
    const struct rectangle *taken;
    uint32_t taken_count;
    struct rectangle *placed;
    uint32_t placed_count;
};

enum { ON_NODE = 1000, ON_LABEL = 400, ON_LINE = 5, ALONG = 48, AWAY = 3 };

static struct rectangle around(const struct wording *label, struct point at)
{
    return (struct rectangle){at.x - label->width / 2, at.y - label->height / 2,
                              at.x + label->width / 2, at.y + label->height / 2};
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
static uint32_t pieces_inside(const struct wording *line, const struct rectangle *box)
{
    if (!overlap(&line->around, box))
        return 0;
    uint32_t inside = 0;
    for (uint32_t i = 1; i < line->points; i++)
        inside += crosses(&line->line[i - 1], &line->line[i], box);
    return inside;
}

static void find_extent(struct wording *line)
{
    struct rectangle all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = 0; i < line->points; i++) {
        const struct point *at = &line->line[i];
        all = (struct rectangle){fmin(all.left, at->x - 1), fmin(all.bottom, at->y - 1),
                                 fmax(all.right, at->x + 1), fmax(all.top, at->y + 1)};
    }
    line->around = all;
}

/* Counts on until it is 'enough'. */
static uint32_t hits(const struct labelling *c, const struct rectangle *box, double enough)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < c->taken_count && result < enough; i++)
        result += ON_NODE * overlap(box, &c->taken[i]);
    for (uint32_t i = 0; i < c->placed_count && result < enough; i++)
        result += ON_LABEL * overlap(box, &c->placed[i]);
    for (uint32_t i = 0; i < c->count && result < enough; i++)
        result += ON_LINE * pieces_inside(&c->labels[i], box);
    return result;
}

/* Beside point 'i', 'side' times so far that the label's corner clears the line. */
static struct point beside(const struct wording *label, uint32_t i, double side)
{
    const struct point *a = &label->line[i ? i - 1 : 0];
    const struct point *b = &label->line[i + 1 < label->points ? i + 1 : i];
    double dx = b->x - a->x, dy = b->y - a->y, length = hypot(dx, dy);
    if (length == 0)
        return label->line[i];
    double nx = -dy / length, ny = dx / length;
    double clear = fabs(nx) * label->width / 2 + fabs(ny) * label->height / 2 + AWAY;
    return (struct point){label->line[i].x + side * clear * nx,
                          label->line[i].y + side * clear * ny};
}

/* Of all places along the line, near its middle first, the one that hits least. */
static void place(struct labelling *c, struct wording *label)
{
    static const double sides[] = {-1, 1, -1.4, 1.4, -2, 2};
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
            label->at = at;
            label->crossed = crossed;
        }
    c->placed[c->placed_count++] = around(label, label->at);
}

static double length_of(const struct wording *label)
{
    double length = 0;
    for (uint32_t i = 1; i < label->points; i++)
        length +=
            hypot(label->line[i].x - label->line[i - 1].x, label->line[i].y - label->line[i - 1].y);
    return length;
}

struct turn {
    double length;
    uint32_t label;
};

static int compare(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    if (fabs(x->length - y->length) > 1e-6)
        return x->length < y->length ? -1 : 1;
    return x->label < y->label ? -1 : x->label > y->label;
}

void picture_place_labels(struct arena *arena, struct wording *labels, uint32_t count,
                          const struct rectangle *taken, uint32_t taken_count)
{
    struct labelling c = {
        labels, count, taken, taken_count, ARENA_ARRAY(arena, struct rectangle, count + 1), 0};
    struct turn *turns = ARENA_ARRAY(arena, struct turn, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        find_extent(&labels[i]);
        turns[i] = (struct turn){length_of(&labels[i]), i};
    }
    sort_array(turns, count, sizeof *turns, compare);
    for (uint32_t i = 0; i < count; i++)
        place(&c, &labels[turns[i].label]);
}
