/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/host/walk.h"

/* "f()", where f is a lambda. */
static void walk_called(struct walk *walk, const struct cpp_expr *expr)
{
    const char *word = walk->follows && expr->kind == CPP_CALL ? eval_word(expr->kids[0]) : NULL;
    const struct code_cell *cell = word ? eval_find(walk->e, word) : NULL;
    if (!cell || cell->value.kind != VALUE_FUNCTION || !cell->value.function->lambda)
        return;
    walk->follows--;
    walk_stmt(walk, cell->value.function->body);
    walk->follows++;
}

void walk_expr(struct walk *walk, const struct cpp_expr *expr)
{
    if (!expr)
        return;
    walk->see(walk, expr);
    for (uint32_t i = 0; i < expr->kid_count; i++)
        walk_expr(walk, expr->kids[i]);
    walk_called(walk, expr);
    for (uint32_t i = 0; expr->kind == CPP_LAMBDA && i < expr->lambda->copied_count; i++)
        walk_expr(walk, expr->lambda->copied_values[i]);
    if (expr->kind == CPP_LAMBDA)
        walk_stmt(walk, expr->lambda->body);
}

/* A statement that is not read may do anything with what it names. */
static void walk_unread(struct walk *walk, const struct cpp_unread *unread)
{
    for (uint32_t i = 0; i < unread->word_count; i++)
        walk->found = walk->found || (walk->name && strcmp(unread->words[i], walk->name) == 0);
}

/* "void *args[] = {&d, &n};", for a kernel. */
static bool is_argument_list(const struct cpp_declarator *one)
{
    const struct cpp_type *of = one->type->kind == CPP_TYPE_ARRAY ? one->type->to : NULL;
    return of && of->kind == CPP_TYPE_POINTER && of->to->kind == CPP_TYPE_VOID && one->value &&
           one->value->kind == CPP_LIST;
}

void walk_stmt(struct walk *walk, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_UNREAD)
        walk_unread(walk, stmt->unread);
    walk_expr(walk, stmt->value);
    walk_expr(walk, stmt->condition);
    walk_expr(walk, stmt->step);
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        if (walk->declares)
            walk->declares(walk, one);
        if (is_argument_list(one)) /* the list gives away nothing, what stands in it may */
            for (uint32_t k = 0; k < one->value->kid_count; k++)
                walk_expr(walk, one->value->kids[k]);
        else
            walk_expr(walk, one->value);
        for (uint32_t k = 0; k < one->given_count; k++)
            walk_expr(walk, one->given[k]);
    }
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        walk_stmt(walk, stmt->kids[i]);
}

void walk_both(struct walk *walk, const struct cpp_stmt *stmt, const struct cpp_expr *expr)
{
    walk_expr(walk, expr);
    if (stmt)
        walk_stmt(walk, stmt);
}

/* The variable that an expression is a part of, or NULL; of "W::n" the last word. */
const char *walk_root(const struct cpp_expr *expr)
{
    while (expr->kid_count &&
           (expr->kind == CPP_INDEX || expr->kind == CPP_MEMBER || expr->kind == CPP_CAST))
        expr = expr->kids[0];
    return expr->kind == CPP_NAME ? cpp_last_part(&expr->name)->word : NULL;
}

/* The variable that the expression assigns or gives away, or NULL. */
const char *walk_assigned(const struct cpp_expr *expr)
{
    bool step = (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) &&
                (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT);
    bool gives = expr->kind == CPP_UNARY && expr->mark == CPP_MARK_AND;
    return step || gives || expr->kind == CPP_ASSIGNMENT ? walk_root(expr->kids[0]) : NULL;
}

static void note_mention(struct walk *walk, const struct cpp_expr *expr)
{
    const char *word = eval_word(expr);
    walk->found = walk->found || (word && strcmp(word, walk->name) == 0);
}

bool eval_mentions(const struct cpp_stmt *stmt, const char *name)
{
    struct walk walk = {.see = note_mention, .name = name};
    walk_stmt(&walk, stmt);
    return walk.found;
}

bool eval_returns_value(const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_RETURN && stmt->value)
        return true;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (eval_returns_value(stmt->kids[i]))
            return true;
    return false;
}
