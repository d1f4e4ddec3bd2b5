/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/parser.h"

#include <string.h>

#include "litmus/cpp/cpp.h"

/* Tokens of the parser, and its entrances. */

static bool is_word(const struct cpp_parser *p, struct span span, const char *word)
{
    return strlen(word) == span.length &&
           memcmp(p->source->text + span.offset, word, span.length) == 0;
}

void cpp_advance(struct cpp_parser *p)
{
    p->last = p->token.span;
    p->token = cpp_lex(&p->lexer);
}

struct cpp_token cpp_next(const struct cpp_parser *p)
{
    struct cpp_lexer ahead = p->lexer;
    ahead.diags = NULL;
    return cpp_lex(&ahead);
}

bool cpp_at(const struct cpp_parser *p, enum cpp_mark mark)
{
    return p->token.mark == mark;
}

bool cpp_at_word(const struct cpp_parser *p, const char *word)
{
    return p->token.kind == CPP_TOKEN_WORD && is_word(p, p->token.span, word);
}

enum cpp_keyword cpp_keyword_at(const struct cpp_parser *p)
{
    if (p->token.kind != CPP_TOKEN_WORD)
        return CPP_KEYWORD_NONE;
#define KEYWORD(id, word)                                                                          \
    if (is_word(p, p->token.span, word))                                                           \
        return CPP_KEYWORD_##id;
#include "litmus/cpp/keyword.def"
    return CPP_KEYWORD_NONE;
}

uint32_t cpp_specifier_at(const struct cpp_parser *p)
{
    if (p->token.kind != CPP_TOKEN_WORD)
        return 0;
#define SPECIFIER(id, word)                                                                        \
    if (is_word(p, p->token.span, word))                                                           \
        return CPP_SPECIFIER_##id;
#include "litmus/cpp/keyword.def"
    return 0;
}

/* Why the word is refused, or NULL. */
static const char *refusal(const struct cpp_parser *p)
{
    static const struct {
        const char *word, *why;
    } rows[] = {
#define REFUSED(word, why) {word, why},
#include "litmus/cpp/keyword.def"
    };
    if (p->any && is_word(p, p->token.span, "this"))
        return NULL;
    for (size_t i = 0; p->token.kind == CPP_TOKEN_WORD && i < sizeof rows / sizeof *rows; i++)
        if (is_word(p, p->token.span, rows[i].word))
            return rows[i].why;
    return NULL;
}

bool cpp_refuses(struct cpp_parser *p)
{
    const char *why = refusal(p);
    if (why)
        cpp_error(p, cpp_refused, p->token.span, NULL, "%s", why);
    return why;
}

bool cpp_at_name(const struct cpp_parser *p)
{
    return p->token.kind == CPP_TOKEN_WORD && !cpp_keyword_at(p) && !cpp_specifier_at(p) &&
           !refusal(p);
}

bool cpp_accept(struct cpp_parser *p, enum cpp_mark mark)
{
    bool is = cpp_at(p, mark);
    if (is)
        cpp_advance(p);
    return is;
}

bool cpp_accept_keyword(struct cpp_parser *p, enum cpp_keyword keyword)
{
    bool is = cpp_keyword_at(p) == keyword;
    if (is)
        cpp_advance(p);
    return is;
}

bool cpp_expect(struct cpp_parser *p, enum cpp_mark mark, const char *what)
{
    if (cpp_accept(p, mark))
        return true;
    cpp_unexpected(p, what);
    return false;
}

bool cpp_open(struct cpp_parser *p, enum cpp_mark mark, const char *what)
{
    p->brackets += cpp_at(p, mark);
    return cpp_expect(p, mark, what);
}

bool cpp_close(struct cpp_parser *p, enum cpp_mark mark, const char *what)
{
    bool good = cpp_at(p, mark);
    p->brackets -= good;
    return cpp_expect(p, mark, what) && good;
}

bool cpp_close_angle(struct cpp_parser *p)
{
    if (p->token.kind != CPP_TOKEN_MARK || p->source->text[p->token.span.offset] != '>') {
        cpp_unexpected(p, "'>' after template arguments");
        return false;
    }
    p->last = (struct span){p->token.span.offset, 1};
    p->lexer.offset = p->token.span.offset + 1;
    p->token = cpp_lex(&p->lexer);
    return true;
}

bool cpp_at_end(const struct cpp_parser *p)
{
    bool outside = p->cell && !p->brackets;
    return p->token.kind == CPP_TOKEN_END ||
           (outside &&
            (cpp_at(p, CPP_MARK_OR) || cpp_at(p, CPP_MARK_ELSE) || cpp_at(p, CPP_MARK_SEMICOLON)));
}

const char *cpp_token_text(const struct cpp_parser *p)
{
    if (p->token.kind == CPP_TOKEN_END)
        return "the end of the text";
    return arena_printf(p->arena, "'%.*s'",
                        p->token.span.length > 60 ? 60 : (int)p->token.span.length,
                        p->source->text + p->token.span.offset);
}

void cpp_unexpected(struct cpp_parser *p, const char *wanted)
{
    if (!cpp_refuses(p))
        cpp_error(p, cpp_syntax, p->token.span, NULL, "expected %s, found %s", wanted,
                  cpp_token_text(p));
}

bool cpp_deeper(struct cpp_parser *p)
{
    if (p->depth++ < CPP_MAX_DEPTH)
        return true;
    p->depth--;
    cpp_error(p, cpp_too_deep, p->token.span, NULL, "this is nested deeper than %d levels",
              CPP_MAX_DEPTH);
    return false;
}

bool cpp_height_fits(struct cpp_parser *p, uint32_t height, struct span span)
{
    if (height > CPP_MAX_DEPTH)
        cpp_error(p, cpp_too_deep, ((struct span){span.offset, 1}), "write several statements",
                  "this is a chain of more than %d operations", CPP_MAX_DEPTH);
    return height <= CPP_MAX_DEPTH;
}

