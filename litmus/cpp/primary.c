/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

/* What an expression is made of: numbers, strings, names, named casts, parentheses. */

static const struct cpp_expr *number(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = p->token.kind == CPP_TOKEN_FLOAT ? CPP_FLOAT : CPP_NUMBER,
                            .value = p->token.value,
                            .bytes = p->token.bytes,
                            .is_signed = p->token.is_signed,
                            .span = p->token.span};
    cpp_advance(p);
    return cpp_node(p, node, NULL, 0);
}

/* Strings that follow each other are one. */
static const struct cpp_expr *string(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_STRING, .span = p->token.span};
    while (p->token.kind == CPP_TOKEN_STRING)
        cpp_advance(p);
    return cpp_node(p, node, NULL, 0);
}

static const struct cpp_expr *constant(struct cpp_parser *p, enum cpp_keyword keyword)
{
    struct cpp_expr node = {.kind = CPP_NUMBER, .bytes = 1, .is_bool = true, .span = p->token.span};
    node.value = keyword == CPP_KEYWORD_TRUE;
    if (keyword == CPP_KEYWORD_NULLPTR)
        node = (struct cpp_expr){.kind = CPP_NULL, .bytes = 8, .span = p->token.span};
    cpp_advance(p);
    return cpp_node(p, node, NULL, 0);
}

static const struct cpp_expr *name(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_NAME, .span = p->token.span};
    return cpp_name(p, &node.name) ? cpp_node(p, node, NULL, 0) : NULL;
}

static bool returns(const struct cpp_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->kid_count; i++)
        if (returns(stmt->kids[i]))
            return true;
    return stmt->kind == CPP_RETURN || stmt->kind == CPP_BREAK || stmt->kind == CPP_CONTINUE ||
           stmt->kind == CPP_GOTO || stmt->kind == CPP_UNREAD;
}

/* "({ …; x; })" of GCC: a function that is called at once. */
static const struct cpp_expr *statement_value(struct cpp_parser *p)
{
    struct cpp_lambda *lambda = ARENA_NEW(p->arena, struct cpp_lambda);
    struct cpp_expr node = {.kind = CPP_LAMBDA, .lambda = lambda, .span = p->token.span};
    const struct cpp_stmt *body = cpp_statement(p);
    if (!body || !cpp_close(p, CPP_MARK_CLOSE, "')'"))
        return NULL;
    if (returns(body)) {
        cpp_error(p, cpp_refused, node.span, "write a function",
                  "statements in an expression that jump out of it are not read");
        return NULL;
    }
    struct cpp_stmt *code = ARENA_NEW(p->arena, struct cpp_stmt);
    *code = *body;
    uint32_t last = body->kid_count - 1;
    if (body->kid_count && body->kids[last]->kind == CPP_EXPRESSION) {
        struct cpp_stmt *result = ARENA_NEW(p->arena, struct cpp_stmt);
        *result = *body->kids[last];
        result->kind = CPP_RETURN;
        code->kids = ARENA_ARRAY(p->arena, const struct cpp_stmt *, body->kid_count);
        for (uint32_t i = 0; i < body->kid_count; i++)
            code->kids[i] = i == last ? result : body->kids[i];
    }
    lambda->by_reference = true;
    lambda->body = code;
    const struct cpp_expr *callee = cpp_node(p, node, NULL, 0);
    struct cpp_expr call = {.kind = CPP_CALL, .span = node.span};
    return callee ? cpp_node(p, call, &callee, 1) : NULL;
}

static const struct cpp_expr *parentheses(struct cpp_parser *p)
{
    cpp_open(p, CPP_MARK_OPEN, "'('");
    if (p->host && cpp_at(p, CPP_MARK_OPEN_BLOCK))
        return statement_value(p);
    bool folds = p->host && cpp_at(p, CPP_MARK_ELLIPSIS);
    const struct cpp_expr *expr = folds ? cpp_left_fold(p) : cpp_expression(p);
    return expr && cpp_close(p, CPP_MARK_CLOSE, "')'") ? expr : NULL;
}

/* "static_cast<int>(x)" */
static const struct cpp_expr *named_cast(struct cpp_parser *p)
{
    struct cpp_expr node = {.kind = CPP_CAST, .span = p->token.span};
    cpp_advance(p);
    if (!cpp_expect(p, CPP_MARK_LT, "'<' and a type"))
        return NULL;
    node.type = cpp_type(p);
    if (!node.type || !cpp_close_angle(p))
        return NULL;
    if (!cpp_at(p, CPP_MARK_OPEN)) {
        cpp_unexpected(p, "'(' after the cast");
        return NULL;
    }
    const struct cpp_expr *kid = parentheses(p);
    return kid ? cpp_node(p, node, &kid, 1) : NULL;
}

/* "int(x)", "int{}": of types that a word of the language names; others look like calls. */
static const struct cpp_expr *construct(struct cpp_parser *p)
{
    struct cpp_expr_list list = {{0}};
    struct cpp_expr node = {.kind = CPP_CONSTRUCT, .span = p->token.span};
    node.type = cpp_type_specifier(p);
    if (!node.type)
        return NULL;
    node.is_braced = cpp_at(p, CPP_MARK_OPEN_BLOCK);
    enum cpp_mark open = node.is_braced ? CPP_MARK_OPEN_BLOCK : CPP_MARK_OPEN;
    enum cpp_mark close = node.is_braced ? CPP_MARK_CLOSE_BLOCK : CPP_MARK_CLOSE;
    if (!cpp_open(p, open, "'(' and a value") || !cpp_arguments(p, close, &list))
        return NULL;
    return cpp_node(p, node, list.of.at, list.of.len);
}

static const struct cpp_expr *word(struct cpp_parser *p)
{
    enum cpp_keyword keyword = cpp_keyword_at(p);
    switch (keyword) {
    case CPP_KEYWORD_TRUE:
    case CPP_KEYWORD_FALSE:
    case CPP_KEYWORD_NULLPTR:
        return constant(p, keyword);
    case CPP_KEYWORD_STATIC_CAST:
    case CPP_KEYWORD_REINTERPRET_CAST:
    case CPP_KEYWORD_CONST_CAST:
        return named_cast(p);
    default:
        if (p->host && cpp_at_word(p, "dynamic_cast"))
            return named_cast(p);
        if (cpp_at_builtin_type(p))
            return construct(p);
        if (cpp_at_name(p))
            return name(p);
        cpp_unexpected(p, "an expression");
        return NULL;
    }
}

const struct cpp_expr *cpp_primary(struct cpp_parser *p)
{
    switch (p->token.kind) {
    case CPP_TOKEN_NUMBER:
    case CPP_TOKEN_FLOAT:
        return number(p);
    case CPP_TOKEN_STRING:
        return string(p);
    case CPP_TOKEN_WORD:
        return word(p);
    default:
        break;
    }
    if (cpp_at(p, CPP_MARK_OPEN))
        return parentheses(p);
    if (cpp_at(p, CPP_MARK_QUALIFY))
        return name(p);
    if (cpp_at(p, CPP_MARK_OPEN_INDEX))
        return cpp_lambda(p);
    cpp_unexpected(p, "an expression");
    return NULL;
}
