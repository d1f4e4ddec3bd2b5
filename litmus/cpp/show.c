/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/base/text.h"
#include "litmus/cpp/ast.h"
#include "litmus/cpp/cpp.h"

/* The tree as text: every operation in parentheses, every statement on one line. */

static void show_expr(GString *out, const struct cpp_expr *expr);
static void show_type(GString *out, const struct cpp_type *type);

static void show_part(GString *out, const struct cpp_part *part)
{
    g_string_append(out, part->word);
    if (!part->is_template)
        return;
    g_string_append_c(out, '<');
    for (uint32_t i = 0; i < part->argument_count; i++) {
        g_string_append(out, i ? ", " : "");
        if (part->arguments[i].type)
            show_type(out, part->arguments[i].type);
        else
            show_expr(out, part->arguments[i].value);
    }
    g_string_append_c(out, '>');
}

static void show_name(GString *out, const struct cpp_name *name)
{
    for (uint32_t i = 0; i < name->part_count; i++) {
        g_string_append(out, i || name->global ? "::" : "");
        show_part(out, &name->parts[i]);
    }
}

static void show_array(GString *out, const struct cpp_type *type)
{
    show_type(out, type->to);
    g_string_append_c(out, '[');
    if (type->length)
        show_expr(out, type->length);
    g_string_append_c(out, ']');
}

/* Integers by their size: i32, u64. */
static void show_type(GString *out, const struct cpp_type *type)
{
    g_string_append(out, type->is_const ? "const " : "");
    g_string_append(out, type->is_volatile ? "volatile " : "");
    switch (type->kind) {
    case CPP_TYPE_VOID:
        g_string_append(out, "void");
        return;
    case CPP_TYPE_BOOL:
        g_string_append(out, "bool");
        return;
    case CPP_TYPE_INTEGER:
        g_string_append_printf(out, "%c%u", type->is_signed ? 'i' : 'u', type->bytes * 8);
        return;
    case CPP_TYPE_FLOAT:
        g_string_append_printf(out, "f%u", type->bytes * 8);
        return;
    case CPP_TYPE_AUTO:
        g_string_append(out, "auto");
        return;
    case CPP_TYPE_NAMED:
        show_name(out, &type->name);
        return;
    case CPP_TYPE_ARRAY:
        show_array(out, type);
        return;
    default:
        show_type(out, type->to);
        g_string_append_c(out, type->kind == CPP_TYPE_POINTER ? '*' : '&');
    }
}

static void show_list(GString *out, const struct cpp_expr *const *kids, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        g_string_append(out, i ? ", " : "");
        show_expr(out, kids[i]);
    }
}

static void show_kids(GString *out, const struct cpp_expr *expr, const char *middle)
{
    g_string_append_c(out, '(');
    show_expr(out, expr->kids[0]);
    g_string_append(out, middle);
    show_expr(out, expr->kids[1]);
    g_string_append_c(out, ')');
}

static void show_call(GString *out, const struct cpp_expr *expr)
{
    uint32_t first = 1 + expr->launch_count;
    show_expr(out, expr->kids[0]);
    if (expr->kind == CPP_LAUNCH) {
        g_string_append(out, "<<<");
        show_list(out, expr->kids + 1, expr->launch_count);
        g_string_append(out, ">>>");
    }
    g_string_append_c(out, expr->is_braced ? '{' : '(');
    show_list(out, expr->kids + first, expr->kid_count - first);
    g_string_append_c(out, expr->is_braced ? '}' : ')');
}

static void show_typed(GString *out, const struct cpp_expr *expr)
{
    g_string_append(out, expr->kind == CPP_SIZEOF ? "sizeof" : "");
    if (expr->type) {
        g_string_append_c(out, '[');
        show_type(out, expr->type);
        g_string_append_c(out, ']');
    }
    if (expr->kind == CPP_SIZEOF && expr->type)
        return;
    g_string_append_c(out, '(');
    show_list(out, expr->kids, expr->kid_count);
    g_string_append_c(out, ')');
}

