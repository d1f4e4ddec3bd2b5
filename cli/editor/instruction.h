/* SPDX-License-Identifier: MIT */
#ifndef CLI_EDITOR_INSTRUCTION_H
#define CLI_EDITOR_INSTRUCTION_H

#include <glib.h>

#include "cli/editor/reading.h"

/* What the tables of litmus/isa say of an instruction, for people, as Markdown. */

/* The operation whose mnemonic begins the dotted word, the longest; OP_COUNT: none. Where a word stands for another
 * ("suld", "bar"), '*spelling' is its row; else NULL. */
enum op instruction_find(struct arena *arena, const char *word, size_t length,
                         const struct isa_spelling **spelling);
/* "Memory": the group that the operation is documented in. */
const char *instruction_group(enum op op);
/* Its operands, the words that may follow, the manual's section, its part in the model. */
void instruction_describe(struct arena *arena, enum op op, GString *out);
/* May the word follow the mnemonic, alone? */
bool instruction_accepts(enum op op, const struct isa_word *word);
/* ".sem", of a class of words.def; "" of flags. */
const char *instruction_class(char class);

#endif
