/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/cpp/lower.h"

/* Which names an expression writes and reads. Operands of most operators are evaluated in no order, so one that writes a
 * plain variable must not meet another that names it: C++20 [intro.execution] 10. */

static const char *variable_of(const struct cpp_expr *expr)
{
    bool plain = expr->kind == CPP_NAME && expr->name.part_count == 1;
    return plain ? expr->name.parts[0].word : NULL;
}

/* The name that the expression itself writes, not one of its operands. */
static const char *written_by(const struct cpp_expr *expr)
{
    bool steps = (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) &&
                 (expr->mark == CPP_MARK_INCREMENT || expr->mark == CPP_MARK_DECREMENT);
    return steps || expr->kind == CPP_ASSIGNMENT ? variable_of(expr->kids[0]) : NULL;
}

/* An argument may be taken by reference. */
static bool passes(const struct cpp_expr *expr, const char *name)
{
    for (uint32_t i = 1; expr->kind == CPP_CALL && i < expr->kid_count; i++) {
        const char *word = variable_of(expr->kids[i]);
        if (word && strcmp(word, name) == 0)
            return true;
    }
    return false;
}

static bool expr_writes(const struct cpp_expr *expr, const char *name)
{
    const char *written = written_by(expr);
    if (expr->kind == CPP_LAMBDA)
        return cpp_writes(expr->lambda->body, name);
    if ((written && strcmp(written, name) == 0) || passes(expr, name))
        return true;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (expr_writes(expr->kids[i], name))
            return true;
    return false;
}

static bool names(const struct cpp_expr *expr, const char *name)
{
    const char *word = variable_of(expr);
    if (expr->kind == CPP_LAMBDA)
        return cpp_mentions(expr->lambda->body, name);
    if (word && strcmp(word, name) == 0)
        return true;
    for (uint32_t i = 0; i < expr->kid_count; i++)
        if (names(expr->kids[i], name))
            return true;
    return false;
}

/* What is asked of an expression and a name. */
typedef bool asks(const struct cpp_expr *expr, const char *name);

/* Of an expression in the statement, not in statements in it. */
static bool own_exprs(const struct cpp_stmt *stmt, const char *name, asks *holds)
{
    const struct cpp_expr *own[] = {stmt->value, stmt->condition, stmt->step};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (own[i] && holds(own[i], name))
            return true;
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
        const struct cpp_declarator *one = &stmt->declarators[i];
        if (one->value && holds(one->value, name))
            return true;
        for (uint32_t k = 0; k < one->given_count; k++)
            if (holds(one->given[k], name))
                return true;
    }
    return false;
}

static bool any_expr(const struct cpp_stmt *stmt, const char *name, asks *holds)
{
    if (own_exprs(stmt, name, holds))
        return true;
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (any_expr(stmt->kids[i], name, holds))
            return true;
    return false;
}

bool cpp_writes(const struct cpp_stmt *stmt, const char *name)
{
    return any_expr(stmt, name, expr_writes);
}

bool cpp_mentions(const struct cpp_stmt *stmt, const char *name)
{
    return any_expr(stmt, name, names);
}

/* A name that 'one' writes and 'other' names; NULL: there is none. */
static const char *clash(const struct cpp_expr *one, const struct cpp_expr *other)
{
    const char *written = written_by(one), *found = NULL;
    if (written && names(other, written))
        return written;
    for (uint32_t i = 0; i < one->kid_count && !found; i++)
        found = clash(one->kids[i], other);
    return found;
}

bool cpp_sequenced(struct cpp_code *code, const struct cpp_expr *expr)
{
    const char *name = clash(expr->kids[0], expr->kids[1]);
    struct cpp_operand of;
    name = name ? name : clash(expr->kids[1], expr->kids[0]);
    if (!name || (cpp_is_object(code, name, &of) && of.kind.is_atomic))
        return true;
    code_error(code, cpp_refused, expr->span, "write two statements",
               "one side of '%s' writes '%s' and the other uses it, in no order: undefined in C++",
               cpp_mark_text(expr->mark), name);
    return false;
}