static void show_leaf(GString *out, const struct cpp_expr *expr)
{
    double value;
    switch (expr->kind) {
    case CPP_NUMBER:
        g_string_append_printf(out, "%" G_GUINT64_FORMAT, expr->value);
        if (!expr->is_bool)
            g_string_append(out, expr->is_signed ? "" : "u");
        g_string_append(out, expr->bytes == 8 ? "l" : expr->is_bool ? "b" : "");
        return;
    case CPP_FLOAT:
        memcpy(&value, &expr->value, sizeof value);
        g_string_append_printf(out, "%g", value);
        return;
    case CPP_STRING:
        g_string_append(out, "\"\"");
        return;
    case CPP_NULL:
        g_string_append(out, "nullptr");
        return;
    default:
        show_name(out, &expr->name);
    }
}

static void show_operation(GString *out, const struct cpp_expr *expr)
{
    const char *mark = cpp_mark_text(expr->mark);
    if (expr->kind == CPP_UNARY || expr->kind == CPP_POSTFIX) {
        g_string_append_printf(out, "(%s", expr->kind == CPP_UNARY ? mark : "");
        show_expr(out, expr->kids[0]);
        g_string_append_printf(out, "%s)", expr->kind == CPP_POSTFIX ? mark : "");
        return;
    }
    GString *middle = g_string_new(NULL);
    g_string_printf(middle, " %s ", expr->kind == CPP_CONDITIONAL ? "?" : mark);
    show_kids(out, expr, middle->str);
    g_string_free(middle, TRUE);
}

static void show_stmt(GString *out, const struct cpp_stmt *stmt);

