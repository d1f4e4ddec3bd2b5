/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_COMPLETE_H
#define CLI_EDITOR_COMPLETE_H

#include <jansson.h>

#include "cli/editor/reading.h"

/* What may stand at the offset, as an array of the protocol's completion items: in a test mnemonics, the words that may
 * follow one after a dot, special registers, the names of the test as it was last read ('before', or NULL), and the models that it may
 * expect something of; in a cat text its words, and the names that are defined or supplied. */
json_t *complete_at(const struct editor_text *text, const struct editor_text *before,
                    uint32_t offset);

#endif
