/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/picture.h"

#include <graphviz/gvc.h>
#include <math.h>

#include "cli/show/markup.h"
#include "cli/show/picture/ids.h"
#include "cli/show/picture/labels.h"
#include "cli/show/picture/place.h"

/* A picture being made: the plan as a graph of Graphviz's library. */
struct drawing {
    const struct explanation *explanation;
    struct arena *arena;
    struct arrow_list arrows;
    struct picture_plan plan;
    GVC_t *context;
    Agraph_t *graph;
    Agnode_t **nodes; /* an event: its node */
    Agnode_t **drawn; /* a node of the plan */
    Agedge_t **edges; /* an arrow */
    Agraph_t **boxes; /* a box of the plan */
};

enum { MOST_EVENTS = 160, MOST_ARROWS = 500 };

static void set(void *object, const char *name, const char *value)
{
    g_autofree char *clean = markup_clean(value);
    agsafeset(object, (char *)name, clean, (char *)"");
}

__attribute__((format(printf, 3, 4))) static void set_format(void *object, const char *name,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *value = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    set(object, name, value);
}

static char *name_of(struct drawing *d, const char *kind, uint32_t number)
{
    return arena_printf(d->arena, "%s%u", kind, number);
}

/* ---- the graph ------------------------------------------------------------------------------ */