static void show_expr(GString *out, const struct cpp_expr *expr)
{
    switch (expr->kind) {
    case CPP_UNARY:
    case CPP_POSTFIX:
    case CPP_BINARY:
    case CPP_ASSIGNMENT:
        show_operation(out, expr);
        return;
    case CPP_CONDITIONAL:
        show_kids(out, expr, " ? ");
        g_string_truncate(out, out->len - 1);
        g_string_append(out, " : ");
        show_expr(out, expr->kids[2]);
        g_string_append_c(out, ')');
        return;
    case CPP_CAST:
    case CPP_CONSTRUCT:
    case CPP_SIZEOF:
        show_typed(out, expr);
        return;
    case CPP_CALL:
    case CPP_LAUNCH:
        show_call(out, expr);
        return;
    case CPP_LIST:
        g_string_append_c(out, '{');
        show_list(out, expr->kids, expr->kid_count);
        g_string_append_c(out, '}');
        return;
    case CPP_MEMBER:
        show_expr(out, expr->kids[0]);
        g_string_append(out, expr->is_arrow ? "->" : ".");
        show_name(out, &expr->name);
        return;
    case CPP_INDEX:
        show_expr(out, expr->kids[0]);
        g_string_append_c(out, '[');
        show_expr(out, expr->kids[1]);
        g_string_append_c(out, ']');
        return;
    case CPP_LAMBDA:
        g_string_append(out, "[] ");
        show_stmt(out, expr->lambda->body);
        return;
    case CPP_DESIGNATED:
        g_string_append_printf(out, ".%s = ", cpp_last_part(&expr->name)->word);
        show_expr(out, expr->kids[0]);
        return;
    case CPP_NEW:
        g_string_append(out, "new ");
        show_type(out, expr->type);
        show_kids(out, expr, "");
        return;
    case CPP_DELETE:
        g_string_append(out, "delete ");
        show_kids(out, expr, "");
        return;
    case CPP_EXPAND:
        show_kids(out, expr, "");
        g_string_append_printf(out, "%s...", cpp_mark_text(expr->mark));
        return;
    default:
        show_leaf(out, expr);
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static void show_declarator(GString *out, const struct cpp_declarator *one)
{
    show_type(out, one->type);
    g_string_append_printf(out, " %s", one->name);
    if (one->value) {
        g_string_append(out, " = ");
        show_expr(out, one->value);
    }
    if (one->is_given) {
        g_string_append_c(out, one->is_braced ? '{' : '(');
        show_list(out, one->given, one->given_count);
        g_string_append_c(out, one->is_braced ? '}' : ')');
    }
    g_string_append(out, "; ");
}

static void show_declaration(GString *out, const struct cpp_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->declarator_count; i++) {
#define SPECIFIER(id, word)                                                                        \
    if (stmt->specifiers & CPP_SPECIFIER_##id)                                                     \
        g_string_append(out, word " ");
#include "litmus/cpp/keyword.def"
        show_declarator(out, &stmt->declarators[i]);
    }
}

static void show_head(GString *out, const char *word, const struct cpp_expr *condition)
{
    g_string_append_printf(out, "%s (", word);
    show_expr(out, condition);
    g_string_append(out, ") ");
}

static void show_for(GString *out, const struct cpp_stmt *stmt)
{
    g_string_append(out, "for (");
    show_stmt(out, stmt->kids[0]);
    if (stmt->value) { /* a range */
        g_string_append(out, ": ");
        show_expr(out, stmt->value);
    }
    if (stmt->condition)
        show_expr(out, stmt->condition);
    g_string_append(out, "; ");
    if (stmt->step)
        show_expr(out, stmt->step);
    g_string_append(out, ") ");
    show_stmt(out, stmt->kids[1]);
}

static void show_loop(GString *out, const struct cpp_stmt *stmt)
{
    if (stmt->kind == CPP_DO) {
        g_string_append(out, "do ");
        show_stmt(out, stmt->kids[0]);
        show_head(out, "while", stmt->condition);
        g_string_append(out, "; ");
        return;
    }
    show_head(out, stmt->kind == CPP_IF ? "if" : "while", stmt->condition);
    show_stmt(out, stmt->kids[0]);
    if (stmt->kid_count > 1) {
        g_string_append(out, "else ");
        show_stmt(out, stmt->kids[1]);
    }
}

static void show_word(GString *out, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_EXPRESSION:
        show_expr(out, stmt->value);
        break;
    case CPP_RETURN:
        g_string_append(out, stmt->value ? "return " : "return");
        if (stmt->value)
            show_expr(out, stmt->value);
        break;
    case CPP_BREAK:
        g_string_append(out, "break");
        break;
    case CPP_CONTINUE:
        g_string_append(out, "continue");
        break;
    case CPP_GOTO:
        g_string_append_printf(out, "goto %s", stmt->label);
        break;
    default:
        break;
    }
    g_string_append(out, "; ");
}

static void show_stmt(GString *out, const struct cpp_stmt *stmt)
{
    switch (stmt->kind) {
    case CPP_BLOCK:
        g_string_append(out, "{ ");
        for (uint32_t i = 0; i < stmt->kid_count; i++)
            show_stmt(out, stmt->kids[i]);
        g_string_append(out, "} ");
        return;
    case CPP_DECLARATION:
        show_declaration(out, stmt);
        return;
    case CPP_IF:
    case CPP_WHILE:
    case CPP_DO:
        show_loop(out, stmt);
        return;
    case CPP_FOR:
    case CPP_RANGE_FOR:
        show_for(out, stmt);
        return;
    case CPP_SWITCH:
        show_head(out, "switch", stmt->value);
        show_stmt(out, stmt->kids[0]);
        return;
    case CPP_CASE:
        g_string_append(out, stmt->value ? "case " : "default");
        if (stmt->value)
            show_expr(out, stmt->value);
        g_string_append(out, ": ");
        show_stmt(out, stmt->kids[0]);
        return;
    case CPP_TRY:
        g_string_append(out, "try ");
        for (uint32_t i = 0; i < stmt->kid_count; i++) {
            g_string_append(out, i ? "catch " : "");
            show_stmt(out, stmt->kids[i]);
        }
        return;
    case CPP_THROW:
        g_string_append(out, "throw ");
        if (stmt->value)
            show_expr(out, stmt->value);
        g_string_append(out, ";");
        return;
    case CPP_LABEL:
        g_string_append_printf(out, "%s: ", stmt->label);
        show_stmt(out, stmt->kids[0]);
        return;
    default:
        show_word(out, stmt);
    }
}

const char *cpp_show_expr(struct arena *arena, const struct cpp_expr *expr)
{
    struct text *text = text_open(arena);
    show_expr(text->out, expr);
    return text_close(text, arena);
}

const char *cpp_show_stmt(struct arena *arena, const struct cpp_stmt *stmt)
{
    struct text *text = text_open(arena);
    show_stmt(text->out, stmt);
    if (text->out->len && text->out->str[text->out->len - 1] == ' ')
        g_string_truncate(text->out, text->out->len - 1);
    return text_close(text, arena);
}
