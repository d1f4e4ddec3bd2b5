/* SPDX-License-Identifier: MIT */
#include "model/cat/parser.h"

/* Looks at the token at hand, goes past it when it is the one expected, and reports another one. */

const struct cat_token *parser_token(const struct cat_parser *parser)
{
    return &parser->tokens[parser->at];
}

bool parser_at(const struct cat_parser *parser, enum cat_token_kind kind)
{
    return parser_token(parser)->kind == kind;
}

bool parser_accept(struct cat_parser *parser, enum cat_token_kind kind)
{
    if (!parser_at(parser, kind))
        return false;
    parser->at += kind != TOKEN_END;
    return true;
}

const char *parser_spelling(const struct cat_parser *parser, struct span span)
{
    return arena_strndup(parser->arena, parser->source->text + span.offset, span.length);
}

static const char *found(const struct cat_parser *parser)
{
    if (parser_at(parser, TOKEN_END))
        return "the end of the text";
    return arena_printf(parser->arena, "'%.40s'",
                        parser_spelling(parser, parser_token(parser)->span));
}

void parser_error(struct cat_parser *parser, const char *expected)
{
    const struct cat_token *here = parser_token(parser);
    if (here->kind == TOKEN_UNKNOWN)
        return;
    if (cat_token_refused(here->kind))
        diag_add(parser->diags, DIAG_cat_unsupported, parser->source, here->span,
                 "docs/cat-language.md lists what is supported", "%s is not supported",
                 found(parser));
    else
        diag_add(parser->diags, DIAG_cat_syntax, parser->source, here->span, NULL,
                 "expected %s, found %s", expected, found(parser));
}

bool parser_expect(struct cat_parser *parser, enum cat_token_kind kind, const char *expected)
{
    if (parser_accept(parser, kind))
        return true;
    parser_error(parser, expected);
    return false;
}

bool parser_expect_name(struct cat_parser *parser, const char *expected, const char **name,
                        struct span *span)
{
    *span = parser_token(parser)->span;
    if (!parser_expect(parser, TOKEN_NAME, expected))
        return false;
    *name = parser_spelling(parser, *span);
    return true;
}

struct span parser_since(const struct cat_parser *parser, uint32_t start)
{
    const struct cat_token *last = &parser->tokens[parser->at - 1];
    return (struct span){start, last->span.offset + last->span.length - start};
}
