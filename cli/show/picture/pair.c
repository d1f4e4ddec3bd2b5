/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/pair.h"

#include <string.h>

#include "cli/show/markup.h"
#include "litmus/base/number.h"

/* Lengths are in pixels, of which three are four points less: 96 to 72 an inch. */
static const double line_height = 15, letter_width = 8, margin = 16, pixels_of_point = 4.0 / 3;

struct pane {
    const char *text;
    GString *picture;    /* or NULL */
    const char *refused; /* then why */
    double text_width, text_height, picture_width, picture_height;
};

/* The length in points behind 'name="' of the picture's first tag. */
static double length_of(const GString *picture, const char *name)
{
    const char *at = strstr(picture->str, name);
    double length = 0;
    if (at)
        number_double(at + strlen(name), strcspn(at + strlen(name), "p"), &length);
    return length * pixels_of_point;
}

static struct pane make_pane(const struct picture_pane *given, struct picture_view view)
{
    struct pane pane = {.text = given->text};
    pane.picture = picture_draw(given->below, PICTURE_SVG, view, &pane.refused);
    g_auto(GStrv) lines = g_strsplit(given->text, "\n", -1);
    for (char **line = lines; *line; line++) {
        pane.text_width = MAX(pane.text_width, (double)g_utf8_strlen(*line, -1) * letter_width);
        pane.text_height += line_height;
    }
    pane.picture_width = pane.picture ? length_of(pane.picture, " width=\"") : 0;
    pane.picture_height = pane.picture ? length_of(pane.picture, " height=\"") : line_height;
    return pane;
}

static void append_line(double x, double y, const char *line, GString *out)
{
    g_string_append_printf(
        out, "<text x=\"%.6g\" y=\"%.6g\" xml:space=\"preserve\" class=\"test\">", x, y);
    markup_escape(line, out);
    g_string_append(out, "</text>\n");
}

static void append_pane(const struct pane *pane, double x, double below, GString *out)
{
    g_auto(GStrv) lines = g_strsplit(pane->text, "\n", -1);
    double y = margin + line_height;
    for (char **line = lines; *line; line++, y += line_height)
        append_line(x, y, *line, out);
    if (!pane->picture) {
        append_line(x, below + line_height, pane->refused ? pane->refused : "", out);
        return;
    }
    g_string_append_printf(out, "<svg x=\"%.6g\" y=\"%.6g\"%s", x, below,
                           pane->picture->str + strlen("<svg"));
}

static double width_of(const struct pane *pane)
{
    return MAX(pane->text_width, pane->picture_width) + margin;
}

static void append_front(double width, double height, GString *out)
{
    g_string_append_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"group\" width=\"%.6g\" "
        "height=\"%.6g\">\n<style>.test{font:13px "
        "monospace;text-anchor:start;fill:#000}.paper{fill:#fff}"
        "@media (prefers-color-scheme:dark){.test{fill:#e6eaed}.paper{fill:#14181b}}"
        "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
        width, height);
}

GString *picture_panes(const struct picture_pane *given, uint32_t count, struct picture_view view)
{
    g_autofree struct pane *panes = g_new(struct pane, count + 1);
    double width = margin, text = 0, picture = 0, x = margin;
    GString *out = g_string_new(NULL);
    for (uint32_t i = 0; i < count; i++) {
        panes[i] = make_pane(&given[i], view);
        width += width_of(&panes[i]);
        text = MAX(text, panes[i].text_height);
        picture = MAX(picture, panes[i].picture_height);
    }
    double below = margin * 2 + text;
    append_front(width, below + picture + margin, out);
    for (uint32_t i = 0; i < count; x += width_of(&panes[i++])) {
        append_pane(&panes[i], x, below, out);
        if (panes[i].picture)
            g_string_free(panes[i].picture, TRUE);
    }
    g_string_append(out, "</svg>\n");
    return out;
}
