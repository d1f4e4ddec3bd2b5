/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/cat/parser.h"

/* The expressions of cat, by recursive descent; what is nested too deeply is refused. */

enum { MAX_HEIGHT = 200 }; /* of an expression tree, and so of every recursion over one */

static bool too_deep(struct cat_parser *parser, uint32_t height)
{
    if (height <= MAX_HEIGHT)
        return false;
    diag_add(parser->diags, DIAG_cat_too_deep, parser->source, parser_token(parser)->span, NULL,
             "expression is nested deeper than %d levels", MAX_HEIGHT);
    return true;
}

/* A copy of 'ast' that reaches from 'start' to here. */
static struct ast *node(struct cat_parser *parser, uint32_t start, struct ast ast)
{
    ast.height = 1;
    for (uint32_t i = 0; i < ast.kid_count; i++)
        if (ast.kids[i]->height >= ast.height)
            ast.height = ast.kids[i]->height + 1;
    ast.span = parser_since(parser, start);
    struct ast *copy = ARENA_NEW(parser->arena, struct ast);
    *copy = ast;
    return too_deep(parser, ast.height) ? NULL : copy;
}

static struct ast *operation(struct cat_parser *parser, enum cat_op op, uint32_t start,
                             struct ast **kids, uint32_t kid_count)
{
    return node(parser, start,
                (struct ast){AST_OPERATION, op, .kids = kids, .kid_count = kid_count});
}

static struct ast *unary(struct cat_parser *parser, enum cat_op op, uint32_t start, struct ast *kid)
{
    struct ast **kids = ARENA_NEW(parser->arena, struct ast *);
    kids[0] = kid;
    return kid ? operation(parser, op, start, kids, 1) : NULL;
}

static bool parse_arguments(struct cat_parser *parser, struct ast *call)
{
    VEC(struct ast *) arguments = {0};
    do {
        struct ast *argument = parser_expression(parser);
        if (!argument)
            return false;
        vec_push(parser->arena, &arguments, argument);
    } while (parser_accept(parser, TOKEN_COMMA));
    call->kids = arguments.at;
    call->kid_count = arguments.len;
    return parser_expect(parser, TOKEN_RIGHT, "',' or ')'");
}

/* Goes past a name. */
static struct ast *name_alone(struct cat_parser *parser)
{
    struct span span = parser_token(parser)->span;
    parser->at++;
    return node(parser, span.offset, (struct ast){AST_NAME, .name = parser_spelling(parser, span)});
}

/* f(a, b) or f a */
static struct ast *parse_application(struct cat_parser *parser, const struct ast *function)
{
    struct ast call = {.kids = ARENA_NEW(parser->arena, struct ast *), .kid_count = 1};
    if (!parser_accept(parser, TOKEN_LEFT))
        call.kids[0] = name_alone(parser);
    else if (!parse_arguments(parser, &call))
        return NULL;
    call.kind = AST_APPLY;
    call.name = function->name;
    return node(parser, function->span.offset, call);
}

static struct ast *parse_name(struct cat_parser *parser)
{
    struct ast *name = name_alone(parser);
    bool applied = parser_at(parser, TOKEN_LEFT) || parser_at(parser, TOKEN_NAME);
    return applied ? parse_application(parser, name) : name;
}

/* {} is another way to write 0; braces around anything are sets of sets. */
static bool at_empty_set(struct cat_parser *parser)
{
    if (!parser_at(parser, TOKEN_LEFT_BRACE) ||
        parser->tokens[parser->at + 1].kind != TOKEN_RIGHT_BRACE)
        return false;
    parser->at += 2;
    return true;
}

static struct ast *parse_primary(struct cat_parser *parser)
{
    uint32_t start = parser_token(parser)->span.offset;
    if (parser_at(parser, TOKEN_NAME))
        return parse_name(parser);
    if (parser_accept(parser, TOKEN_ZERO) || at_empty_set(parser))
        return operation(parser, CAT_EMPTY, start, NULL, 0);
    if (parser_accept(parser, TOKEN_LEFT)) {
        struct ast *inner = parser_expression(parser);
        if (!inner || !parser_expect(parser, TOKEN_RIGHT, "an operator or ')'"))
            return NULL;
        inner->span = parser_since(parser, start);
        return inner;
    }
    if (parser_accept(parser, TOKEN_LEFT_SQUARE)) {
        struct ast *inner = parser_expression(parser);
        if (!inner || !parser_expect(parser, TOKEN_RIGHT_SQUARE, "an operator or ']'"))
            return NULL;
        return unary(parser, CAT_IDENTITY, start, inner);
    }
    parser_error(parser, "a set or relation");
    return NULL;
}

static bool starts_operand(enum cat_token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_ZERO || kind == TOKEN_LEFT ||
           kind == TOKEN_LEFT_SQUARE || kind == TOKEN_TILDE || kind == TOKEN_LEFT_BRACE;
}

/* A star is a product when an operand follows, a closure otherwise. */
static bool at_closure_star(const struct cat_parser *parser)
{
    return parser_at(parser, TOKEN_HAT_STAR) ||
           (parser_at(parser, TOKEN_STAR) && !starts_operand(parser->tokens[parser->at + 1].kind));
}

static struct ast *parse_postfix(struct cat_parser *parser)
{
    uint32_t start = parser_token(parser)->span.offset;
    struct ast *ast = parse_primary(parser);
    while (ast) {
        enum cat_op op;
        if (at_closure_star(parser))
            op = CAT_STAR;
        else if (parser_at(parser, TOKEN_PLUS))
            op = CAT_PLUS;
        else if (parser_at(parser, TOKEN_OPTION))
            op = CAT_OPTION;
        else if (parser_at(parser, TOKEN_INVERSE))
            op = CAT_INVERSE;
        else
            break;
        parser->at++;
        ast = unary(parser, op, start, ast);
    }
    return ast;
}

