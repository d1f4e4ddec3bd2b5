/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_DOT_H
#define CLI_SHOW_PICTURE_DOT_H

#include "cli/show/picture/labels.h"

/* A picture as text for Graphviz: every position is in it, so that 'neato -n2' draws what 'ptxlit'
 * would. A label of 'labels' for each arrow. */
GString *picture_dot(const char *title, const struct picture_plan *plan,
                     const struct arrow_list *arrows, const struct wording *labels);

#endif
