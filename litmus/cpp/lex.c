/* SPDX-License-Identifier: MIT */
#include "litmus/cpp/lex.h"

#include <glib.h>
#include <string.h>

#include "litmus/base/number.h"

/* The lexer of C++ code, in litmus tests and later in source files. */

static const struct cpp_mark_row {
    const char *text;
    unsigned precedence;
    enum cpp_mark assigns;
} marks[] = {
#define MARK(id, text, precedence, assigns)                                                        \
    [CPP_MARK_##id] = {text, precedence, CPP_MARK_##assigns},
#include "litmus/cpp/mark.def"
};

const char *cpp_mark_text(enum cpp_mark mark)
{
    return marks[mark].text;
}

unsigned cpp_mark_precedence(enum cpp_mark mark)
{
    return marks[mark].precedence;
}

enum cpp_mark cpp_mark_assigns(enum cpp_mark mark)
{
    return marks[mark].assigns;
}

/* The byte at the distance from the next one, or 0 past the end. */
static char peek(const struct cpp_lexer *lexer, uint32_t distance)
{
    uint32_t left = lexer->source->length - lexer->offset;
    return distance < left ? lexer->source->text[lexer->offset + distance] : 0;
}

static bool at_end(const struct cpp_lexer *lexer)
{
    return lexer->offset >= lexer->source->length;
}

static bool looking_at(const struct cpp_lexer *lexer, const char *text)
{
    size_t length = strlen(text);
    return lexer->source->length - lexer->offset >= length &&
           memcmp(lexer->source->text + lexer->offset, text, length) == 0;
}

static bool is_word_byte(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

static struct span span_from(const struct cpp_lexer *lexer, uint32_t start)
{
    return (struct span){start, lexer->offset - start};
}

/* Looking ahead reports nothing: what is wrong is reported when it is read. */
#define lex_error(lexer, id, span, hint, ...)                                                      \
    do {                                                                                           \
        if ((lexer)->diags)                                                                        \
            diag_add((lexer)->diags, DIAG_##id, (lexer)->source, span, hint, __VA_ARGS__);         \
    } while (0)

static void skip_line(struct cpp_lexer *lexer)
{
    while (!at_end(lexer) && peek(lexer, 0) != '\n')
        lexer->offset++;
}

static void skip_comment(struct cpp_lexer *lexer)
{
    struct span open = {lexer->offset, 2};
    lexer->offset += 2;
    while (!at_end(lexer) && !looking_at(lexer, "*/"))
        lexer->offset++;
    if (at_end(lexer))
        lex_error(lexer, cpp_open, open, NULL, "this comment has no end");
    else
        lexer->offset += 2;
}

static void skip_blanks(struct cpp_lexer *lexer)
{
    for (;;) {
        char c = peek(lexer, 0);
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            lexer->offset++;
        else if (looking_at(lexer, "//"))
            skip_line(lexer);
        else if (looking_at(lexer, "/*"))
            skip_comment(lexer);
        else
            return;
    }
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* Everything that a number reaches over: digits, letters, digit separators, a point, the sign of an
 * exponent. */
static struct span number_span(struct cpp_lexer *lexer)
{
    uint32_t start = lexer->offset;
    bool hex = looking_at(lexer, "0x") || looking_at(lexer, "0X");
    while (is_word_byte(peek(lexer, 0)) || peek(lexer, 0) == '.' ||
           (peek(lexer, 0) == '\'' && is_word_byte(peek(lexer, 1)))) {
        char exponent = (char)(peek(lexer, 0) | 0x20);
        lexer->offset++;
        if (exponent == (hex ? 'p' : 'e') && (peek(lexer, 0) == '+' || peek(lexer, 0) == '-'))
            lexer->offset++;
    }
    return span_from(lexer, start);
}

enum { LONGEST_NUMBER = 80 };

/* The digits without separators; 0 when there are too many. */
static size_t number_text(const struct cpp_lexer *lexer, struct span span, char *text)
{
    size_t length = 0;
    for (uint32_t i = 0; i < span.length; i++) {
        if (lexer->source->text[span.offset + i] == '\'')
            continue;
        if (length == LONGEST_NUMBER)
            return 0;
        text[length++] = lexer->source->text[span.offset + i];
    }
    return length;
}

/* "u", "ll", "ull" and their like in any case. */
static bool suffix(const char *text, size_t length, bool *is_unsigned, bool *is_long)
{
    static const char *const known[] = {"", "u", "l", "ul", "lu", "ll", "ull", "llu", "z", "uz"};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strlen(known[i]) == length && g_ascii_strncasecmp(text, known[i], length) == 0) {
            *is_unsigned = strchr(known[i], 'u');
            *is_long = strpbrk(known[i], "lz");
            return true;
        }
    return false;
}

/* The first type that holds the value: of those that C++ lists, decimal numbers are never unsigned
 * of themselves. */
static void choose_type(struct cpp_token *token, bool is_unsigned, bool is_long, bool decimal)
{
    uint64_t most_int = is_unsigned ? UINT32_MAX : INT32_MAX;
    token->bytes = is_long || token->value > (decimal ? most_int : UINT32_MAX) ? 8 : 4;
    uint64_t most = token->bytes == 8 ? INT64_MAX : INT32_MAX;
    token->is_signed = !is_unsigned && token->value <= most;
}

static bool whole_number(struct cpp_token *token, const char *text, size_t length)
{
    char second = length > 1 && text[0] == '0' ? (char)(text[1] | 0x20) : 0;
    unsigned base = second == 'x' ? 16 : second == 'b' ? 2 : second ? 8 : 10;
    size_t prefix = second == 'x' || second == 'b' ? 2 : 0;
    bool fits, is_unsigned, is_long;
    size_t digits = number_digits(text + prefix, length - prefix, base, &token->value, &fits);
    if (!digits || !fits ||
        !suffix(text + prefix + digits, length - prefix - digits, &is_unsigned, &is_long))
        return false;
    choose_type(token, is_unsigned, is_long, base == 10);
    return true;
}

static bool is_fraction(const char *text, size_t length)
{
    bool hex = length > 1 && text[0] == '0' && (text[1] | 0x20) == 'x';
    return memchr(text, '.', length) ||
           (!hex && (memchr(text, 'e', length) || memchr(text, 'E', length)));
}

/* "1.", ".5", "1e-3f": number_double wants digits on both sides of the point. */
static bool fraction(struct cpp_token *token, const char *text, size_t length)
{
    char whole[LONGEST_NUMBER + 3];
    size_t used = 0;
    const char *point = memchr(text, '.', length);
    if (point && memchr(point + 1, '.', (size_t)(text + length - point - 1)))
        return false;
    bool single = (text[length - 1] | 0x20) == 'f';
    length -= single;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && i == 0)
            whole[used++] = '0';
        whole[used++] = text[i];
        if (text[i] == '.' && (i + 1 == length || !g_ascii_isdigit(text[i + 1])))
            whole[used++] = '0';
    }
    double value;
    token->kind = CPP_TOKEN_FLOAT;
    token->bytes = single ? 4 : 8;
    if (number_double(whole, used, &value) != NUMBER_GOOD)
        return false;
    memcpy(&token->value, &value, sizeof value);
    return true;
}

static struct cpp_token number(struct cpp_lexer *lexer)
{
    char text[LONGEST_NUMBER + 1];
    struct cpp_token token = {CPP_TOKEN_NUMBER, .span = number_span(lexer)};
    size_t length = number_text(lexer, token.span, text);
    bool good = length && (is_fraction(text, length) ? fraction(&token, text, length)
                                                     : whole_number(&token, text, length));
    if (!good)
        lex_error(lexer, cpp_number, token.span, NULL, "'%.*s' is no number of at most 64 bits",
                  (int)MIN(token.span.length, LONGEST_NUMBER),
                  lexer->source->text + token.span.offset);
    return token;
}

/* ---- the others ----------------------------------------------------------------------------- */

/* Passes a string or character; it ends on its line. */
static bool quoted(struct cpp_lexer *lexer, char quote)
{
    uint32_t start = lexer->offset++;
    while (!at_end(lexer) && peek(lexer, 0) != quote && peek(lexer, 0) != '\n')
        lexer->offset += peek(lexer, 0) == '\\' && peek(lexer, 1) ? 2 : 1;
    if (peek(lexer, 0) == quote) {
        lexer->offset++;
        return true;
    }
    lex_error(lexer, cpp_open, ((struct span){start, 1}), NULL, "this %s has no end",
              quote == '"' ? "string" : "character");
    return false;
}

static struct cpp_token string(struct cpp_lexer *lexer, uint32_t start)
{
    quoted(lexer, '"');
    return (struct cpp_token){CPP_TOKEN_STRING, .span = span_from(lexer, start)};
}

/* 'a' and '\n' are numbers of type char. */
static struct cpp_token character(struct cpp_lexer *lexer, uint32_t start)
{
    static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"";
    bool closed = quoted(lexer, '\'');
    struct cpp_token token = {CPP_TOKEN_NUMBER, .span = span_from(lexer, start), .bytes = 1,
                              .is_signed = true};
    const char *text = lexer->source->text + start;
    if (token.span.length == 3 && text[1] != '\\') {
        token.value = (uint64_t)text[1];
        return token;
    }
    for (size_t i = 0; token.span.length == 4 && text[1] == '\\' && i < sizeof escapes - 1; i += 2)
        if (escapes[i] == text[2]) {
            token.value = (uint64_t)escapes[i + 1];
            return token;
        }
    if (closed)
        lex_error(lexer, cpp_number, token.span, NULL, "this is no character that is read");
    return token;
}

static bool mark(struct cpp_lexer *lexer, uint32_t start, struct cpp_token *token)
{
    for (size_t i = 1; i < G_N_ELEMENTS(marks); i++)
        if (looking_at(lexer, marks[i].text)) {
            lexer->offset += (uint32_t)strlen(marks[i].text);
            *token = (struct cpp_token){CPP_TOKEN_MARK, (enum cpp_mark)i,
                                        .span = span_from(lexer, start)};
            return true;
        }
    return false;
}

/* Reports a run of one byte that begins no token as one. */
static void skip_bad_bytes(struct cpp_lexer *lexer, uint32_t start)
{
    char c = peek(lexer, 0);
    while (!at_end(lexer) && peek(lexer, 0) == c)
        lexer->offset++;
    struct span span = span_from(lexer, start);
    if (c == '#')
        lex_error(lexer, cpp_refused, span,
                  "declare a constant: constexpr auto o = cuda::memory_order_relaxed;",
                  "the preprocessor's directives are not read");
    else if (g_ascii_isgraph(c))
        lex_error(lexer, cpp_character, span, NULL, "'%c' does not belong here", c);
    else
        lex_error(lexer, cpp_character, span, NULL, "byte 0x%02x does not belong here",
                  (unsigned)(unsigned char)c);
    if (c == '#')
        skip_line(lexer);
}

static bool starts_number(const struct cpp_lexer *lexer)
{
    return g_ascii_isdigit(peek(lexer, 0)) ||
           (peek(lexer, 0) == '.' && g_ascii_isdigit(peek(lexer, 1)));
}

/* "and", "or" and "not" are marks. */
static struct cpp_token word(const struct cpp_lexer *lexer, uint32_t start)
{
    static const struct {
        const char *word;
        enum cpp_mark mark;
    } rows[] = {{"and", CPP_MARK_ALSO}, {"or", CPP_MARK_ELSE}, {"not", CPP_MARK_NOT}};
    struct span span = span_from(lexer, start);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (span.length == strlen(rows[i].word) &&
            memcmp(lexer->source->text + start, rows[i].word, span.length) == 0)
            return (struct cpp_token){CPP_TOKEN_MARK, rows[i].mark, .span = span};
    return (struct cpp_token){CPP_TOKEN_WORD, .span = span};
}

struct cpp_token cpp_lex(struct cpp_lexer *lexer)
{
    for (;;) {
        struct cpp_token token;
        skip_blanks(lexer);
        uint32_t start = lexer->offset;
        char c = peek(lexer, 0);
        if (at_end(lexer) || (lexer->diags && lexer->diags->errors >= lexer->error_limit))
            return (struct cpp_token){CPP_TOKEN_END, .span = {lexer->source->length, 0}};
        if (starts_number(lexer))
            return number(lexer);
        if (c == '"')
            return string(lexer, start);
        if (c == '\'')
            return character(lexer, start);
        if (is_word_byte(c)) {
            while (is_word_byte(peek(lexer, 0)))
                lexer->offset++;
            return word(lexer, start);
        }
        if (mark(lexer, start, &token))
            return token;
        skip_bad_bytes(lexer, start);
    }
}
