/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PAINT_H
#define CLI_SHOW_PICTURE_PAINT_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* Paints pictures of executions and timelines: a few operations, which a back end writes in its
 * language. In points, y upwards. The paper becomes as large as what is painted. */

struct point {
    double x, y;
};
struct rectangle {
    double left, bottom, right, top;
};

/* ---- styles --------------------------------------------------------------------------------- */

enum paint_style {
#define PAINT(name, ...) PAINT_##name,
#include "cli/show/picture/paint.def"
#undef PAINT
    PAINT_STYLES
};
/* Arrows in the order of arrow.def. */
#define PAINT_ARROWS PAINT_po

enum paint_dash { PAINT_SOLID, PAINT_DASHED, PAINT_DOTTED };
enum paint_font { PAINT_SANS, PAINT_BOLD, PAINT_LEFT /* begins at its point */, PAINT_CODE };
struct paint_colours {
    const char *fill, *line, *text;
};
/* A row of paint.def. */
struct paint_look {
    const char *name;
    struct paint_colours light, dark;
    double width;
    enum paint_dash dash;
    enum paint_font font;
};
extern const struct paint_look paint_looks[PAINT_STYLES];

enum { PAINT_FONT_SIZE = 11 };
#define PAINT_BOLD_WIDTH 2.6
/* Width of text: all fonts used are narrower, thin ones and bold ones. */
double paint_text_width(const char *text);
double paint_bold_width(const char *text);

/* ---- operations ----------------------------------------------------------------------------- */

struct painting {
    const struct paint_form *form;
    GString *out;
    struct rectangle drawn; /* all of it so far */
    uint32_t used;          /* a set of enum paint_style */
    enum paint_style style;
    bool bold;
};

/* A back end: the operations below, of one line of text each, and at last the whole. */
struct paint_form {
    void (*open)(struct painting *p);
    void (*close)(struct painting *p);
    void (*box)(struct painting *p, struct rectangle at);
    void (*text)(struct painting *p, struct point baseline, const char *text);
    void (*curve)(struct painting *p, const struct point *at, uint32_t count);
    void (*head)(struct painting *p, const struct point corners[3]);
    void (*end)(struct painting *p, const char *title, const char *words);
};
/* PDF: paint_end leaves NULL in painting->out where Graphviz is installed without what writes PDF. */
extern const struct paint_form paint_svg, paint_tikz, paint_pdf;
/* The rules for a set of styles: a picture without a title is part of a page that has them. */
void paint_svg_sheet(uint32_t styles, GString *out);

/* The caller frees painting->out. */
void paint_begin(struct painting *p, const struct paint_form *form);
/* What follows, to paint_close, is one thing and of this style; 'bold': with thick lines. */
void paint_open(struct painting *p, enum paint_style style, bool bold);
void paint_close(struct painting *p);
void paint_box(struct painting *p, struct rectangle at);
/* Lines separated by '\n', around this point. */
void paint_text(struct painting *p, struct point middle, const char *text);
/* A Bezier curve of 3n + 1 points, or two for a straight line; with a head that ends at 'tip',
 * unless that is NULL. */
void paint_curve(struct painting *p, const struct point *at, uint32_t count,
                 const struct point *tip);
/* 'title': NULL for a picture that is part of a page; 'words': what is seen, for those who do not see it. */
void paint_end(struct painting *p, const char *title, const char *words);

#endif
