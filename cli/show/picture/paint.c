/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/paint.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct paint_look paint_looks[PAINT_STYLES] = {
#define PAINT(name, fill, line, text, dark_fill, dark_line, dark_text, width, dash, font)          \
    {#name, {fill, line, text}, {dark_fill, dark_line, dark_text},                                 \
     width, PAINT_##dash,       PAINT_##font},
#include "cli/show/picture/paint.def"
#undef PAINT
};

enum { LINE_HEIGHT = 12, MARGIN = 8 };

double paint_text_width(const char *text)
{
    size_t longest = 0;
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        longest = MAX(longest, strcspn(line, "\n"));
    return (double)longest * PAINT_FONT_SIZE * 0.6;
}

double paint_bold_width(const char *text)
{
    return paint_text_width(text) * 1.2;
}

static void cover(struct painting *p, double left, double bottom, double right, double top)
{
    const struct rectangle *now = &p->drawn;
    p->drawn = (struct rectangle){MIN(now->left, left), MIN(now->bottom, bottom),
                                  MAX(now->right, right), MAX(now->top, top)};
}

void paint_begin(struct painting *p, const struct paint_form *form)
{
    *p = (struct painting){.form = form,
                           .out = g_string_new(NULL),
                           .drawn = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
}

void paint_open(struct painting *p, enum paint_style style, bool bold)
{
    p->style = style;
    p->used |= 1u << style;
    p->bold = bold;
    p->form->open(p);
}

void paint_close(struct painting *p)
{
    p->form->close(p);
}

void paint_box(struct painting *p, struct rectangle at)
{
    cover(p, at.left, at.bottom, at.right, at.top);
    p->form->box(p, at);
}

void paint_text(struct painting *p, struct point middle, const char *text)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    uint32_t count = g_strv_length(lines);
    double width = p->bold ? paint_bold_width(text) : paint_text_width(text);
    double half = count * LINE_HEIGHT / 2.0;
    double left = middle.x - (paint_looks[p->style].font == PAINT_LEFT ? 0 : width / 2);
    cover(p, left, middle.y - half, left + width, middle.y + half);
    for (uint32_t i = 0; i < count; i++) {
        double line = middle.y + half - LINE_HEIGHT * (i + 0.5);
        p->form->text(p, (struct point){middle.x, line - PAINT_FONT_SIZE / 3.0}, lines[i]);
    }
}

/* From the end of its line to the tip. */
static void paint_head(struct painting *p, struct point end, struct point tip)
{
    double dx = tip.x - end.x, dy = tip.y - end.y, length = hypot(dx, dy);
    double half = length > 0 ? (p->bold ? 4 : 3) / length : 0;
    const struct point corners[] = {
        {end.x - half * dy, end.y + half * dx}, tip, {end.x + half * dy, end.y - half * dx}};
    p->form->head(p, corners);
}

void paint_curve(struct painting *p, const struct point *at, uint32_t count,
                 const struct point *tip)
{
    assert(count == 2 || count % 3 == 1);
    for (uint32_t i = 0; i < count; i++) /* a Bezier curve stays between its points */
        cover(p, at[i].x - 4, at[i].y - 4, at[i].x + 4, at[i].y + 4);
    p->form->curve(p, at, count);
    if (tip)
        paint_head(p, at[count - 1], *tip);
}

void paint_end(struct painting *p, const char *title, const char *words)
{
    const struct rectangle *all = &p->drawn;
    cover(p, all->left - MARGIN, all->bottom - MARGIN, all->right + MARGIN, all->top + MARGIN);
    p->form->end(p, title, words);
}
