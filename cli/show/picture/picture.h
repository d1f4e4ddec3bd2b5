/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PICTURE_H
#define CLI_SHOW_PICTURE_PICTURE_H

#include "cli/answer/explanation.h"

/* An execution as a picture: threads as columns, program order downwards, boxes for CTA, cluster
 * and GPU, an arrow a relation, the cycle that breaks an axiom in bold. The events stand on a grid;
 * Graphviz routes the arrows around them and draws. docs/pictures.md tells a reader how to read it.
 */

enum picture_format {
    PICTURE_DOT, /* with every position in it: neato -n2 draws it again */
    PICTURE_SVG,
};

/* NULL when there is no execution to show or it is too large to be read (*refused says which). The
 * caller frees the string. */
GString *picture_draw(const struct explanation *explanation, enum picture_format format,
                      const char **refused);

#endif