static void set_defaults(struct drawing *d)
{
    static const char *const defaults[][3] = {
        {"g", "splines", "true"},
        {"g", "fontname", "Helvetica"},
        {"g", "outputorder", "nodesfirst"},
        {"g", "esep", "+4"},
        {"g", "sep", "+6"},
        {"g", "bgcolor", "white"},
        {"n", "fontname", "Courier"},
        {"n", "fixedsize", "true"},
        {"n", "shape", "box"},
        {"n", "style", "rounded,filled"},
        {"n", "fillcolor", "white"},
        {"n", "color", "#555555"},
        {"e", "fontname", "Helvetica"},
        {"e", "arrowsize", "0.7"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(defaults); i++) {
        int kind = *defaults[i][0] == 'g' ? AGRAPH : *defaults[i][0] == 'n' ? AGNODE : AGEDGE;
        agattr(d->graph, kind, (char *)defaults[i][1], (char *)defaults[i][2]);
    }
    set_format(d->graph, "fontsize", "%d", PICTURE_FONT);
    agattr(d->graph, AGNODE, (char *)"fontsize", arena_printf(d->arena, "%d", PICTURE_FONT));
    agattr(d->graph, AGEDGE, (char *)"fontsize", arena_printf(d->arena, "%d", PICTURE_LABEL_FONT));
}

static void set_rectangle(void *object, const struct rectangle *at)
{
    set_format(object, "bb", "%.1f,%.1f,%.1f,%.1f", at->left, at->bottom, at->right, at->top);
}

static void add_boxes(struct drawing *d)
{
    d->boxes = ARENA_ARRAY(d->arena, Agraph_t *, d->plan.grid.boxes.len + 1);
    for (uint32_t i = 0; i < d->plan.grid.boxes.len; i++) {
        const struct picture_box *box = &d->plan.grid.boxes.at[i];
        Agraph_t *parent = box->parent == NONE ? d->graph : d->boxes[box->parent];
        Agraph_t *cluster = d->boxes[i] = agsubg(parent, name_of(d, "cluster_", i), 1);
        set_rectangle(cluster, &box->at);
        set(cluster, "label", box->name);
        set_format(cluster, "lp", "%.1f,%.1f",
                   box->at.left + 6 + picture_text_width(box->name, PICTURE_FONT) / 2,
                   box->at.top - 9);
        set(cluster, "style", "rounded,filled");
        set(cluster, "fillcolor", picture_box_fill(picture_box_depth(&d->plan.grid, i)));
        set(cluster, "color", "#b4bfc9");
        set(cluster, "fontcolor", "#44515e");
    }
}

static void add_nodes(struct drawing *d)
{
    d->drawn = ARENA_ARRAY(d->arena, Agnode_t *, d->plan.nodes.len);
    d->nodes = ARENA_ARRAY(d->arena, Agnode_t *, d->explanation->execution->graph->event_count);
    for (uint32_t i = 0; i < d->plan.nodes.len; i++) {
        const struct picture_node *node = &d->plan.nodes.at[i];
        Agraph_t *box = node->box == NONE ? d->graph : d->boxes[node->box];
        Agnode_t *made = agnode(
            box, name_of(d, node->event == NONE ? "t" : "e", node->event == NONE ? i : node->event),
            1);
        d->drawn[i] = made;
        set(made, "label", node->text);
        set_format(made, "pos", "%.1f,%.1f", node->x, node->y);
        set_format(made, "width", "%.4f", node->width / 72);
        set_format(made, "height", "%.4f", node->height / 72);
        if (node->event == NONE) {
            set(made, "shape", "plaintext");
            set(made, "style", "");
            set(made, "fontname", "Helvetica-Bold");
            continue;
        }
        d->nodes[node->event] = made;
        if (d->arrows.in_cycle[node->event]) {
            set(made, "fillcolor", "#fff1d6");
            set(made, "color", "#1a1a1a");
            set(made, "penwidth", "1.8");
        }
    }
}

/* Colours joined by ':' are drawn as parallel lines, one a relation. */
static void style_arrow(const struct drawing *d, const struct arrow *arrow, Agedge_t *edge)
{
    g_autoptr(GString) colours = g_string_new(NULL), label = g_string_new(NULL);
    uint32_t kinds = arrow->kinds;
    for (int kind = 0; kind < ARROW_KINDS; kind++) {
        if (!(kinds & 1u << kind))
            continue;
        const struct arrow_style *style = &arrow_styles[kind];
        bool alone = (kinds & (kinds - 1)) == 0;
        const char *word = kind == ARROW_other ? arrow->other : style->label;
        g_string_append_printf(colours, "%s%s", colours->len ? ":" : "", style->colour);
        g_string_append_printf(label, "%s%s", label->len ? ", " : "", word);
        set(edge, "style", alone ? style->line : "solid");
        set(edge, "fontcolor", style->colour);
    }
    set(edge, "color", colours->str);
    set(edge, "label", label->str);
    set(edge, "penwidth", arrow->in_cycle ? "2.6" : "1.3");
    set(edge, "fontname", arrow->in_cycle ? "Helvetica-Bold" : "Helvetica");
    (void)d;
}

static void add_edges(struct drawing *d)
{
    d->edges = ARENA_ARRAY(d->arena, Agedge_t *, d->arrows.items.len + 1);
    for (uint32_t i = 0; i < d->arrows.items.len; i++) {
        const struct arrow *arrow = &d->arrows.items.at[i];
        d->edges[i] =
            agedge(d->graph, d->nodes[arrow->from], d->nodes[arrow->to], name_of(d, "a", i), 1);
        style_arrow(d, arrow, d->edges[i]);
    }
}

/* ---- arrows there and back ------------------------------------------------------------------ */

enum { ASIDE = 4 };

/* From a to b, ASIDE to the left. */
static pointf left_of(pointf a, pointf b)
{
    double dx = b.x - a.x, dy = b.y - a.y, length = hypot(dx, dy);
    return length > 0 ? (pointf){-ASIDE * dy / length, ASIDE * dx / length} : (pointf){0, 0};
}

/* What of a step keeps a point on the border of the node. */
static pointf along_border(Agnode_t *node, pointf at, pointf step)
{
    bool above_or_below = fabs(fabs(at.y - ND_coord(node).y) - ND_ht(node) / 2) < 1.5;
    return above_or_below ? (pointf){step.x, 0} : (pointf){0, step.y};
}

static pointf moved(pointf at, pointf step)
{
    return (pointf){at.x + step.x, at.y + step.y};
}

/* Moves a line to its left, so that one in the other direction between the same events, which
 * Graphviz leads the same way, is not on it. */
static void step_aside(Agedge_t *edge, bezier *line)
{
    pointf before = line->list[0], end = line->eflag ? line->ep : line->list[line->size - 1];
    pointf first = along_border(agtail(edge), before, left_of(before, line->list[1]));
    pointf last = along_border(aghead(edge), end, left_of(line->list[line->size - 2], end));
    for (int i = 1; i + 1 < line->size; i++) {
        pointf at = line->list[i];
        line->list[i] = moved(at, left_of(before, line->list[i + 1]));
        before = at;
    }
    line->list[0] = moved(line->list[0], first);
    line->list[line->size - 1] = moved(line->list[line->size - 1], last);
    line->ep = moved(line->ep, last);
}

static void part_opposite(struct drawing *d)
{
    for (uint32_t i = 0; i < d->arrows.items.len; i++)
        for (uint32_t j = 0; j < d->arrows.items.len; j++) {
            const struct arrow *there = &d->arrows.items.at[i], *back = &d->arrows.items.at[j];
            splines *line = ED_spl(d->edges[i]);
            if (there->from == back->to && there->to == back->from)
                for (int piece = 0; line && piece < line->size; piece++)
                    step_aside(d->edges[i], &line->list[piece]);
        }
}

/* ---- labels --------------------------------------------------------------------------------- */

enum { SAMPLES = 16 };

static struct point bezier_at(const pointf *p, double t)
{
    double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, e = t * t * t;
    return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + e * p[3].x,
                          a * p[0].y + b * p[1].y + c * p[2].y + e * p[3].y};
}

