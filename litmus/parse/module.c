/* SPDX-License-Identifier: MIT */
#include "litmus/parse/module.h"

#include "litmus/parse/debug_line.h"
#include "litmus/parse/kernel.h"
#include "litmus/parse/location.h"
#include "litmus/parse/vars.h"

/* Reads what stands outside of functions in a .ptx module (PTX 11): version and target, which have
 * no meaning here; variables; entries. ".visible .entry" may also stand in a test. */

/* To the end of what cannot be read: a ';', or a '}' with its '{'. */
static void skip_item(struct parser *p)
{
    unsigned depth = 0;
    while (!parse_at(p, TOKEN_END)) {
        if (parse_at(p, '{'))
            depth++;
        bool end = (parse_at(p, ';') && !depth) || (parse_at(p, '}') && depth <= 1);
        depth -= parse_at(p, '}') && depth;
        parse_advance(p);
        if (end)
            return;
    }
}

/* ".section .debug_str { … }" holds data for debuggers. */
static bool debug_section(struct parser *p)
{
    struct span start = p->token.span;
    if (!parse_at_word(p, ".section"))
        return false;
    skip_item(p);
    vec_push(p->arena, &p->items, ((struct raw_item){parse_span_from(p, start), false}));
    return true;
}

/* Directives that end with their line. */
static bool line_directive(struct parser *p)
{
    static const char *const words[] = {".version", ".target", ".address_size", ".pragma",
                                        ".ident"};
    if (parse_debug_line(p))
        return true;
    p->modules += parse_at_word(p, ".version");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (parse_at_word(p, words[i])) {
            parse_skip_line(p);
            return true;
        }
    return debug_section(p);
}

static bool at_linking(const struct parser *p)
{
    return parse_at_word(p, ".visible") || parse_at_word(p, ".weak") || parse_at_word(p, ".common");
}

static void refuse_item(struct parser *p)
{
    parse_error(p, unsupported_directive, p->token.span, NULL, "%s is not supported here",
                parse_token_text(p, p->token));
    skip_item(p);
}

/* Where the parser stands. */
struct text_place {
    struct lexer lexer;
    struct token token, next;
};

static struct text_place place_of(const struct parser *p)
{
    return (struct text_place){p->lexer, p->token, p->next};
}

/* From the start of a declaration that cannot be read, which may be in the middle of a list by now. */
static void skip_declaration(struct parser *p, const struct text_place *start)
{
    unsigned depth = 0;
    p->lexer = start->lexer;
    p->token = start->token;
    p->next = start->next;
    while (!parse_at(p, TOKEN_END)) {
        depth += parse_at(p, '{');
        depth -= parse_at(p, '}') && depth;
        bool end = !depth && (parse_at(p, ';') ||
                              (parse_at(p, '}') && p->next.kind != ',' && p->next.kind != ';'));
        parse_advance(p);
        if (end)
            return;
    }
}

/* 'start': of the declaration, which may name it in front of its space. */
static void variable(struct parser *p, struct span start, bool external)
{
    enum space space;
    uint32_t errors = p->diags->errors;
    if (!parse_space(p, &space)) {
        refuse_item(p);
        return;
    }
    struct text_place place = place_of(p);
    if (!parse_variables(p, space, external) || !parse_expect(p, ';', "';'")) {
        skip_declaration(p, &place);
        parse_note_unread(p, start);
    }
    if (p->diags->errors > errors && p->modules)
        vec_push(p->arena, &p->items, ((struct raw_item){parse_span_from(p, start), true}));
}

/* ".alias name, function;" (PTX 11.6.1). */
static void alias(struct parser *p)
{
    struct function_alias alias = {.name = p->token.span};
    bool good =
        parse_expect(p, TOKEN_WORD, "a function's other name") && parse_expect(p, ',', "','");
    alias.target = p->token.span;
    if (good && parse_expect(p, TOKEN_WORD, "the name of the function") &&
        parse_expect(p, ';', "';'"))
        vec_push(p->arena, &p->aliases, alias);
    else
        skip_item(p);
}

void parse_module_item(struct parser *p)
{
    if (line_directive(p) || parse_accept(p, ';'))
        return;
    if (!parse_at(p, TOKEN_DOTWORD)) {
        parse_unexpected(p, "a directive such as .entry or .global");
        skip_item(p);
        return;
    }
    bool external = false;
    struct span start = p->token.span;
    uint32_t bodies = p->raws.len;
    while (at_linking(p) || parse_at_word(p, ".extern")) {
        external = external || parse_at_word(p, ".extern");
        parse_advance(p);
    }
    if (!external && parse_accept_word(p, ".entry"))
        parse_kernel(p);
    else if (parse_accept_word(p, ".func"))
        parse_function(p);
    else if (parse_accept_word(p, ".alias"))
        alias(p);
    else
        variable(p, start, external);
    if (p->raws.len > bodies)
        p->raws.at[bodies].item = parse_span_from(p, start);
}

void parse_module(struct parser *p)
{
    p->module = true;
    parse_prime(p);
    while (!parse_at(p, TOKEN_END))
        parse_module_item(p);
}
