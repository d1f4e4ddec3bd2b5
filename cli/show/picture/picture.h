/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PICTURE_H
#define CLI_SHOW_PICTURE_PICTURE_H

#include "cli/answer/why/explanation.h"

/* An execution as a picture: threads as columns, program order downwards, boxes for CTA, cluster
 * and GPU, an arrow a relation, the cycle that breaks an axiom in bold. The events stand on a grid;
 * Graphviz finds the ways of the arrows around them. docs/pictures.md tells a reader how to read it.
 */

enum picture_format {
    PICTURE_DOT, /* with every position in it: neato -n2 draws it again */
    PICTURE_SVG,
    PICTURE_PART, /* SVG for a page that has the rules of paint_svg_sheet */
    PICTURE_PDF,
    PICTURE_TIKZ, /* for LaTeX */
    PICTURE_FORMATS
};

/* How much of the execution is shown. */
struct picture_view {
    bool legend; /* of all but DOT: what the arrows mean, below */
    bool cycle;  /* where an axiom is broken, only what breaks it */
    bool brief;  /* instructions without types, registers and values */
    bool beside; /* SVG: all executions of a reason in one picture, side by side */
};

struct paint_form;
/* The back end of the painter that writes it; NULL: DOT, which Graphviz's own text is for. */
const struct paint_form *picture_form(enum picture_format format);
/* Why paint_pdf has written nothing. */
#define PICTURE_NO_PDF "Graphviz, as it is installed here, writes no PDF"

/* NULL when there is no execution to show or it is too large to be read (*refused says which). The caller frees the
 * string. */
GString *picture_draw(const struct explanation *explanation, enum picture_format format,
                      struct picture_view view, const char **refused);

#endif
