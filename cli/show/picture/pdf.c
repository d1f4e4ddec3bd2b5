/* SPDX-License-Identifier: MIT
 *
 * The back end of the painter that writes PDF: Graphviz draws the operations, spelled in its language xdot, as the
 * background of a graph whose two nodes are the corners of the page. The colours are those on light paper.
 * https://graphviz.org/docs/outputs/canon/#xdot has the operations. */
#include <graphviz/gvc.h>
#include <string.h>

#include "cli/show/markup.h"
#include "cli/show/picture/paint.h"

/* "5 -solid": a text after the number of its bytes. */
static void append_counted(const char *text, GString *out)
{
    g_string_append_printf(out, "%zu -%s ", strlen(text), text);
}

static void append_points(const struct point *at, uint32_t count, GString *out)
{
    g_string_append_printf(out, "%u ", count);
    for (uint32_t i = 0; i < count; i++)
        g_string_append_printf(out, "%.1f %.1f ", at[i].x, at[i].y);
}

static void append_colour(char operation, const char *colour, GString *out)
{
    g_string_append_printf(out, "%c ", operation);
    append_counted(strcmp(colour, "none") ? colour : "#00000000", out);
}

static void pdf_open(struct painting *p)
{
    static const char *const dashes[] = {"solid", "dashed", "dotted"};
    const struct paint_look *look = &paint_looks[p->style];
    g_autofree char *width =
        g_strdup_printf("setlinewidth(%.1f)", p->bold ? PAINT_BOLD_WIDTH : look->width);
    g_string_append(p->out, "S ");
    append_counted(dashes[look->dash], p->out);
    g_string_append(p->out, "S ");
    append_counted(width, p->out);
}

static void pdf_close(struct painting *p)
{
    (void)p;
}

static void pdf_box(struct painting *p, struct rectangle at)
{
    const struct point corners[] = {
        {at.left, at.bottom}, {at.right, at.bottom}, {at.right, at.top}, {at.left, at.top}};
    append_colour('C', paint_looks[p->style].light.fill, p->out);
    append_colour('c', paint_looks[p->style].light.line, p->out);
    g_string_append(p->out, "P ");
    append_points(corners, G_N_ELEMENTS(corners), p->out);
}

static void pdf_text(struct painting *p, struct point baseline, const char *text)
{
    enum paint_font font = paint_looks[p->style].font;
    bool bold = p->bold || font == PAINT_BOLD;
    g_autofree char *clean = markup_clean(text);
    append_colour('c', paint_looks[p->style].light.text, p->out);
    g_string_append_printf(p->out, "F %d ", PAINT_FONT_SIZE);
    append_counted(font == PAINT_CODE ? "Courier" : "Helvetica", p->out);
    g_string_append_printf(p->out, "t %d T %.1f %.1f %d %.1f ", bold, baseline.x, baseline.y,
                           font == PAINT_LEFT ? -1 : 0, paint_text_width(clean));
    append_counted(clean, p->out);
}

static void pdf_curve(struct painting *p, const struct point *at, uint32_t count)
{
    append_colour('c', paint_looks[p->style].light.line, p->out);
    g_string_append(p->out, count == 2 ? "L " : "B ");
    append_points(at, count, p->out);
}

static void pdf_head(struct painting *p, const struct point corners[3])
{
    append_colour('C', paint_looks[p->style].light.line, p->out);
    append_colour('c', "none", p->out);
    g_string_append(p->out, "S ");
    append_counted("solid", p->out);
    g_string_append(p->out, "P ");
    append_points(corners, 3, p->out);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void set(void *object, const char *name, const char *value)
{
    agsafeset(object, (char *)name, (char *)value, (char *)"");
}

/* A node that is not seen, and that the page reaches to. */
static void add_corner(Agraph_t *graph, const char *name, double x, double y)
{
    Agnode_t *node = agnode(graph, (char *)name, 1);
    g_autofree char *place = g_strdup_printf("%.1f,%.1f", x, y);
    set(node, "pos", place);
    set(node, "style", "invis");
    set(node, "shape", "point");
    set(node, "width", "0");
    set(node, "height", "0");
}

static Agraph_t *graph_of(const struct painting *p, const char *title)
{
    Agraph_t *graph = agopen((char *)title, Agdirected, NULL);
    set(graph, "_background", p->out->str);
    set(graph, "margin", "0");
    set(graph, "pad", "0");
    add_corner(graph, "low", p->drawn.left, p->drawn.bottom);
    add_corner(graph, "high", p->drawn.right, p->drawn.top);
    return graph;
}

/* NULL in place of the bytes where Graphviz is installed without what writes PDF. */
static void pdf_end(struct painting *p, const char *title, const char *words)
{
    (void)words;
    agseterr(AGMAX); /* a library does not print */
    GVC_t *context = gvContext();
    Agraph_t *graph = graph_of(p, title ? title : "picture");
    char *bytes = NULL;
    unsigned length = 0;
    g_string_free(p->out, TRUE);
    p->out = NULL;
    if (gvLayout(context, graph, "nop2") == 0) {
        if (gvRenderData(context, graph, "pdf", &bytes, &length) == 0 && bytes)
            p->out = g_string_new_len(bytes, length);
        gvFreeRenderData(bytes);
        gvFreeLayout(context, graph);
    }
    agclose(graph);
    gvFreeContext(context);
}

const struct paint_form paint_pdf = {pdf_open,  pdf_close, pdf_box, pdf_text,
                                     pdf_curve, pdf_head,  pdf_end};