/* Points of the line in order, its head with them. */
static void sample(struct drawing *d, const splines *line, struct wording *label)
{
    uint32_t pieces = 0;
    for (int i = 0; i < line->size; i++)
        pieces += (uint32_t)(line->list[i].size - 1) / 3;
    label->line = ARENA_ARRAY(d->arena, struct point, pieces * SAMPLES + (uint32_t)line->size);
    for (int i = 0; i < line->size; i++) {
        const bezier *part = &line->list[i];
        for (int piece = 0; piece + 3 < part->size; piece += 3)
            for (int s = 0; s < SAMPLES; s++)
                label->line[label->points++] = bezier_at(&part->list[piece], (double)s / SAMPLES);
        pointf end = part->eflag ? part->ep : part->list[part->size - 1];
        label->line[label->points++] = (struct point){end.x, end.y};
    }
}

static void place_labels(struct drawing *d)
{
    uint32_t count = d->arrows.items.len, taken_count = d->plan.nodes.len;
    struct wording *labels = ARENA_ARRAY(d->arena, struct wording, count + 1);
    struct rectangle *taken = ARENA_ARRAY(d->arena, struct rectangle, taken_count + 1);
    for (uint32_t i = 0; i < taken_count; i++) {
        const struct picture_node *node = &d->plan.nodes.at[i];
        pointf at = ND_coord(d->drawn[i]); /* the layout moved all of it to the origin */
        taken[i] = (struct rectangle){at.x - node->width / 2, at.y - node->height / 2,
                                      at.x + node->width / 2, at.y + node->height / 2};
    }
    for (uint32_t i = 0; i < count; i++) {
        if (ED_spl(d->edges[i]))
            sample(d, ED_spl(d->edges[i]), &labels[i]);
        labels[i].width =
            picture_text_width(agget(d->edges[i], (char *)"label"), PICTURE_LABEL_FONT);
        labels[i].height = PICTURE_LABEL_FONT + 2;
    }
    picture_place_labels(d->arena, labels, count, taken, taken_count);
    for (uint32_t i = 0; i < count; i++) {
        textlabel_t *shown = ED_label(d->edges[i]);
        if (!shown || !labels[i].points)
            continue;
        shown->pos = (pointf){labels[i].at.x, labels[i].at.y};
        shown->set = TRUE;
    }
}

/* ---- all of it ------------------------------------------------------------------------------ */

static GString *render(struct drawing *d, enum picture_format format)
{
    static const char *const names[] = {[PICTURE_DOT] = "dot", [PICTURE_SVG] = "svg"};
    char *text = NULL;
    unsigned length = 0;
    GString *result = NULL;
    if (gvLayout(d->context, d->graph, "nop") != 0)
        return NULL;
    part_opposite(d);
    place_labels(d);
    if (gvRenderData(d->context, d->graph, names[format], &text, &length) == 0)
        result = g_string_new_len(text, length);
    gvFreeRenderData(text);
    gvFreeLayout(d->context, d->graph);
    return result;
}

static const char *too_large(const struct drawing *d)
{
    if (d->plan.nodes.len > MOST_EVENTS)
        return "too many events to be read in a picture";
    return d->arrows.items.len > MOST_ARROWS ? "too many edges to be read in a picture" : NULL;
}

/* Graphviz keeps, in variables of its own, fonts that gvFreeContext frees and that the next picture
 * then compares with: a process has one context to its end. */
static GVC_t *context_of(const struct job *job)
{
    if (!*job->drawing)
        *job->drawing = gvContext();
    return *job->drawing;
}

GString *picture_draw(const struct explanation *explanation, enum picture_format format,
                      const char **refused)
{
    struct drawing d = {.explanation = explanation, .arena = explanation->job->arena};
    *refused = "there is no execution to show";
    if (!explanation->execution)
        return NULL;
    d.arrows = arrows_new(explanation);
    d.plan = picture_place(explanation, &d.arrows);
    *refused = d.plan.nodes.len ? too_large(&d) : "no event executes";
    if (*refused)
        return NULL;
    agseterr(AGMAX); /* a library does not print */
    Agiddisc_t ids = picture_ids;
    Agdisc_t discipline = {NULL, &ids, NULL};
    g_autofree char *name = markup_clean(explanation->job->test->name);
    d.context = context_of(explanation->job);
    d.graph = agopen(name, Agdirected, &discipline);
    set_defaults(&d);
    set_rectangle(d.graph, &d.plan.all);
    add_boxes(&d);
    add_nodes(&d);
    add_edges(&d);
    GString *result = render(&d, format);
    if (!result)
        *refused = "Graphviz gave up";
    agclose(d.graph);
    return result;
}
