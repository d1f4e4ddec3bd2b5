/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/picture.h"

#include "cli/show/picture/dot.h"

struct picture {
    struct arena *arena;
    struct arrow_list arrows;
    struct picture_plan plan;
    struct wording *labels; /* an arrow */
};

enum { MOST_EVENTS = 160, MOST_ARROWS = 500, BETWEEN_LINES = 2 };

static struct point middle_of(const struct rectangle *at)
{
    return (struct point){(at->left + at->right) / 2, (at->bottom + at->top) / 2};
}

static void paint_node(const struct picture *picture, const struct picture_node *node,
                       struct painting *p)
{
    bool title = node->event == NONE;
    paint_open(p,
               title                                   ? PAINT_lane
               : picture->arrows.in_cycle[node->event] ? PAINT_cycle
                                                       : PAINT_event,
               false);
    if (!title)
        paint_box(p, node->at);
    paint_text(p, middle_of(&node->at), node->text);
    paint_close(p);
}

/* Parallel lines, one a relation, with one head. */
static void paint_arrow(const struct picture *picture, const struct arrow *arrow,
                        const struct wording *label, struct painting *p)
{
    uint32_t lines = (uint32_t)__builtin_popcount(arrow->kinds), line = 0;
    for (int kind = 0; kind < ARROW_KINDS; kind++) {
        if (!(arrow->kinds & 1u << kind))
            continue;
        struct picture_way way = picture_way_aside(picture->arena, label->way,
                                                   BETWEEN_LINES * ((lines - 1) / 2.0 - line));
        paint_open(p, PAINT_ARROWS + kind, arrow->in_cycle);
        paint_curve(p, way.at, way.count, line == 0 ? &label->way->tip : NULL);
        if (++line == lines)
            paint_text(p, label->middle, label->text);
        paint_close(p);
    }
}

static GString *paint(const struct picture *picture, const char *title)
{
    struct painting p;
    paint_begin(&p, &paint_svg);
    picture_grid_paint(&picture->plan.grid, &p);
    for (uint32_t i = 0; i < picture->plan.nodes.len; i++)
        paint_node(picture, &picture->plan.nodes.at[i], &p);
    for (uint32_t i = 0; i < picture->arrows.items.len; i++)
        paint_arrow(picture, &picture->arrows.items.at[i], &picture->labels[i], &p);
    paint_end(&p, title);
    return p.out;
}

static bool lead_arrows(struct picture *picture)
{
    uint32_t count = picture->arrows.items.len;
    const struct picture_way *ways =
        picture_route(picture->arena, &picture->plan, &picture->arrows);
    if (!ways)
        return false;
    picture->labels = ARENA_ARRAY(picture->arena, struct wording, count + 1);
    for (uint32_t i = 0; i < count; i++)
        picture->labels[i] =
            (struct wording){.way = &ways[i], .text = picture->arrows.items.at[i].label};
    picture_place_labels(picture->arena, &picture->plan, picture->labels, count);
    return true;
}

/* Why there is no picture, or NULL. */
static const char *refusal(struct picture *picture, const struct explanation *explanation)
{
    if (!explanation->execution)
        return "there is no execution to show";
    picture->arrows = arrows_new(explanation);
    picture->plan = picture_place(explanation, &picture->arrows);
    if (!picture->plan.nodes.len)
        return "no event executes";
    if (picture->plan.nodes.len > MOST_EVENTS)
        return "too many events to be read in a picture";
    if (picture->arrows.items.len > MOST_ARROWS)
        return "too many edges to be read in a picture";
    return lead_arrows(picture) ? NULL : "Graphviz gave up";
}

GString *picture_draw(const struct explanation *explanation, enum picture_format format,
                      const char **refused)
{
    struct picture picture = {.arena = explanation->job->arena};
    const char *title = explanation->job->test->name;
    *refused = refusal(&picture, explanation);
    if (*refused)
        return NULL;
    if (format == PICTURE_DOT)
        return picture_dot(title, &picture.plan, &picture.arrows, picture.labels);
    return paint(&picture, format == PICTURE_PART ? NULL : title);
}
