/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_HOVER_H
#define CLI_EDITOR_HOVER_H

#include <jansson.h>

#include "cli/editor/reading.h"

/* What is said of the word at the offset, as the protocol's object, in Markdown; null: nothing. Of an instruction: what
 * the tables say of it, with the manual's section, and the sets of the model that its events here are in. Of a name in a cat text: its
 * definition, or what the program supplies under that name. */
json_t *hover_at(const struct editor_text *text, uint32_t offset);

/* The word at or before the offset: letters, digits and what PTX puts between them; its length may be 0. */
struct span hover_word(const struct editor_text *text, uint32_t offset);
/* The folder that a text's includes lie in. In the text's arena. */
const char *hover_folder(const struct editor_text *text);

#endif