struct span cpp_span_from(const struct cpp_parser *p, struct span from)
{
    uint32_t end = p->last.offset + p->last.length;
    return (struct span){from.offset, end > from.offset ? end - from.offset : from.length};
}

bool cpp_expect_word(struct cpp_parser *p, const char *what, const char **word)
{
    if (!cpp_at_name(p)) {
        cpp_unexpected(p, what);
        return false;
    }
    *word = arena_strndup(p->arena, p->source->text + p->token.span.offset, p->token.span.length);
    cpp_advance(p);
    return true;
}

/* ---- entrances ------------------------------------------------------------------------------ */

struct cpp_parser cpp_start(struct arena *arena, const struct source *source, uint32_t offset,
                            struct diag_list *diags)
{
    struct cpp_parser p = {.arena = arena, .source = source, .diags = diags};
    p.lexer = (struct cpp_lexer){source, diags, offset, diags->errors + DIAG_LIMIT};
    cpp_advance(&p);
    return p;
}

/* Statements to the end, or to a '}' of somebody else. */
static struct cpp_stmt *statements(struct cpp_parser *p)
{
    VEC(const struct cpp_stmt *) kids = {0};
    struct cpp_stmt *block = ARENA_NEW(p->arena, struct cpp_stmt);
    struct span from = p->token.span;
    while (!cpp_at_end(p) && !cpp_at(p, CPP_MARK_CLOSE_BLOCK)) {
        const struct cpp_stmt *kid = cpp_next_statement(p);
        if (kid)
            vec_push(p->arena, &kids, kid);
    }
    *block = (struct cpp_stmt){CPP_BLOCK, .kids = kids.at, .kid_count = kids.len};
    block->span = cpp_span_from(p, from);
    return block;
}

const struct cpp_stmt *cpp_parse_statements(struct arena *arena, const struct source *source,
                                            uint32_t *offset, struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct cpp_parser p = cpp_start(arena, source, *offset, diags);
    const struct cpp_stmt *block = statements(&p);
    *offset = p.token.span.offset;
    return diags->errors > errors ? NULL : block;
}

const struct cpp_stmt *cpp_parse_host_statements(struct arena *arena, const struct source *source,
                                                 uint32_t *offset, struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct cpp_parser p = cpp_start(arena, source, *offset, diags);
    p.host = true;
    const struct cpp_stmt *block = statements(&p);
    *offset = p.token.span.offset;
    return diags->errors > errors ? NULL : block;
}

const struct cpp_stmt *cpp_parse_any_statements(struct arena *arena, const struct source *source,
                                                uint32_t *offset)
{
    struct diag_list *own = ARENA_NEW(arena, struct diag_list);
    own->arena = arena;
    struct cpp_parser p = cpp_start(arena, source, *offset, own);
    p.any = p.host = true;
    const struct cpp_stmt *block = statements(&p);
    *offset = p.token.span.offset;
    return block;
}

const struct cpp_stmt *cpp_parse_cell(struct arena *arena, const struct source *source,
                                      uint32_t *offset, struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct cpp_parser p = cpp_start(arena, source, *offset, diags);
    p.cell = true;
    const struct cpp_stmt *block = statements(&p);
    if (cpp_at(&p, CPP_MARK_CLOSE_BLOCK))
        cpp_unexpected(&p, "'|' or ';' after the statement");
    *offset = p.token.span.offset;
    return diags->errors > errors ? NULL : block;
}

bool cpp_parse_parameters(struct arena *arena, const struct source *source, uint32_t *offset,
                          struct diag_list *diags, struct cpp_declarator **parameters,
                          uint32_t *count)
{
    struct cpp_parser p = cpp_start(arena, source, *offset, diags);
    p.host = true;
    bool good = cpp_parameters(&p, parameters, count);
    *offset = p.token.span.offset;
    return good;
}

bool cpp_parse_arguments(struct arena *arena, const struct source *source, uint32_t *offset,
                         struct diag_list *diags, const struct cpp_expr ***arguments,
                         uint32_t *count, bool *is_braced)
{
    struct cpp_parser p = cpp_start(arena, source, *offset, diags);
    struct cpp_expr_list list = {{0}};
    p.host = p.any = true;
    *is_braced = cpp_at(&p, CPP_MARK_OPEN_BLOCK);
    bool good = cpp_open(&p, p.token.mark, "'('") &&
                cpp_arguments(&p, *is_braced ? CPP_MARK_CLOSE_BLOCK : CPP_MARK_CLOSE, &list);
    *arguments = list.of.at;
    *count = list.of.len;
    *offset = p.token.span.offset;
    return good;
}

const struct cpp_type *cpp_parse_type(struct arena *arena, const struct source *source,
                                      uint32_t offset, struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct cpp_parser p = cpp_start(arena, source, offset, diags);
    p.host = p.any = true;
    const struct cpp_type *type = cpp_type(&p);
    if (type && p.token.kind != CPP_TOKEN_END)
        cpp_unexpected(&p, "the end of the type");
    return diags->errors > errors ? NULL : type;
}

const struct cpp_expr *cpp_parse_expression(struct arena *arena, const struct source *source,
                                            uint32_t offset, struct diag_list *diags)
{
    uint32_t errors = diags->errors;
    struct cpp_parser p = cpp_start(arena, source, offset, diags);
    p.host = true;
    const struct cpp_expr *expr = cpp_expression(&p);
    if (expr && p.token.kind != CPP_TOKEN_END)
        cpp_unexpected(&p, "the end of the expression");
    return diags->errors > errors ? NULL : expr;
}
