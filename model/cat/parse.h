/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PARSE_H
#define MODEL_CAT_PARSE_H

#include "model/cat/ast.h"

/* Reads one cat text. Never NULL: a statement with an error is reported and left out, and reading
 * goes on at the next one. */
struct ast_file *cat_read(struct arena *arena, const struct source *source,
                          struct diag_list *diags);

#endif
