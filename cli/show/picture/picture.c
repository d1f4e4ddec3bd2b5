/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/picture.h"

#include "cli/show/picture/plan.h"

enum { MOST_EVENTS = 160, MOST_ARROWS = 500, BETWEEN_LINES = 2, LINE = 16 };

static void paint_node(const struct picture_plan *plan, const struct picture_node *node,
                       struct painting *p)
{
    const struct rectangle *at = &node->at;
    bool title = node->event == NONE, cycle = !title && plan->in_cycle[node->event];
    paint_open(p, title ? PAINT_lane : cycle ? PAINT_cycle : PAINT_event, false);
    if (!title)
        paint_box(p, *at);
    paint_text(p, (struct point){(at->left + at->right) / 2, (at->bottom + at->top) / 2},
               node->text);
    paint_close(p);
}

/* Parallel lines, one a relation, with one head. */
static void paint_arrow(const struct picture_plan *plan, const struct arrow *arrow,
                        struct painting *p)
{
    int lines = __builtin_popcount(arrow->kinds), line = 0;
    for (int kind = 0; kind < ARROW_KINDS; kind++) {
        if (!(arrow->kinds & 1u << kind))
            continue;
        double aside = BETWEEN_LINES * ((lines - 1) / 2.0 - line);
        paint_open(p, PAINT_ARROWS + kind, arrow->in_cycle);
        paint_curve(p, picture_way_aside(plan, arrow, aside), arrow->points,
                    line == 0 ? &arrow->tip : NULL);
        if (++line == lines)
            paint_text(p, arrow->label_at, arrow->label);
        paint_close(p);
    }
}

/* Below: the threads that never end, and why. */
static void paint_stalls(const struct picture_plan *plan, struct painting *p)
{
    double left = p->drawn.left, y = p->drawn.bottom;
    for (uint32_t i = 0; i < plan->stalls.items.len; i++) {
        const struct stall *stall = &plan->stalls.items.at[i];
        paint_open(p, PAINT_heading, false);
        paint_text(p, (struct point){left, y -= LINE},
                   arena_printf(plan->arena, "%s %s", plan->graph->threads[stall->thread].name,
                                stall->words));
        paint_close(p);
    }
}

static GString *paint(const struct picture_plan *plan, const struct paint_form *form,
                      const char *title)
{
    struct painting p;
    paint_begin(&p, form);
    picture_grid_paint(&plan->grid, &p);
    for (uint32_t i = 0; i < plan->nodes.len; i++)
        paint_node(plan, &plan->nodes.at[i], &p);
    for (uint32_t i = 0; i < plan->arrows.len; i++)
        paint_arrow(plan, &plan->arrows.at[i], &p);
    paint_stalls(plan, &p);
    if (plan->view.legend)
        picture_legend(plan, &p);
    paint_end(&p, title, picture_words(plan));
    return p.out;
}

/* Fills the plan in; why it cannot, or NULL. */
static const char *refusal(struct picture_plan *plan)
{
    picture_plan_arrows(plan);
    picture_plan_texts(plan);
    picture_plan_rows(plan);
    picture_plan_lanes(plan);
    picture_plan_nodes(plan);
    if (!plan->nodes.len)
        return "no event executes";
    if (plan->nodes.len > MOST_EVENTS)
        return "too many events to be read in a picture";
    if (plan->arrows.len > MOST_ARROWS)
        return "too many edges to be read in a picture";
    if (!picture_plan_ways(plan))
        return "Graphviz gave up";
    picture_plan_labels(plan);
    return NULL;
}

const struct paint_form *picture_form(enum picture_format format)
{
    static const struct paint_form *const forms[PICTURE_FORMATS] = {[PICTURE_SVG] = &paint_svg,
                                                                    [PICTURE_PART] = &paint_svg,
                                                                    [PICTURE_PDF] = &paint_pdf,
                                                                    [PICTURE_TIKZ] = &paint_tikz};
    return forms[format];
}

GString *picture_draw(const struct explanation *explanation, enum picture_format format,
                      struct picture_view view, const char **refused)
{
    *refused = "there is no execution to show";
    if (!explanation->execution)
        return NULL;
    struct picture_plan plan = {.view = view,
                                .explanation = explanation,
                                .execution = explanation->execution,
                                .graph = explanation->execution->graph,
                                .arena = explanation->job->arena};
    const char *title = explanation->job->test->name;
    plan.stalls = stall_find(explanation->job, plan.execution);
    *refused = refusal(&plan);
    if (*refused)
        return NULL;
    if (format == PICTURE_DOT)
        return picture_dot(&plan, title);
    GString *picture = paint(&plan, picture_form(format), format == PICTURE_PART ? NULL : title);
    *refused = picture ? NULL : PICTURE_NO_PDF;
    return picture;
}
