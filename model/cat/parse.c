/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "model/cat/parser.h"

/* The statements of cat, by recursive descent; after an error reading goes on at the next one. */

enum { MAX_TEXT = 1 << 20 }; /* bytes: far beyond any model, small enough to bound memory */

/* (x, y) or x */
static bool parse_parameters(struct cat_parser *parser, struct ast_binding *binding)
{
    VEC(struct ast_parameter) parameters = {0};
    bool listed = parser_accept(parser, TOKEN_LEFT);
    do {
        struct ast_parameter parameter;
        if (!parser_expect_name(parser, "a parameter", &parameter.name, &parameter.span))
            return false;
        vec_push(parser->arena, &parameters, parameter);
    } while (listed && parser_accept(parser, TOKEN_COMMA));
    binding->parameters = parameters.at;
    binding->parameter_count = parameters.len;
    return !listed || parser_expect(parser, TOKEN_RIGHT, "',' or ')'");
}

static bool parse_binding(struct cat_parser *parser, struct ast_binding *binding)
{
    if (!parser_expect_name(parser, "a name to define", &binding->name, &binding->span))
        return false;
    if (!parser_at(parser, TOKEN_EQUAL) && !parse_parameters(parser, binding))
        return false;
    if (!parser_expect(parser, TOKEN_EQUAL, "'='"))
        return false;
    binding->body = parser_expression(parser);
    return binding->body != NULL;
}

bool parser_bindings(struct cat_parser *parser, struct ast_binding **bindings, uint32_t *count)
{
    VEC(struct ast_binding) list = {0};
    do {
        struct ast_binding binding = {0};
        if (!parse_binding(parser, &binding))
            return false;
        vec_push(parser->arena, &list, binding);
    } while (parser_accept(parser, KEYWORD_AND));
    *bindings = list.at;
    *count = list.len;
    return true;
}

static bool parse_let(struct cat_parser *parser, struct ast_statement *statement)
{
    statement->kind = parser_accept(parser, KEYWORD_REC) ? AST_LET_REC : AST_LET;
    return parser_bindings(parser, &statement->bindings, &statement->binding_count);
}

static bool parse_check(struct cat_parser *parser, struct ast_statement *statement)
{
    statement->kind = AST_CHECK;
    statement->negated = parser_accept(parser, TOKEN_TILDE);
    if (parser_accept(parser, KEYWORD_ACYCLIC))
        statement->check = CAT_ACYCLIC;
    else if (parser_accept(parser, KEYWORD_IRREFLEXIVE))
        statement->check = CAT_IRREFLEXIVE;
    else if (parser_accept(parser, KEYWORD_EMPTY))
        statement->check = CAT_IS_EMPTY;
    else
        return parser_error(parser, "'acyclic', 'irreflexive' or 'empty'"), false;
    statement->body = parser_expression(parser);
    if (!statement->body)
        return false;
    return !parser_accept(parser, KEYWORD_AS) ||
           parser_expect_name(parser, "a name for the axiom", &statement->name,
                              &statement->name_span);
}

static bool parse_shown(struct cat_parser *parser, struct ast_shown *shown)
{
    struct span span;
    shown->body = parser_expression(parser);
    if (!shown->body)
        return false;
    shown->name = parser_spelling(parser, shown->body->span);
    return !parser_accept(parser, KEYWORD_AS) ||
           parser_expect_name(parser, "a name to show it by", &shown->name, &span);
}

static bool parse_show(struct cat_parser *parser, struct ast_statement *statement,
                       enum ast_statement_kind kind)
{
    VEC(struct ast_shown) shown = {0};
    statement->kind = kind;
    do {
        struct ast_shown one = {0};
        if (!parse_shown(parser, &one))
            return false;
        vec_push(parser->arena, &shown, one);
    } while (parser_accept(parser, TOKEN_COMMA));
    statement->shown = shown.at;
    statement->shown_count = shown.len;
    return true;
}

static bool parse_include(struct cat_parser *parser, struct ast_statement *statement)
{
    struct span span = parser_token(parser)->span;
    statement->kind = AST_INCLUDE;
    if (!parser_expect(parser, TOKEN_STRING, "the name of a file in double quotes"))
        return false;
    statement->name_span = span;
    statement->name = parser_spelling(parser, (struct span){span.offset + 1, span.length - 2});
    return true;
}

/* undefined_unless c: a flag that says the opposite of c. */
static bool parse_undefined_unless(struct cat_parser *parser, struct ast_statement *statement)
{
    statement->flag = true;
    if (!parse_check(parser, statement))
        return false;
    statement->negated = !statement->negated;
    return true;
}

/* The functions of cross.cat for what co has of such orders, and for what it lacks. */
struct order_names {
    const char *orders, *part, *lacking;
};

static const struct order_names *order_names_of(const struct ast *orders)
{
    static const struct order_names rows[] = {{"generate_orders", "orders_of", "lacking_of"},
                                              {"generate_cos", "cos_of", "generate_cos"}};
    for (size_t i = 0; orders->kind == AST_APPLY && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(orders->name, rows[i].orders) == 0)
            return &rows[i];
    return NULL;
}

