/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_PICTURE_PAIR_H
#define CLI_SHOW_PICTURE_PAIR_H

#include "cli/show/picture/picture.h"

/* Two tests side by side as one SVG: their texts, and below each the execution that is explained. A side
 * without a picture has the reason in its place. The caller frees the string. */
GString *picture_pair(const char *left, const char *right, const struct explanation *left_below,
                      const struct explanation *right_below);

#endif
