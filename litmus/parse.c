/* SPDX-License-Identifier: MIT */
#include "litmus/parse.h"

#include <string.h>

#include "litmus/check.h"
#include "litmus/parser.h"
#include "litmus/promises.h"

/* The whole of a test: header, initial state, threads, question. */

/* Cuts blanks off both ends of [from, to). */
static const char *trimmed(struct parser *parser, const char *from, const char *to)
{
    while (from < to && strchr(" \t\r\n", *from))
        from++;
    while (to > from && strchr(" \t\r\n", to[-1]))
        to--;
    return arena_strndup(parser->arena, from, (size_t)(to - from));
}

/* "expect MODEL: VERDICT (source)"; the source may be missing. */
static void expectation(struct parser *parser, const char *text, struct span span)
{
    const char *colon = strchr(text, ':');
    const char *end = text + strlen(text);
    const char *open = colon ? strchr(colon, '(') : NULL;
    struct expectation found = {.source = "", .span = span};
    if (colon) {
        found.model = trimmed(parser, text + strlen("expect"), colon);
        found.verdict = trimmed(parser, colon + 1, open ? open : end);
    }
    if (open && end[-1] == ')')
        found.source = trimmed(parser, open + 1, end - 1);
    if (!colon || !*found.model || strchr(found.model, ' ') || !*found.verdict ||
        strchr(found.verdict, ' ') || (open && end[-1] != ')')) {
        parse_error(parser, bad_expectation, span, NULL,
                    "write \"expect MODEL: VERDICT (source)\"");
        return;
    }
    vec_push(parser->arena, &parser->expectations, found);
}

static void comments(struct parser *parser)
{
    while (at(parser, TOKEN_STRING)) {
        struct span span = parser->token.span;
        const char *text =
            arena_strndup(parser->arena, parser->source->text + span.offset + 1, span.length - 2);
        advance(parser);
        vec_push(parser->arena, &parser->comments, text);
        const char *start = text + strspn(text, " \t\r\n");
        if (strncmp(start, "expect", 6) == 0 && (!start[6] || strchr(" \t:", start[6])))
            expectation(parser, trimmed(parser, start, text + strlen(text)), span);
    }
}

/* The name is everything up to the next blank: "2+2W.v2" is no token, so it is read before the
 * first token is. */
static bool test_name(struct parser *parser, struct token ptx)
{
    const char *text = parser->source->text;
    uint32_t start = ptx.span.offset + ptx.span.length;
    while (start < parser->source->length && (text[start] == ' ' || text[start] == '\t'))
        start++;
    uint32_t end = start;
    while (end < parser->source->length && !strchr(" \t\r\n\"{", text[end]))
        end++;
    parser->test->name = arena_strndup(parser->arena, text + start, end - start);
    parser->lexer.offset = end;
    if (end == start)
        parse_error(parser, not_a_ptx_test, ptx.span, NULL, "a name is needed after 'PTX'");
    return end > start;
}

static bool header(struct parser *parser)
{
    struct token first = lex_next(&parser->lexer);
    if (first.kind != TOKEN_WORD || !span_is(parser, first.span, "PTX")) {
        parse_error(parser, not_a_ptx_test, first.span, NULL,
                    "a test starts with 'PTX' and its name, not with %s",
                    token_text(parser, first));
        return false;
    }
    if (!test_name(parser, first))
        return false;
    parser_prime(parser);
    comments(parser);
    return true;
}

static bool at_column(const struct parser *parser)
{
    uint32_t number;
    return at(parser, TOKEN_WORD) && parser->source->text[parser->token.span.offset] == 'P' &&
           thread_number(parser, parser->token.span, &number) && parser->next.kind != ':' &&
           parser->next.kind != TOKEN_LAUNCH;
}

static bool at_question(const struct parser *parser)
{
    return at(parser, TOKEN_END) || at(parser, '~') || at_word(parser, "exists") ||
           at_word(parser, "forall") || at_word(parser, "locations") || at_word(parser, "filter") ||
           at_word(parser, "not");
}

/* One kernel, launch, host thread, or the table of columns. */
static void item(struct parser *parser)
{
    if (accept_word(parser, "kernel"))
        parse_kernel(parser);
    else if (at_host(parser))
        parse_host(parser);
    else if (at(parser, TOKEN_DOTWORD))
        parse_module_item(parser);
    else if (at_launch(parser))
        parse_top_launch(parser);
    else if (parser->columns.len == 0 && (at_column(parser) || parser->raws.len == 0))
        parse_columns(parser);
    else {
        unexpected(parser, "a kernel, a launch, or 'exists', '~exists', 'forall'");
        skip_past(parser, TOKEN_END);
    }
}

static void items(struct parser *parser)
{
    struct span start = parser->token.span;
    while (!at_question(parser))
        item(parser);
    if (parser->columns.len && parser->columns.len < parser->raws.len)
        parse_error(parser, mixed_forms, start, NULL, "a test has columns or kernels, not both");
    finish_host(parser);
    if (!parser->columns.len && !parser->launches.len && !parser->test->host)
        parse_error(parser, no_threads, start, NULL,
                    "the test has no threads: neither columns nor launches");
}

static struct test *finish(struct parser *parser)
{
    struct test *test = parser->test;
    test->comments = parser->comments.at;
    test->comment_count = parser->comments.len;
    test->expectations = parser->expectations.at;
    test->expectation_count = parser->expectations.len;
    test->locations = parser->locations.at;
    test->location_count = parser->locations.len;
    test->bodies = parser->bodies.at;
    test->body_count = parser->bodies.len;
    test->columns = parser->columns.at;
    test->column_count = parser->columns.len;
    test->launches = parser->launches.at;
    test->launch_count = parser->launches.len;
    test->observed = parser->observed.at;
    test->observed_count = parser->observed.len;
    return test;
}

static struct test *checked(struct parser *parser, uint32_t errors_before)
{
    if (parser->diags->errors > errors_before)
        return NULL;
    struct test *test = finish(parser);
    check_test(parser->arena, test, parser->diags);
    if (parser->diags->errors > errors_before)
        return NULL;
    test_promises(test);
    return test;
}

struct test *litmus_parse(struct arena *arena, const struct source *source, struct diag_list *diags)
{
    struct parser parser;
    uint32_t errors = diags->errors;
    parser_start(&parser, arena, source, diags);
    if (!header(&parser))
        return NULL;
    parse_init(&parser);
    items(&parser);
    resolve_launches(&parser);
    decode_bodies(&parser);
    parse_final(&parser);
    return checked(&parser, errors);
}

/* A module's variables, kernels and nothing to ask. */
struct test *litmus_parse_module(struct arena *arena, const struct source *source,
                                 struct diag_list *diags)
{
    struct parser parser;
    uint32_t errors = diags->errors;
    parser_start(&parser, arena, source, diags);
    parser.test->name = source->name;
    parser.module = true;
    parser_prime(&parser);
    while (!at(&parser, TOKEN_END))
        parse_module_item(&parser);
    decode_bodies(&parser);
    parse_final(&parser);
    return checked(&parser, errors);
}
