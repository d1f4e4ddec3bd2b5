/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <string.h>

void parser_start(struct parser *parser, struct arena *arena, const struct source *source,
                  struct diag_list *diags)
{
    *parser = (struct parser){.arena = arena, .source = source, .diags = diags};
    parser->lexer = (struct lexer){source, diags, 0, diags->errors + DIAG_LIMIT};
    parser->location_names.arena = arena;
    parser->test = ARENA_NEW(arena, struct test);
    parser->test->source = source;
}

void parser_prime(struct parser *parser)
{
    parser->next = lex_next(&parser->lexer);
    advance(parser);
}

void advance(struct parser *parser)
{
    parser->token = parser->next;
    parser->next = lex_next(&parser->lexer);
}

bool span_is(const struct parser *parser, struct span span, const char *text)
{
    return span.length == strlen(text) &&
           memcmp(parser->source->text + span.offset, text, span.length) == 0;
}

bool at(const struct parser *parser, int kind)
{
    return parser->token.kind == kind;
}

bool at_word(const struct parser *parser, const char *word)
{
    return (at(parser, TOKEN_WORD) || at(parser, TOKEN_DOTWORD)) &&
           span_is(parser, parser->token.span, word);
}

bool accept(struct parser *parser, int kind)
{
    if (!at(parser, kind))
        return false;
    advance(parser);
    return true;
}

bool accept_word(struct parser *parser, const char *word)
{
    if (!at_word(parser, word))
        return false;
    advance(parser);
    return true;
}

const char *span_text(const struct parser *parser, struct span span)
{
    return arena_strndup(parser->arena, parser->source->text + span.offset, span.length);
}

enum { LONGEST_SHOWN = 40 };

const char *token_text(const struct parser *parser, struct token token)
{
    if (token.kind == TOKEN_END)
        return "the end of the text";
    struct span span = token.span;
    const char *dots = span.length > LONGEST_SHOWN ? "…" : "";
    if (*dots)
        span.length = LONGEST_SHOWN;
    return arena_printf(parser->arena, "'%s%s'", span_text(parser, span), dots);
}

void unexpected(struct parser *parser, const char *wanted)
{
    parse_error(parser, unexpected_token, parser->token.span, NULL, "expected %s, found %s", wanted,
                token_text(parser, parser->token));
}

bool expect(struct parser *parser, int kind, const char *what)
{
    if (accept(parser, kind))
        return true;
    unexpected(parser, what);
    return false;
}

bool expect_number(struct parser *parser, const char *what, uint64_t most, uint64_t *value)
{
    *value = parser->token.value;
    struct span span = parser->token.span;
    if (!expect(parser, TOKEN_NUMBER, what))
        return false;
    if (*value <= most)
        return true;
    parse_error(parser, number_out_of_range, span, NULL, "%s is at most %llu", what,
                (unsigned long long)most);
    return false;
}

bool parse_integer(struct parser *parser, uint64_t *value)
{
    bool negative = accept(parser, '-');
    *value = negative ? -parser->token.value : parser->token.value;
    struct token token = parser->token;
    if (!expect(parser, TOKEN_NUMBER, "a number"))
        return false;
    if (!negative || token.value <= (uint64_t)1 << 63)
        return true;
    parse_error(parser, number_out_of_range, token.span, NULL, "the number does not fit 64 bits");
    return false;
}

void skip_past(struct parser *parser, int kind)
{
    while (!at(parser, kind) && !at(parser, TOKEN_END))
        advance(parser);
    accept(parser, kind);
}

void parser_skip_line(struct parser *parser)
{
    const char *text = parser->source->text;
    uint32_t at = parser->token.span.offset;
    while (at < parser->source->length && text[at] != '\n')
        at++;
    parser->lexer.offset = at;
    parser_prime(parser);
}

struct span span_until_here(const struct parser *parser, struct span from)
{
    uint32_t end = parser->token.span.offset;
    while (end > from.offset + 1 && strchr(" \t\r\n", parser->source->text[end - 1]))
        end--;
    return (struct span){from.offset, end - from.offset};
}
