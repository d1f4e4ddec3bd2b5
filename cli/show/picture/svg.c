/* SPDX-License-Identifier: MIT
 *
 * The back end of the painter that writes SVG. A style is a class, whose rules, once a picture or once a page, say
 * its colours on light and on dark paper. */
#include <math.h>

#include "cli/show/markup.h"
#include "cli/show/picture/paint.h"

/* Less than a tenth of a point nobody sees. */
static double tenth(double value)
{
    return round(value * 10) / 10 + 0.0; /* never -0 */
}

/* In SVG y goes downwards. */
static double down(double y)
{
    return tenth(-y);
}

static void svg_open(struct painting *p)
{
    g_string_append_printf(p->out, "<g class=\"%s%s\">", paint_looks[p->style].name,
                           p->bold ? " bold" : "");
}

static void svg_close(struct painting *p)
{
    g_string_append(p->out, "</g>\n");
}

static void append_place(const struct rectangle *at, GString *out)
{
    g_string_append_printf(out, " x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"",
                           tenth(at->left), down(at->top), tenth(at->right - at->left),
                           tenth(at->top - at->bottom));
}

static void svg_box(struct painting *p, struct rectangle at)
{
    g_string_append(p->out, "<rect");
    append_place(&at, p->out);
    g_string_append(p->out, " rx=\"8\"/>");
}

static void svg_text(struct painting *p, struct point baseline, const char *text)
{
    g_string_append_printf(p->out, "<text x=\"%.6g\" y=\"%.6g\">", tenth(baseline.x),
                           down(baseline.y));
    markup_escape(text, p->out);
    g_string_append(p->out, "</text>");
}

static void append_points(const struct point *at, uint32_t count, GString *out)
{
    for (uint32_t i = 0; i < count; i++)
        g_string_append_printf(out, "%s%.6g,%.6g", i ? " " : "", tenth(at[i].x), down(at[i].y));
}

static void svg_curve(struct painting *p, const struct point *at, uint32_t count)
{
    g_string_append(p->out, "<path d=\"M");
    append_points(at, 1, p->out);
    g_string_append_c(p->out, count == 2 ? 'L' : 'C');
    append_points(at + 1, count - 1, p->out);
    g_string_append(p->out, "\"/>");
}

static void svg_head(struct painting *p, const struct point corners[3])
{
    g_string_append(p->out, "<polygon points=\"");
    append_points(corners, 3, p->out);
    g_string_append(p->out, "\"/>");
}

/* ---- rules ---------------------------------------------------------------------------------- */

static void append_rules(uint32_t styles, bool dark, GString *out)
{
    static const char *const dashes[] = {"none", "5,2", "1,4"};
    static const char *const fonts[] = {"", ";font-weight:bold", ";text-anchor:start",
                                        ";font-family:Courier,monospace"};
    for (int i = 0; i < PAINT_STYLES; i++) {
        const struct paint_look *look = &paint_looks[i];
        const struct paint_colours *colours = dark ? &look->dark : &look->light;
        if (!(styles & 1u << i))
            continue;
        g_string_append_printf(out, "svg .%s{fill:%s;stroke:%s", look->name, colours->fill,
                               colours->line);
        if (!dark)
            g_string_append_printf(out, ";stroke-width:%g;stroke-dasharray:%s", look->width,
                                   dashes[look->dash]);
        g_string_append_printf(out, "}svg .%s text{fill:%s%s}\n", look->name, colours->text,
                               dark ? "" : fonts[look->font]);
    }
}

void paint_svg_sheet(uint32_t styles, GString *out)
{
    g_string_append_printf(out,
                           "svg path{fill:none}svg polygon{stroke:none}svg text{stroke:none;"
                           "text-anchor:middle;font:%dpx Helvetica,Arial,sans-serif}\n",
                           PAINT_FONT_SIZE);
    append_rules(styles, false, out);
    g_string_append_printf(out,
                           "svg .bold{stroke-width:%g}svg .bold text{font-weight:bold}\n"
                           "@media (prefers-color-scheme:dark){\n",
                           PAINT_BOLD_WIDTH);
    append_rules(styles, true, out);
    g_string_append(out, "}\n");
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void append_front(const struct painting *p, const char *title, GString *out)
{
    g_string_append(out, "<title>");
    markup_escape(title, out);
    g_string_append(out, "</title>\n<style>\n");
    paint_svg_sheet(p->used | 1u << PAINT_paper, out);
    g_string_append(out, "</style>\n<rect class=\"paper\"");
    append_place(&p->drawn, out);
    g_string_append(out, "/>\n");
}

static void svg_end(struct painting *p, const char *title, const char *words)
{
    const struct rectangle *all = &p->drawn;
    double width = all->right - all->left, height = all->top - all->bottom;
    g_autoptr(GString) head = g_string_new(NULL);
    g_string_append_printf(head, "<svg%s role=\"img\" aria-label=\"",
                           title ? " xmlns=\"http://www.w3.org/2000/svg\"" : "");
    markup_escape(words, head);
    g_string_append_printf(
        head, "\" width=\"%.6gpt\" height=\"%.6gpt\" viewBox=\"%.6g %.6g %.6g %.6g\">\n",
        tenth(width), tenth(height), tenth(all->left), down(all->top), tenth(width), tenth(height));
    if (title)
        append_front(p, title, head);
    g_string_prepend(p->out, head->str);
    g_string_append(p->out, "</svg>\n");
}

const struct paint_form paint_svg = {svg_open,  svg_close, svg_box, svg_text,
                                     svg_curve, svg_head,  svg_end};
