/* SPDX-License-Identifier: MIT */
#include "litmus/parse/parser.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

enum { MAX_DEPTH = 200 };

void parse_start(struct parser *p, struct arena *arena, const struct source *source,
                 struct diag_list *diags)
{
    *p = (struct parser){.arena = arena, .source = source, .diags = diags, .body = NONE};
    p->lexer = (struct lexer){source, diags, 0, diags->errors + DIAG_LIMIT};
    p->location_names.arena = p->unread.arena = arena;
    p->test = ARENA_NEW(arena, struct test);
    p->test->source = source;
}

void parse_prime(struct parser *p)
{
    p->next = lex_next(&p->lexer);
    parse_advance(p);
}

void parse_advance(struct parser *p)
{
    p->token = p->next;
    p->next = lex_next(&p->lexer);
}

bool parse_text_is(const struct parser *p, struct span span, const char *text)
{
    return span.length == strlen(text) &&
           memcmp(p->source->text + span.offset, text, span.length) == 0;
}

bool parse_isa_word(const struct parser *p, char class, struct span span, uint32_t *value)
{
    const struct isa_word *found = isa_word_of(class, p->source->text + span.offset, span.length);
    if (found)
        *value = found->value;
    return found;
}

bool parse_at(const struct parser *p, int kind)
{
    return p->token.kind == kind;
}

bool parse_at_word(const struct parser *p, const char *word)
{
    return (parse_at(p, TOKEN_WORD) || parse_at(p, TOKEN_DOTWORD)) &&
           parse_text_is(p, p->token.span, word);
}

bool parse_accept(struct parser *p, int kind)
{
    if (!parse_at(p, kind))
        return false;
    parse_advance(p);
    return true;
}

bool parse_accept_word(struct parser *p, const char *word)
{
    if (!parse_at_word(p, word))
        return false;
    parse_advance(p);
    return true;
}

const char *parse_text(const struct parser *p, struct span span)
{
    return arena_strndup(p->arena, p->source->text + span.offset, span.length);
}

enum { LONGEST_SHOWN = 40 };

const char *parse_token_text(const struct parser *p, struct token token)
{
    if (token.kind == TOKEN_END)
        return "the end of the text";
    struct span span = token.span;
    const char *dots = span.length > LONGEST_SHOWN ? "…" : "";
    if (*dots)
        span.length = LONGEST_SHOWN;
    return arena_printf(p->arena, "'%s%s'", parse_text(p, span), dots);
}

void parse_unexpected(struct parser *p, const char *wanted)
{
    parse_error(p, unexpected_token, p->token.span, NULL, "expected %s, found %s", wanted,
                parse_token_text(p, p->token));
}

bool parse_expect(struct parser *p, int kind, const char *what)
{
    if (parse_accept(p, kind))
        return true;
    parse_unexpected(p, what);
    return false;
}

bool parse_expect_number(struct parser *p, const char *what, uint64_t most, uint64_t *value)
{
    *value = p->token.value;
    struct span span = p->token.span;
    if (!parse_expect(p, TOKEN_NUMBER, what))
        return false;
    if (*value <= most)
        return true;
    parse_error(p, number_out_of_range, span, NULL, "%s is at most %llu", what,
                (unsigned long long)most);
    return false;
}

bool parse_count(struct parser *p, const char *what, uint64_t most, uint32_t *value)
{
    uint64_t number;
    bool good = parse_expect_number(p, what, most, &number);
    if (good)
        *value = (uint32_t)number;
    return good;
}

bool parse_index(struct parser *p, const char *what, uint64_t most, uint32_t *value)
{
    return !parse_accept(p, '[') ||
           (parse_count(p, what, most, value) && parse_expect(p, ']', "']'"));
}

enum cmp parse_cmp(const struct parser *p, struct token token)
{
    return token.kind == TOKEN_NE
               ? CMP_NE /* "<>" too */
               : cmp_of_mark(p->source->text + token.span.offset, token.span.length);
}

bool parse_comparison(struct parser *p, const char *what, enum cmp *cmp)
{
    *cmp = parse_cmp(p, p->token);
    if (*cmp == CMP_NONE)
        parse_unexpected(p, what);
    else
        parse_advance(p);
    return *cmp != CMP_NONE;
}

bool parse_deeper(struct parser *p, const char *what)
{
    bool good = p->depth < MAX_DEPTH;
    if (good)
        p->depth++;
    else
        parse_error(p, too_deep, p->token.span, NULL, "%s nested deeper than %d levels", what,
                    MAX_DEPTH);
    return good;
}

bool parse_integer(struct parser *p, uint64_t *value)
{
    bool negative = parse_accept(p, '-');
    *value = negative ? -p->token.value : p->token.value;
    struct token token = p->token;
    if (!parse_expect(p, TOKEN_NUMBER, "a number"))
        return false;
    if (!negative || token.value <= (uint64_t)1 << 63)
        return true;
    parse_error(p, number_out_of_range, token.span, NULL, "the number does not fit 64 bits");
    return false;
}

bool parse_at_fraction(const struct parser *p)
{
    return parse_at(p, TOKEN_FLOAT64) || (parse_at(p, '-') && p->next.kind == TOKEN_FLOAT64);
}

