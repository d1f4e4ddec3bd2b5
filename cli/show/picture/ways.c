/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include <graphviz/gvc.h>
#include <math.h>

/* The ways of the arrows. Graphviz finds those that lead around boxes; an arrow with an
 * opposite one beside it steps aside. */

enum { ASIDE = 4 };

/* ---- Graphviz ------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void set(void *object, const char *name,
                                                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *value = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    agsafeset(object, (char *)name, value, (char *)"");
}

static void set_defaults(Agraph_t *graph)
{
    static const struct {
        int kind;
        const char *name, *value;
    } defaults[] = {{AGRAPH, "splines", "true"}, {AGRAPH, "notranslate", "true"},
                    {AGRAPH, "esep", "+4"},      {AGRAPH, "sep", "+6"},
                    {AGNODE, "shape", "box"},    {AGNODE, "fixedsize", "true"},
                    {AGNODE, "label", ""}, /* fonts are not asked for */
                    {AGEDGE, "arrowsize", "0.7"}};
    for (size_t i = 0; i < G_N_ELEMENTS(defaults); i++)
        agattr(graph, defaults[i].kind, (char *)defaults[i].name, (char *)defaults[i].value);
}

static Agnode_t *add_node(Agraph_t *graph, const struct rectangle *at)
{
    Agnode_t *node = agnode(graph, NULL, 1);
    set(node, "pos", "%.1f,%.1f", (at->left + at->right) / 2, (at->bottom + at->top) / 2);
    set(node, "width", "%.4f", (at->right - at->left) / 72);
    set(node, "height", "%.4f", (at->top - at->bottom) / 72);
    return node;
}

static void add_all(struct picture_plan *p, Agraph_t *graph, Agedge_t **edges)
{
    Agnode_t **nodes = ARENA_ARRAY(p->arena, Agnode_t *, p->nodes.len);
    set_defaults(graph);
    for (uint32_t i = 0; i < p->nodes.len; i++)
        nodes[i] = add_node(graph, &p->nodes.at[i].at);
    for (uint32_t i = 0; i < p->arrows.len; i++)
        edges[i] = agedge(graph, nodes[p->node_of[p->arrows.at[i].from]],
                          nodes[p->node_of[p->arrows.at[i].to]], NULL, 1);
}

static void take_way(struct picture_plan *p, struct arrow *arrow, const bezier *line)
{
    arrow->points = (uint32_t)line->size;
    arrow->way = ARENA_ARRAY(p->arena, struct point, line->size + 1);
    for (int i = 0; i < line->size; i++)
        arrow->way[i] = (struct point){line->list[i].x, line->list[i].y};
    arrow->tip = (struct point){line->ep.x, line->ep.y};
}

/* ---- arrows there and back ------------------------------------------------------------------ */

static struct point point_aside(struct point at, struct point from, struct point to,
                                double distance)
{
    double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
    double step = length > 0 ? distance / length : 0;
    return (struct point){at.x - step * dy, at.y + step * dx};
}

struct point *picture_way_aside(const struct picture_plan *p, const struct arrow *arrow,
                                double distance)
{
    uint32_t last = arrow->points - 1;
    const struct point *way = arrow->way;
    struct point *aside = ARENA_ARRAY(p->arena, struct point, last + 2);
    for (uint32_t i = 0; i <= last; i++)
        aside[i] =
            point_aside(way[i], way[i ? i - 1 : 0], i < last ? way[i + 1] : arrow->tip, distance);
    aside[last + 1] = point_aside(arrow->tip, way[last], arrow->tip, distance);
    return aside;
}

/* Graphviz leads an arrow the same way as the one back: each steps aside. */
static bool has_opposite(const struct picture_plan *p, const struct arrow *there)
{
    for (uint32_t i = 0; i < p->arrows.len; i++)
        if (p->arrows.at[i].from == there->to && p->arrows.at[i].to == there->from)
            return true;
    return false;
}

/* Takes an end that was on the border of the node back to it. */
static struct point on_border(const struct rectangle *node, struct point was, struct point end)
{
    bool level = fabs(was.y - node->top) < 1.5 || fabs(was.y - node->bottom) < 1.5;
    return level ? (struct point){end.x, was.y} : (struct point){was.x, end.y};
}

static void step_aside(struct picture_plan *p, struct arrow *arrow)
{
    struct point *way = picture_way_aside(p, arrow, ASIDE);
    way[0] = on_border(&p->nodes.at[p->node_of[arrow->from]].at, arrow->way[0], way[0]);
    arrow->tip = on_border(&p->nodes.at[p->node_of[arrow->to]].at, arrow->tip, way[arrow->points]);
    arrow->way = way;
}

bool picture_plan_ways(struct picture_plan *p)
{
    agseterr(AGMAX); /* a library does not print */
    GVC_t *context = gvContext();
    Agraph_t *graph = agopen((char *)"", Agdirected, NULL);
    Agedge_t **edges = ARENA_ARRAY(p->arena, Agedge_t *, p->arrows.len + 1);
    add_all(p, graph, edges);
    bool good = gvLayout(context, graph, "nop") == 0;
    for (uint32_t i = 0; i < p->arrows.len && (good = good && ED_spl(edges[i])); i++) {
        struct arrow *arrow = &p->arrows.at[i];
        take_way(p, arrow, &ED_spl(edges[i])->list[0]);
        if (has_opposite(p, arrow))
            step_aside(p, arrow);
    }
    gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
    return good;
}
