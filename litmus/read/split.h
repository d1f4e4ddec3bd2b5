/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_READ_SPLIT_H
#define LITMUS_READ_SPLIT_H

#include "litmus/base/source.h"

/* Tests that follow each other in one text. Where the test that begins at 'from', or after blanks and
 * comments there, ends and another begins: at a line whose first word is PTX or C++, with a name,
 * outside of comments and strings. The text's length if none does. */
uint32_t litmus_next_test(const struct source *source, uint32_t from);

#endif