double parse_fraction(struct parser *p)
{
    bool minus = parse_accept(p, '-');
    double number;
    memcpy(&number, &p->token.value, sizeof number);
    parse_advance(p);
    return minus ? -number : number;
}

void parse_doubt_bits(struct parser *p, struct span span, enum type type, uint64_t bits)
{
    const char *text = parse_text(p, span);
    bool decimal = text[strspn(text, "-0123456789")] == '\0', single = type == TYPE_F32;
    uint64_t least_normal = (uint64_t)1 << (single ? 23 : 52);
    int64_t number = (int64_t)bits;
    if (!decimal || !(single || type == TYPE_F64) || !bits ||
        (number < 0 ? (uint64_t)-number : bits) >= least_normal)
        return;
    parse_error(p, float_bits, span,
                arena_printf(p->arena, "write %s.0 for the number, 0x%" PRIx64 " for the bits",
                             text, single ? bits & UINT32_MAX : bits),
                "an integer is the bits of a .%s", type_name(type));
}

bool parse_list(struct parser *p, const char *what, bool (*item)(struct parser *p))
{
    if (!parse_expect(p, '(', what))
        return false;
    if (parse_accept(p, ')'))
        return true;
    do
        if (!item(p))
            return false;
    while (parse_accept(p, ','));
    return parse_expect(p, ')', "')' or ','");
}

void parse_skip_to(struct parser *p, const char *marks)
{
    while (!parse_at(p, TOKEN_END) && (p->token.kind > UCHAR_MAX || !strchr(marks, p->token.kind)))
        parse_advance(p);
}

void parse_skip_past(struct parser *p, int kind)
{
    while (!parse_at(p, kind) && !parse_at(p, TOKEN_END))
        parse_advance(p);
    parse_accept(p, kind);
}

void parse_skip_line(struct parser *p)
{
    const char *text = p->source->text;
    uint32_t at = p->token.span.offset;
    while (at < p->lexer.source->length && text[at] != '\n')
        at++;
    p->lexer.offset = at;
    parse_prime(p);
}

struct span parse_span_from(const struct parser *p, struct span from)
{
    uint32_t end = p->token.span.offset;
    while (end > from.offset + 1 && strchr(" \t\r\n", p->source->text[end - 1]))
        end--;
    return (struct span){from.offset, end - from.offset};
}

void parse_start_body(struct parser *p, struct span name)
{
    struct raw_body body = {.name = parse_text(p, name), .span = name};
    body.locations.arena = p->arena;
    vec_push(p->arena, &body.blocks, NONE);
    p->body = p->raws.len;
    vec_push(p->arena, &p->raws, body);
}

struct raw_body *parse_body(const struct parser *p)
{
    return &p->raws.at[p->body];
}

void parse_note_unread(struct parser *p, struct span from)
{
    struct diag_list unheard = {.arena = p->arena};
    struct lexer lexer = {p->source, &unheard, from.offset, UINT32_MAX};
    struct token token = lex_next(&lexer);
    for (; token.span.offset < p->token.span.offset; token = lex_next(&lexer))
        if (token.kind == TOKEN_WORD)
            names_put(&p->unread, NONE, p->source->text + token.span.offset, token.span.length, 0);
}

bool parse_is_unread(const struct parser *p, struct span name)
{
    const char *text = p->source->text + name.offset, *dot = memchr(text, '.', name.length);
    return names_get(&p->unread, NONE, text, dot ? (size_t)(dot - text) : name.length) != NONE;
}

void parse_end_body(struct parser *p)
{
    p->body = NONE;
}

uint32_t parse_name(const struct parser *p, const struct names *names, uint32_t scope,
                    struct span name)
{
    return names_get(names, scope, p->source->text + name.offset, name.length);
}

bool parse_find_host(const struct parser *p, struct span name, uint32_t *index)
{
    *index = NONE;
    for (uint32_t i = 0; *index == NONE && i < p->host_threads.len; i++)
        if (parse_text_is(p, name, p->host_threads.at[i].name))
            *index = i;
    return *index != NONE;
}

static bool same_text(const struct parser *p, struct span a, struct span b)
{
    const char *text = p->source->text;
    return a.length == b.length && !memcmp(text + a.offset, text + b.offset, a.length);
}

bool parse_is_function(const struct parser *p, struct span name)
{
    for (uint32_t i = 0; i < p->functions.len; i++)
        if (same_text(p, p->functions.at[i], name))
            return true;
    for (uint32_t i = 0; i < p->raws.len; i++)
        if (p->raws.at[i].function && p->raws.at[i].name &&
            parse_text_is(p, name, p->raws.at[i].name))
            return true;
    return false;
}

struct span parse_function_name(const struct parser *p, struct span name)
{
    for (uint32_t i = 0; i < p->aliases.len; i++)
        if (same_text(p, p->aliases.at[i].name, name))
            return p->aliases.at[i].target;
    return name;
}

uint64_t parse_function_address(struct parser *p, struct span name)
{
    name = parse_function_name(p, name);
    vec_push(p->arena, &p->addressed, name);
    return test_function_address(p->source->text + name.offset, name.length);
}