static struct ast *parse_prefix(struct cat_parser *parser)
{
    uint32_t start = parser_token(parser)->span.offset;
    if (!parser_accept(parser, TOKEN_TILDE))
        return parse_postfix(parser);
    if (too_deep(parser, ++parser->depth))
        return NULL;
    struct ast *ast = unary(parser, CAT_COMPLEMENT, start, parse_prefix(parser));
    parser->depth--;
    return ast;
}

/* Binary operators, the loosest first. */
static const struct {
    enum cat_token_kind token;
    enum cat_op op;
} levels[] = {
    {TOKEN_UNION, CAT_UNION},   {TOKEN_SEMI, CAT_COMPOSE}, {TOKEN_BACKSLASH, CAT_DIFFERENCE},
    {TOKEN_AMP, CAT_INTERSECT}, {TOKEN_STAR, CAT_PRODUCT},
};
enum { LEVELS = sizeof levels / sizeof *levels };

/* Operands of the operators of one level, which bind less tightly than those of the next. A chain of
 * one operator is one node. */
static struct ast *parse_level(struct cat_parser *parser, int level)
{
    if (level == LEVELS)
        return parse_prefix(parser);
    uint32_t start = parser_token(parser)->span.offset;
    VEC(struct ast *) operands = {0};
    if (level == 0)
        parser_accept(parser, TOKEN_UNION); /* herd lets a union start with its bar */
    do {
        struct ast *operand = parse_level(parser, level + 1);
        if (!operand)
            return NULL;
        vec_push(parser->arena, &operands, operand);
    } while (parser_accept(parser, levels[level].token));
    if (operands.len == 1)
        return operands.at[0];
    return operation(parser, levels[level].op, start, operands.at, operands.len);
}

/* What no loader ever chooses would be read as its 'else' without a word. */
static void check_choice(struct cat_parser *parser, const char *name, struct span span)
{
    const struct cat_loader *loader = parser->loader;
    bool known = !loader->choice_count;
    for (uint32_t i = 0; i < loader->choice_count; i++)
        known |= strcmp(loader->choices[i], name) == 0;
    if (known)
        return;
    const char *near = diag_nearest(name, strlen(name), loader->choices, loader->choice_count);
    diag_add(parser->diags, DIAG_cat_choice, parser->source, span,
             arena_printf(parser->arena,
                          near ? "did you mean \"%s\"?" : "a text can ask for \"%s\"",
                          near ? near : loader->choices[0]),
             "no text can ask for '%s'", name);
}

/* if "variant" then a else b: one of the two; of the other only the syntax is read. */
static struct ast *parse_conditional(struct cat_parser *parser)
{
    struct span span = parser_token(parser)->span;
    uint32_t start = parser->tokens[parser->at - 1].span.offset;
    if (!parser_expect(parser, TOKEN_STRING, "the name of a variant in double quotes"))
        return NULL;
    const char *name = parser_spelling(parser, (struct span){span.offset + 1, span.length - 2});
    const struct cat_loader *loader = parser->loader;
    bool is_variant = loader->variant && strcmp(loader->variant, name) == 0;
    bool chosen = is_variant || (loader->choice && strcmp(loader->choice, name) == 0);
    parser->has_variant |= is_variant;
    if (strchr(name, '='))
        check_choice(parser, name, span);
    if (!parser->asked && strchr(name, '='))
        parser->asked = name;
    if (!parser_expect(parser, KEYWORD_THEN, "'then'"))
        return NULL;
    struct ast *then = parser_expression(parser);
    if (!then)
        return NULL;
    if (!parser_expect(parser, KEYWORD_ELSE, "'else'"))
        return NULL;
    struct ast *otherwise = parser_expression(parser);
    if (!otherwise)
        return NULL;
    struct ast **kids = ARENA_ARRAY(parser->arena, struct ast *, 2);
    kids[0] = chosen ? then : otherwise;
    kids[1] = chosen ? otherwise : then;
    return node(parser, start, (struct ast){AST_IF, .name = name, .kids = kids, .kid_count = 2});
}

/* let x = a and y = b in e */
static struct ast *parse_let_in(struct cat_parser *parser)
{
    uint32_t start = parser_token(parser)->span.offset, count;
    struct ast_binding *bindings;
    if (parser_at(parser, KEYWORD_REC))
        return parser_error(parser, "a name to define"), NULL;
    if (!parser_bindings(parser, &bindings, &count))
        return NULL;
    if (!parser_expect(parser, KEYWORD_IN, "'in'"))
        return NULL;
    struct ast **kids = ARENA_ARRAY(parser->arena, struct ast *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        kids[i + 1] = bindings[i].body;
    if (!(kids[0] = parser_expression(parser)))
        return NULL;
    return node(parser, start,
                (struct ast){AST_LET_IN, .kids = kids, .kid_count = count + 1, .bindings = bindings,
                             .binding_count = count});
}

struct ast *parser_expression(struct cat_parser *parser)
{
    if (too_deep(parser, ++parser->depth))
        return NULL;
    struct ast *ast = parser_accept(parser, KEYWORD_IF)    ? parse_conditional(parser)
                      : parser_accept(parser, KEYWORD_LET) ? parse_let_in(parser)
                                                           : parse_level(parser, 0);
    parser->depth--;
    return ast;
}
