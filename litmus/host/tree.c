/* SPDX-License-Identifier: MIT */
#include "litmus/host/tree.h"

const struct cpp_expr *tree_expr(struct arena *arena, struct cpp_expr expr,
                                 const struct cpp_expr *const *kids, uint32_t count)
{
    struct cpp_expr *made = ARENA_NEW(arena, struct cpp_expr);
    *made = expr;
    made->kids = ARENA_ARRAY(arena, const struct cpp_expr *, count);
    made->kid_count = count;
    for (uint32_t i = 0; i < count; i++)
        made->kids[i] = kids[i];
    return made;
}

const struct cpp_stmt *tree_stmt(struct arena *arena, struct cpp_stmt stmt,
                                 const struct cpp_stmt *const *kids, uint32_t count)
{
    struct cpp_stmt *made = ARENA_NEW(arena, struct cpp_stmt);
    *made = stmt;
    made->kids = ARENA_ARRAY(arena, const struct cpp_stmt *, count);
    made->kid_count = count;
    for (uint32_t i = 0; i < count; i++)
        made->kids[i] = kids[i];
    return made;
}

struct cpp_name tree_name(struct arena *arena, const char *word, struct span span)
{
    struct cpp_part *part = ARENA_NEW(arena, struct cpp_part);
    part->word = word;
    return (struct cpp_name){.parts = part, .part_count = 1, .span = span};
}

const struct cpp_expr *tree_member(struct arena *arena, const struct cpp_expr *of, const char *word)
{
    struct cpp_expr expr = {
        .kind = CPP_MEMBER, .name = tree_name(arena, word, of->span), .span = of->span};
    return tree_expr(arena, expr, &of, 1);
}