/* "with mo from generate_orders(S, r)": what co, of which all orders are tried, has of S (cross.cat). */
static bool order_of_some(struct cat_parser *parser, struct ast_binding binding, struct ast *orders)
{
    struct ast *part = ARENA_NEW(parser->arena, struct ast);
    struct ast_statement *let = ARENA_NEW(parser->arena, struct ast_statement);
    const struct order_names *names = order_names_of(orders);
    if (!names) {
        diag_add(
            parser->diags, DIAG_cat_unsupported, parser->source, binding.span,
            "write 'from generate_orders(S, r)', with a set of writes, or 'from generate_cos(r)'",
            "'with %s' is not supported", binding.name);
        return false;
    }
    *part = *orders;
    part->name = names->part;
    orders->name = names->lacking;
    binding.body = part;
    let->kind = AST_LET;
    let->bindings = ARENA_NEW(parser->arena, struct ast_binding);
    let->bindings[0] = binding;
    let->binding_count = 1;
    parser->also = let;
    return true;
}

/* with co from e: e, made by the functions of cross.cat, is what co lacks to be such an order. */
static bool parse_with(struct cat_parser *parser, struct ast_statement *statement)
{
    struct ast_binding binding = {0};
    if (!parser_expect_name(parser, "'co'", &binding.name, &binding.span) ||
        !parser_expect(parser, KEYWORD_FROM, "'from'"))
        return false;
    statement->kind = AST_CHECK;
    statement->check = CAT_IS_EMPTY;
    statement->name = "coherence-order";
    statement->body = parser_expression(parser);
    return statement->body &&
           (strcmp(binding.name, "co") == 0 || order_of_some(parser, binding, statement->body));
}

static bool parse_statement(struct cat_parser *parser, struct ast_statement *statement)
{
    if (parser_accept(parser, KEYWORD_LET))
        return parse_let(parser, statement);
    if (parser_accept(parser, KEYWORD_INCLUDE))
        return parse_include(parser, statement);
    if (parser_accept(parser, KEYWORD_SHOW))
        return parse_show(parser, statement, AST_SHOW);
    if (parser_accept(parser, KEYWORD_UNSHOW))
        return parse_show(parser, statement, AST_UNSHOW);
    if (parser_accept(parser, KEYWORD_WITH))
        return parse_with(parser, statement);
    if (parser_accept(parser, KEYWORD_UNDEFINED_UNLESS))
        return parse_undefined_unless(parser, statement);
    statement->flag = parser_accept(parser, KEYWORD_FLAG);
    if (statement->flag || parser_at(parser, TOKEN_TILDE) || parser_at(parser, KEYWORD_ACYCLIC) ||
        parser_at(parser, KEYWORD_IRREFLEXIVE) || parser_at(parser, KEYWORD_EMPTY))
        return parse_check(parser, statement);
    parser_error(parser, "a statement ('let', 'acyclic', 'irreflexive', 'empty', …)");
    return false;
}

/* Skips to where the next statement seems to start. */
static void recover(struct cat_parser *parser, uint32_t from)
{
    if (parser->at == from && !parser_at(parser, TOKEN_END))
        parser->at++;
    while (!parser_at(parser, TOKEN_END) && !cat_token_starts(parser_token(parser)->kind))
        parser->at++;
}

/* herd's options after the title: how it makes co and initial writes, which are always there here.
 */
static bool at_option(const struct cat_parser *parser)
{
    static const char *const options[] = {"withco", "withoutco", "withinit", "withoutinit", NULL};
    return parser_at(parser, TOKEN_NAME) &&
           g_strv_contains(options, parser_spelling(parser, parser_token(parser)->span));
}

/* A text may start with the model's name: a word, and another one or a string; or a string. */
static const char *parse_title(struct cat_parser *parser, const char **language)
{
    const char *title = NULL;
    struct span span = parser_token(parser)->span;
    if (parser_accept(parser, TOKEN_NAME))
        *language = title = parser_spelling(parser, span);
    span = parser_token(parser)->span;
    if (*language && !at_option(parser) && parser_accept(parser, TOKEN_NAME))
        title = parser_spelling(parser, span);
    else if (parser_accept(parser, TOKEN_STRING))
        title = parser_spelling(parser, (struct span){span.offset + 1, span.length - 2});
    while (at_option(parser))
        parser->at++;
    return title;
}

struct ast_file *cat_read(struct arena *arena, const struct source *source,
                          const struct cat_loader *loader, struct diag_list *diags)
{
    static const struct cat_loader none = {0};
    struct ast_file *file = ARENA_NEW(arena, struct ast_file);
    if (source->length > MAX_TEXT) {
        diag_add(diags, DIAG_cat_too_large, source, (struct span){0, 0}, NULL,
                 "text is longer than %d bytes", MAX_TEXT);
        return file;
    }
    struct cat_parser parser = {
        .source = source, .arena = arena, .diags = diags, .loader = loader ? loader : &none};
    parser.tokens = cat_lex(arena, source, diags);
    file->title = parse_title(&parser, &file->language);
    VEC(struct ast_statement) statements = {0};
    while (!parser_at(&parser, TOKEN_END)) {
        struct ast_statement statement = {0};
        uint32_t from = parser.at;
        parser.depth = 0;
        if (!parse_statement(&parser, &statement)) {
            recover(&parser, from);
            continue;
        }
        statement.span = parser_since(&parser, parser.tokens[from].span.offset);
        vec_push(arena, &statements, statement);
        if (parser.also)
            vec_push(arena, &statements, *parser.also);
        parser.also = NULL;
    }
    file->statements = statements.at;
    file->statement_count = statements.len;
    file->has_variant = parser.has_variant;
    file->asked = parser.asked;
    return file;
}
