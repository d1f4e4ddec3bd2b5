/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PARSE_H
#define MODEL_CAT_PARSE_H

#include "model/cat/ast.h"
#include "model/cat/cat.h"

/* Reads one cat text. Never NULL: a statement with an error is reported and left out, and reading
 * goes on at the next one. Of 'if "variant" then a else b' the loader says which is read; without a
 * loader (NULL) it is b. */
struct ast_file *cat_read(struct arena *arena, const struct source *source,
                          const struct cat_loader *loader, struct diag_list *diags);

#endif
