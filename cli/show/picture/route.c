/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/route.h"

#include <graphviz/gvc.h>
#include <math.h>

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

static struct picture_way way_of(struct arena *arena, Agedge_t *edge)
{
    const bezier *line = &ED_spl(edge)->list[0];
    struct picture_way way = {ARENA_ARRAY(arena, struct point, line->size),
                              (uint32_t)line->size,
                              {line->ep.x, line->ep.y}};
    for (uint32_t i = 0; i < way.count; i++)
        way.at[i] = (struct point){line->list[i].x, line->list[i].y};
    return way;
}

/* The arrows of the graph, led around its nodes. */
static Agedge_t **add_all(struct arena *arena, Agraph_t *graph, const struct picture_plan *plan,
                          const struct arrow_list *arrows)
{
    Agnode_t **nodes = ARENA_ARRAY(arena, Agnode_t *, plan->nodes.len);
    Agedge_t **edges = ARENA_ARRAY(arena, Agedge_t *, arrows->items.len + 1);
    set_defaults(graph);
    for (uint32_t i = 0; i < plan->nodes.len; i++)
        nodes[i] = add_node(graph, &plan->nodes.at[i].at);
    for (uint32_t i = 0; i < arrows->items.len; i++) {
        const struct arrow *arrow = &arrows->items.at[i];
        edges[i] = agedge(graph, nodes[plan->node_of[arrow->from]], nodes[plan->node_of[arrow->to]],
                          NULL, 1);
    }
    return edges;
}

/* ---- arrows there and back ------------------------------------------------------------------ */

struct picture_way picture_way_aside(struct arena *arena, const struct picture_way *way,
                                     double distance)
{
    struct picture_way moved = {ARENA_ARRAY(arena, struct point, way->count + 1), way->count,
                                way->tip};
    for (uint32_t i = 0; i < way->count; i++) {
        const struct point *from = &way->at[i ? i - 1 : 0];
        const struct point *to = i + 1 < way->count ? &way->at[i + 1] : &way->tip;
        double dx = to->x - from->x, dy = to->y - from->y, length = hypot(dx, dy);
        double step = length > 0 ? distance / length : 0;
        struct point aside = {-step * dy, step * dx};
        moved.at[i] = (struct point){way->at[i].x + aside.x, way->at[i].y + aside.y};
        moved.tip = (struct point){way->tip.x + aside.x, way->tip.y + aside.y};
    }
    return moved;
}

/* Takes an end that was on the border of the node back to it. */
static void keep_on_border(const struct rectangle *node, struct point was, struct point *end)
{
    if (fabs(was.y - node->top) < 1.5 || fabs(was.y - node->bottom) < 1.5)
        end->y = was.y;
    else
        end->x = was.x;
}

/* Graphviz leads an arrow the same way as the one back: each steps aside. */
static bool has_opposite(const struct arrow_list *arrows, const struct arrow *there)
{
    for (uint32_t i = 0; i < arrows->items.len; i++)
        if (arrows->items.at[i].from == there->to && arrows->items.at[i].to == there->from)
            return true;
    return false;
}

static struct picture_way way_beside(struct arena *arena, const struct picture_plan *plan,
                                     const struct arrow *arrow, const struct picture_way *way)
{
    struct picture_way beside = picture_way_aside(arena, way, ASIDE);
    keep_on_border(&plan->nodes.at[plan->node_of[arrow->from]].at, way->at[0], &beside.at[0]);
    keep_on_border(&plan->nodes.at[plan->node_of[arrow->to]].at, way->tip, &beside.tip);
    return beside;
}

struct picture_way *picture_route(struct arena *arena, const struct picture_plan *plan,
                                  const struct arrow_list *arrows)
{
    struct picture_way *ways = ARENA_ARRAY(arena, struct picture_way, arrows->items.len + 1);
    agseterr(AGMAX); /* a library does not print */
    GVC_t *context = gvContext();
    Agraph_t *graph = agopen((char *)"", Agdirected, NULL);
    Agedge_t **edges = add_all(arena, graph, plan, arrows);
    bool good = gvLayout(context, graph, "nop") == 0;
    for (uint32_t i = 0; i < arrows->items.len && (good = good && ED_spl(edges[i])); i++) {
        const struct arrow *arrow = &arrows->items.at[i];
        ways[i] = way_of(arena, edges[i]);
        if (has_opposite(arrows, arrow))
            ways[i] = way_beside(arena, plan, arrow, &ways[i]);
    }
    gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
    return good ? ways : NULL;
}
