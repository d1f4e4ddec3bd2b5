/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PAIR_H
#define CLI_SHOW_PICTURE_PAIR_H

#include "cli/show/picture/picture.h"

/* A text, and below it the execution that is explained. */
struct picture_pane {
    const char *text;
    const struct explanation *below;
};
/* Panes side by side as one SVG: two tests, or the executions of a reason. A pane without a picture has the reason
 * in its place. The caller frees the string. */
GString *picture_panes(const struct picture_pane *panes, uint32_t count, struct picture_view view);

#endif
