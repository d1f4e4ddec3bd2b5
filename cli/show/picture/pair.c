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

static struct pane make_half(const char *text, const struct explanation *below)
{
    struct pane half = {.text = text};
    half.picture = picture_draw(below, PICTURE_SVG, false, &half.refused);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        half.text_width = MAX(half.text_width, (double)g_utf8_strlen(*line, -1) * letter_width);
        half.text_height += line_height;
    }
    half.picture_width = half.picture ? length_of(half.picture, " width=\"") : 0;
    half.picture_height = half.picture ? length_of(half.picture, " height=\"") : line_height;
    return half;
}

static void append_line(double x, double y, const char *line, GString *out)
{
    g_string_append_printf(
        out, "<text x=\"%.6g\" y=\"%.6g\" xml:space=\"preserve\" class=\"test\">", x, y);
    markup_escape(line, out);
    g_string_append(out, "</text>\n");
}

static void append_half(const struct pane *half, double x, double below, GString *out)
{
    g_auto(GStrv) lines = g_strsplit(half->text, "\n", -1);
    double y = margin + line_height;
    for (char **line = lines; *line; line++, y += line_height)
        append_line(x, y, *line, out);
    if (!half->picture) {
        append_line(x, below + line_height, half->refused ? half->refused : "", out);
        return;
    }
    g_string_append_printf(out, "<svg x=\"%.6g\" y=\"%.6g\"%s", x, below,
                           half->picture->str + strlen("<svg"));
}

GString *picture_pair(const char *left, const char *right, const struct explanation *left_below,
                      const struct explanation *right_below)
{
    struct pane halves[2] = {make_half(left, left_below), make_half(right, right_below)};
    double below = margin * 2 + MAX(halves[0].text_height, halves[1].text_height);
    double middle = margin * 2 + MAX(halves[0].text_width, halves[0].picture_width);
    double width = middle + MAX(halves[1].text_width, halves[1].picture_width) + margin;
    double height = below + MAX(halves[0].picture_height, halves[1].picture_height) + margin;
    GString *out = g_string_new(NULL);
    g_string_append_printf(out,
                           "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.6g\" "
                           "height=\"%.6g\">\n<style>.test{font:13px "
                           "monospace;text-anchor:start;fill:#000}.paper{fill:#fff}"
                           "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                           width, height);
    for (int i = 0; i < 2; i++) {
        append_half(&halves[i], i ? middle : margin, below, out);
        if (halves[i].picture)
            g_string_free(halves[i].picture, TRUE);
    }
    g_string_append(out, "</svg>\n");
    return out;
}
