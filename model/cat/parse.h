/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PARSE_H
#define MODEL_CAT_PARSE_H

#include "model/cat/ast.h"

/* Reads one cat text. Never NULL: a statement with an error is reported and left out, and reading
 * goes on at the next one. 'if "variant" then a else b' is read as a, any other 'if' as its b; NULL:
 * no variant is wanted. 'choice' likewise: "READING=WORD". */
struct ast_file *cat_read(struct arena *arena, const struct source *source, const char *variant,
                          const char *choice, struct diag_list *diags);

#endif
