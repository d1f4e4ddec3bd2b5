/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_TREE_H
#define LITMUS_HOST_TREE_H

#include "litmus/base/arena.h"
#include "litmus/cpp/ast.h"

/* Trees of code that the program does not write, and that a call of it stands for. They live in the arena; their spans
 * are those of the call. */

const struct cpp_expr *tree_expr(struct arena *arena, struct cpp_expr expr,
                                 const struct cpp_expr *const *kids, uint32_t count);
const struct cpp_stmt *tree_stmt(struct arena *arena, struct cpp_stmt stmt,
                                 const struct cpp_stmt *const *kids, uint32_t count);
struct cpp_name tree_name(struct arena *arena, const char *word, struct span span);
/* "of.word" */
const struct cpp_expr *tree_member(struct arena *arena, const struct cpp_expr *of,
                                   const char *word);

#endif
