/* SPDX-License-Identifier: MIT */
#include "litmus/host/tree.h"

#include "litmus/test/test.h"

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

/* ---- changes -------------------------------------------------------------------------------- */

const struct cpp_expr **tree_changed_list(struct tree_change *change,
                                          const struct cpp_expr *const *list, uint32_t count,
                                          uint32_t *made_count)
{
    uint32_t total = 0, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t several = change->repeat ? change->repeat(change, list[i], NULL) : NONE;
        total += several == NONE ? 1 : several;
    }
    const struct cpp_expr **made = ARENA_ARRAY(change->arena, const struct cpp_expr *, total);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t several = change->repeat ? change->repeat(change, list[i], made + at) : NONE;
        if (several == NONE)
            made[at] = tree_changed(change, list[i]);
        at += several == NONE ? 1 : several;
    }
    *made_count = total;
    return made;
}

static const struct cpp_lambda *changed_lambda(struct tree_change *change,
                                               const struct cpp_lambda *lambda)
{
    struct cpp_lambda *made = ARENA_NEW(change->arena, struct cpp_lambda);
    *made = *lambda;
    made->body = tree_changed_stmt(change, lambda->body);
    made->copied_values = ARENA_ARRAY(change->arena, const struct cpp_expr *, lambda->copied_count);
    for (uint32_t i = 0; i < lambda->copied_count; i++)
        made->copied_values[i] = tree_changed(change, lambda->copied_values[i]);
    return made;
}

const struct cpp_expr *tree_changed(struct tree_change *change, const struct cpp_expr *expr)
{
    const struct cpp_expr *other = expr ? change->expr(change, expr) : NULL;
    if (!expr || other)
        return other;
    struct cpp_expr *made = ARENA_NEW(change->arena, struct cpp_expr);
    *made = *expr;
    made->kids = tree_changed_list(change, expr->kids, expr->kid_count, &made->kid_count);
    if (expr->kind == CPP_LAMBDA)
        made->lambda = changed_lambda(change, expr->lambda);
    return made;
}

const struct cpp_stmt *tree_changed_stmt(struct tree_change *change, const struct cpp_stmt *stmt)
{
    struct cpp_stmt *made = ARENA_NEW(change->arena, struct cpp_stmt);
    *made = *stmt;
    made->value = tree_changed(change, stmt->value);
    made->condition = tree_changed(change, stmt->condition);
    made->step = tree_changed(change, stmt->step);
    made->kids = ARENA_ARRAY(change->arena, const struct cpp_stmt *, stmt->kid_count);
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        made->kids[i] = tree_changed_stmt(change, stmt->kids[i]);
    made->declarators = ARENA_ARRAY(change->arena, struct cpp_declarator, stmt->declarator_count);
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        struct cpp_declarator *one = &made->declarators[i];
        *one = stmt->declarators[i];
        one->value = tree_changed(change, one->value);
        one->given = tree_changed_list(change, one->given, one->given_count, &one->given_count);
    }
    return made;
}
