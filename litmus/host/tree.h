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

/* A copy of a tree in which some expressions are others. */
struct tree_change {
    struct arena *arena;
    /* What stands instead; NULL: it, with its parts changed. */
    const struct cpp_expr *(*expr)(struct tree_change *change, const struct cpp_expr *expr);
    /* In a list: how many stand instead, which are written to 'to' unless it is NULL; NONE: one. May be NULL. */
    uint32_t (*repeat)(struct tree_change *change, const struct cpp_expr *expr,
                       const struct cpp_expr **to);
};
const struct cpp_expr *tree_changed(struct tree_change *change, const struct cpp_expr *expr);
const struct cpp_stmt *tree_changed_stmt(struct tree_change *change, const struct cpp_stmt *stmt);
const struct cpp_expr **tree_changed_list(struct tree_change *change,
                                          const struct cpp_expr *const *list, uint32_t count,
                                          uint32_t *made_count);

#endif
