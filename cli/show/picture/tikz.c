/* SPDX-License-Identifier: MIT
 *
 * The back end of the painter that writes TikZ: a tikzpicture in points, for a LaTeX document that loads tikz. The
 * colours are those on light paper. */
#include <string.h>

#include "cli/show/markup.h"
#include "cli/show/picture/paint.h"

/* Text as LaTeX prints it. */
static void append_text(const char *text, GString *out)
{
    static const struct {
        char from;
        const char *to;
    } spelled[] = {{'\\', "\\textbackslash{}"},
                   {'~', "\\textasciitilde{}"},
                   {'^', "\\textasciicircum{}"},
                   {'<', "\\textless{}"},
                   {'>', "\\textgreater{}"},
                   {'|', "\\textbar{}"},
                   {'\n', " "}};
    g_autofree char *clean = markup_clean(text);
    for (const char *at = clean; *at; at++) {
        size_t k = 0;
        while (k < G_N_ELEMENTS(spelled) && spelled[k].from != *at)
            k++;
        if (k < G_N_ELEMENTS(spelled))
            g_string_append(out, spelled[k].to);
        else
            g_string_append_printf(out, "%s%c", strchr("{}$&#_%", *at) ? "\\" : "", *at);
    }
}

static void append_point(struct point at, GString *out)
{
    g_string_append_printf(out, "(%.1f,%.1f)", at.x, at.y);
}

/* "", or what draws with this colour: "draw=ptxlit-event-line". */
static void append_colour(const struct painting *p, const char *key, const char *part,
                          const char *colour, GString *out)
{
    if (strcmp(colour, "none") != 0)
        g_string_append_printf(out, ",%s=ptxlit-%s-%s", key, paint_looks[p->style].name, part);
}

static double width_of(const struct painting *p)
{
    return p->bold ? PAINT_BOLD_WIDTH : paint_looks[p->style].width;
}

static void tikz_open(struct painting *p)
{
    (void)p;
}

static void tikz_close(struct painting *p)
{
    (void)p;
}

static void tikz_box(struct painting *p, struct rectangle at)
{
    const struct paint_colours *colours = &paint_looks[p->style].light;
    g_string_append_printf(p->out, "\\path[rounded corners=6,line width=%.1fpt", width_of(p));
    append_colour(p, "fill", "fill", colours->fill, p->out);
    append_colour(p, "draw", "line", colours->line, p->out);
    g_string_append(p->out, "] ");
    append_point((struct point){at.left, at.bottom}, p->out);
    g_string_append(p->out, " rectangle ");
    append_point((struct point){at.right, at.top}, p->out);
    g_string_append(p->out, ";\n");
}

static void tikz_text(struct painting *p, struct point baseline, const char *text)
{
    enum paint_font font = paint_looks[p->style].font;
    bool bold = p->bold || font == PAINT_BOLD;
    g_string_append_printf(
        p->out, "\\node[anchor=base%s,inner sep=0,font=%s%s", font == PAINT_LEFT ? " west" : "",
        font == PAINT_CODE ? "\\ptxlitcode" : "\\ptxlittext", bold ? "\\bfseries" : "");
    append_colour(p, "text", "text", paint_looks[p->style].light.text, p->out);
    g_string_append(p->out, "] at ");
    append_point(baseline, p->out);
    g_string_append(p->out, " {");
    append_text(text, p->out);
    g_string_append(p->out, "};\n");
}

static void tikz_curve(struct painting *p, const struct point *at, uint32_t count)
{
    static const char *const dashes[] = {"", ",dash pattern=on 5pt off 2pt",
                                         ",dash pattern=on 1pt off 4pt"};
    g_string_append_printf(p->out, "\\draw[line width=%.1fpt%s", width_of(p),
                           dashes[paint_looks[p->style].dash]);
    append_colour(p, "draw", "line", paint_looks[p->style].light.line, p->out);
    g_string_append(p->out, "] ");
    append_point(at[0], p->out);
    for (uint32_t i = 1; count == 2 && i < 2; i++) {
        g_string_append(p->out, " -- ");
        append_point(at[i], p->out);
    }
    for (uint32_t i = 1; count > 2 && i + 2 < count; i += 3) {
        g_string_append(p->out, " .. controls ");
        append_point(at[i], p->out);
        g_string_append(p->out, " and ");
        append_point(at[i + 1], p->out);
        g_string_append(p->out, " .. ");
        append_point(at[i + 2], p->out);
    }
    g_string_append(p->out, ";\n");
}

static void tikz_head(struct painting *p, const struct point corners[3])
{
    g_string_append(p->out, "\\path[draw=none");
    append_colour(p, "fill", "line", paint_looks[p->style].light.line, p->out);
    g_string_append(p->out, "] ");
    for (int i = 0; i < 3; i++) {
        append_point(corners[i], p->out);
        g_string_append(p->out, " -- ");
    }
    g_string_append(p->out, "cycle;\n");
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void define_colour(const char *style, const char *part, const char *colour, GString *out)
{
    if (strcmp(colour, "none") == 0)
        return;
    g_autofree char *digits = g_ascii_strup(colour + 1, -1);
    g_string_append_printf(out, "\\definecolor{ptxlit-%s-%s}{HTML}{%s}\n", style, part, digits);
}

static void tikz_end(struct painting *p, const char *title, const char *words)
{
    GString *out = g_string_new("% ");
    append_text(title ? title : "", out);
    g_string_append(out, ", by ptxlit; needs \\usepackage{tikz}\n% ");
    append_text(words, out);
    g_string_append(out,
                    "\n\\begin{tikzpicture}[x=1pt,y=1pt]\n"
                    "\\def\\ptxlittext{\\sffamily\\frenchspacing\\fontsize{11}{12}\\selectfont}\n"
                    "\\def\\ptxlitcode{\\ttfamily\\frenchspacing\\fontsize{11}{12}\\selectfont}\n");
    for (int i = 0; i < PAINT_STYLES; i++) {
        const struct paint_look *look = &paint_looks[i];
        if (!(p->used & 1u << i))
            continue;
        define_colour(look->name, "fill", look->light.fill, out);
        define_colour(look->name, "line", look->light.line, out);
        define_colour(look->name, "text", look->light.text, out);
    }
    g_string_append_printf(out, "\\useasboundingbox (%.1f,%.1f) rectangle (%.1f,%.1f);\n",
                           p->drawn.left, p->drawn.bottom, p->drawn.right, p->drawn.top);
    g_string_append_len(out, p->out->str, (gssize)p->out->len);
    g_string_append(out, "\\end{tikzpicture}\n");
    g_string_free(p->out, TRUE);
    p->out = out;
}

const struct paint_form paint_tikz = {tikz_open,  tikz_close, tikz_box, tikz_text,
                                      tikz_curve, tikz_head,  tikz_end};
