/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "litmus/parse/parser.h"

/* What stands outside of functions in a .ptx module (PTX 11): versions and targets, which decide
 * nothing here; variables; entries. ".visible .entry" may also stand in a test. */

/* To the end of what cannot be read: a ';', or a '}' with its '{'. */
static void skip_item(struct parser *parser)
{
    unsigned depth = 0;
    while (!at(parser, TOKEN_END)) {
        if (at(parser, '{'))
            depth++;
        bool end = (at(parser, ';') && !depth) || (at(parser, '}') && depth <= 1);
        depth -= at(parser, '}') && depth;
        advance(parser);
        if (end)
            return;
    }
}

/* ".section .debug_str { … }" holds data for debuggers. */
static bool debug_section(struct parser *parser)
{
    if (!at_word(parser, ".section"))
        return false;
    if (parser->next.kind == TOKEN_DOTWORD && span_is(parser, parser->next.span, ".debug_info")) {
        parse_error(parser, unsupported_directive, parser->token.span,
                    "compile without -G; -lineinfo is fine",
                    "debug modules call functions that are not in them");
    }
    skip_item(parser);
    return true;
}

/* Directives that end with their line. */
static bool line_directive(struct parser *parser)
{
    static const char *const words[] = {".version", ".target", ".address_size", ".file",
                                        ".loc",     ".pragma", ".ident"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(parser, words[i])) {
            parser_skip_line(parser);
            return true;
        }
    return debug_section(parser);
}

static bool at_linking(const struct parser *parser)
{
    return at_word(parser, ".visible") || at_word(parser, ".weak") || at_word(parser, ".common");
}

static void refuse_item(struct parser *parser)
{
    parse_error(parser, unsupported_directive, parser->token.span, NULL, "%s is not supported here",
                token_text(parser, parser->token));
    skip_item(parser);
}

static void variable(struct parser *parser, bool external)
{
    enum space space;
    if (!parse_space(parser, &space))
        refuse_item(parser);
    else if (!parse_variables(parser, NONE, space, external) || !expect(parser, ';', "';'"))
        skip_item(parser);
}

void parse_module_item(struct parser *parser)
{
    if (line_directive(parser) || accept(parser, ';'))
        return;
    if (!at(parser, TOKEN_DOTWORD)) {
        unexpected(parser, "a directive such as .entry or .global");
        skip_item(parser);
        return;
    }
    bool external = false;
    while (at_linking(parser) || at_word(parser, ".extern")) {
        external = external || at_word(parser, ".extern");
        advance(parser);
    }
    if (!external && accept_word(parser, ".entry"))
        parse_kernel(parser);
    else if (accept_word(parser, ".func"))
        parse_function(parser);
    else
        variable(parser, external);
}
