/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_PROBLEM_H
#define CLI_EDITOR_PROBLEM_H

#include <jansson.h>

#include "cli/editor/reading.h"

/* What is wrong with the text, as an array of the protocol's diagnostics; the hint is part of the message and,
 * alone, in "data". What concerns a file that the text names stands at its beginning and says which file. */
json_t *problem_list(const struct editor_text *text);

#endif
