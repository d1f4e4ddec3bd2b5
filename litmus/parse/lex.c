/* SPDX-License-Identifier: MIT */
#include "litmus/parse/lex.h"

#include <ctype.h>
#include <string.h>

#include "litmus/base/number.h"

static int byte_at(const struct lexer *lexer, uint32_t offset)
{
    return offset < lexer->source->length ? (unsigned char)lexer->source->text[offset] : -1;
}

static bool looking_at(const struct lexer *lexer, const char *text)
{
    size_t length = strlen(text);
    return lexer->source->length - lexer->offset >= length &&
           memcmp(lexer->source->text + lexer->offset, text, length) == 0;
}

static bool is_word_byte(int c)
{
    return c >= 0 && (isalnum(c) || c == '_' || c == '$');
}

static struct span span_from(const struct lexer *lexer, uint32_t start)
{
    return (struct span){start, lexer->offset - start};
}

static void skip_blanks(struct lexer *lexer)
{
    uint32_t open;
    lexer->offset = source_skip_blanks(lexer->source, lexer->offset, lexer->source->length, &open);
    if (open != UINT32_MAX)
        diag_add(lexer->diags, DIAG_unterminated_comment, lexer->source, (struct span){open, 2},
                 NULL, "this comment has no end");
}

static struct token word(struct lexer *lexer, uint32_t start)
{
    lexer->offset++;
    while (is_word_byte(byte_at(lexer, lexer->offset)) ||
           (byte_at(lexer, lexer->offset) == '#' && isdigit(byte_at(lexer, lexer->offset + 1))))
        lexer->offset++;
    return (struct token){TOKEN_WORD, span_from(lexer, start), 0};
}

static struct token dotted_word(struct lexer *lexer, uint32_t start)
{
    lexer->offset++;
    while (is_word_byte(byte_at(lexer, lexer->offset)) ||
           (looking_at(lexer, "::") && is_word_byte(byte_at(lexer, lexer->offset + 2))))
        lexer->offset += byte_at(lexer, lexer->offset) == ':' ? 2 : 1;
    return (struct token){TOKEN_DOTWORD, span_from(lexer, start), 0};
}

static struct token string(struct lexer *lexer, uint32_t start)
{
    const char *from = lexer->source->text + start + 1;
    const char *quote = memchr(from, '"', lexer->source->length - start - 1);
    if (!quote) {
        diag_add(lexer->diags, DIAG_unterminated_string, lexer->source, (struct span){start, 1},
                 NULL, "this string has no end");
        lexer->offset = lexer->source->length;
        return (struct token){TOKEN_END, {lexer->offset, 0}, 0};
    }
    lexer->offset = (uint32_t)(quote - lexer->source->text) + 1;
    return (struct token){TOKEN_STRING, span_from(lexer, start), 0};
}

/* Reads digits of the base; false when they pass 64 bits. */
static bool digits(struct lexer *lexer, unsigned base, uint64_t *value)
{
    bool fits;
    lexer->offset +=
        (uint32_t)number_digits(lexer->source->text + lexer->offset,
                                lexer->source->length - lexer->offset, base, value, &fits);
    return fits;
}

static struct token bad_number(struct lexer *lexer, struct token token, const char *why)
{
    while (is_word_byte(byte_at(lexer, lexer->offset)))
        lexer->offset++;
    token.span.length = lexer->offset - token.span.offset;
    diag_add(lexer->diags, DIAG_bad_number, lexer->source, token.span, NULL, "'%.*s' %s",
             token.span.length > 40 ? 40 : (int)token.span.length,
             lexer->source->text + token.span.offset, why);
    return token;
}

/* 0f and eight hexadecimal digits, 0d and sixteen: the bits of an IEEE number. */
static struct token float_bits(struct lexer *lexer, uint32_t start, int kind, uint32_t wanted)
{
    struct token token = {kind, {start, 0}, 0};
    lexer->offset += 2;
    uint32_t first = lexer->offset;
    if (!digits(lexer, 16, &token.value) || lexer->offset - first != wanted ||
        is_word_byte(byte_at(lexer, lexer->offset)))
        return bad_number(lexer, token,
                          wanted == 8 ? "needs eight hexadecimal digits after 0f"
                                      : "needs sixteen hexadecimal digits after 0d");
    token.span = span_from(lexer, start);
    return token;
}

/* A decimal fraction such as 1.5 or 2.5e-3; the lexer stands after its integer part. */
static struct token fraction(struct lexer *lexer, uint32_t start)
{
    double value;
    struct token token = {TOKEN_FLOAT64, {start, 0}, 0};
    do
        lexer->offset++;
    while (isdigit(byte_at(lexer, lexer->offset)) || byte_at(lexer, lexer->offset) == 'e' ||
           (byte_at(lexer, lexer->offset - 1) == 'e' && byte_at(lexer, lexer->offset) == '-'));
    token.span = span_from(lexer, start);
    enum number_fault fault = number_double(lexer->source->text + start, token.span.length, &value);
    if (byte_at(lexer, lexer->offset) == 'f') /* C++ */
        lexer->offset++;
    if (fault == NUMBER_MALFORMED || is_word_byte(byte_at(lexer, lexer->offset)))
        return bad_number(lexer, token, "is not a number");
    if (fault == NUMBER_OUT_OF_RANGE)
        return bad_number(lexer, token, "is larger than every f64");
    memcpy(&token.value, &value, sizeof value);
    return token;
}

/* 12, 0x1F, 0b11, with a 'U' behind them as in C, and what the functions above read. */
static struct token number(struct lexer *lexer, uint32_t start)
{
    struct token token = {TOKEN_NUMBER, {start, 0}, 0};
    int second = byte_at(lexer, start) == '0' ? byte_at(lexer, start + 1) : -1;
    if (second == 'f' || second == 'F')
        return float_bits(lexer, start, TOKEN_FLOAT32, 8);
    if (second == 'd' || second == 'D')
        return float_bits(lexer, start, TOKEN_FLOAT64, 16);
    unsigned base = second == 'x' || second == 'X' ? 16 : second == 'b' || second == 'B' ? 2 : 10;
    lexer->offset += base == 10 ? 0 : 2;
    bool fits = digits(lexer, base, &token.value);
    if (base == 10 && byte_at(lexer, lexer->offset) == '.' &&
        isdigit(byte_at(lexer, lexer->offset + 1)))
        return fraction(lexer, start);
    if (byte_at(lexer, lexer->offset) == 'U')
        lexer->offset++;
    if (is_word_byte(byte_at(lexer, lexer->offset)) || (base != 10 && lexer->offset < start + 3))
        return bad_number(lexer, token, "is not a number");
    if (!fits)
        return bad_number(lexer, token, "does not fit 64 bits");
    if (base == 10 && second >= '0' && second <= '9')
        return bad_number(lexer, token, "starts with 0: octal in PTX, decimal elsewhere");
    token.span = span_from(lexer, start);
    return token;
}

static const struct {
    const char *text;
    int kind;
} marks[] = {
    {"<<<", TOKEN_LAUNCH}, {">>>", TOKEN_LAUNCH_END}, {"/\\", TOKEN_AND}, {"&&", TOKEN_AND},
    {"\\/", TOKEN_OR},     {"||", TOKEN_BARS},        {"==", TOKEN_EQ},   {"!=", TOKEN_NE},
    {"<>", TOKEN_NE},      {"<=", TOKEN_LE},          {">=", TOKEN_GE},
};

static bool mark(struct lexer *lexer, uint32_t start, struct token *token)
{
    int c = byte_at(lexer, start);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (marks[i].text[0] == c && looking_at(lexer, marks[i].text)) {
            lexer->offset += (uint32_t)strlen(marks[i].text);
            *token = (struct token){marks[i].kind, span_from(lexer, start), 0};
            return true;
        }
    if (!c || !strchr("{}[]()|;:,@=<>+-*/%^~!&_?", c))
        return false;
    lexer->offset++;
    *token = (struct token){c, span_from(lexer, start), 0};
    return true;
}

static const char *hash_hint(int c, bool directive)
{
    return directive  ? "there is no preprocessor: declare constants"
           : c == '#' ? "a number is written without '#'"
                      : NULL;
}

/* Reports a run of bytes that begin no token as one, a directive with the rest of its line. */
static void skip_bad_bytes(struct lexer *lexer, uint32_t start)
{
    int c = byte_at(lexer, start);
    while (lexer->offset < lexer->source->length && byte_at(lexer, lexer->offset) == c)
        lexer->offset++;
    bool directive = c == '#' && isalpha(byte_at(lexer, lexer->offset));
    while (directive && lexer->offset < lexer->source->length &&
           byte_at(lexer, lexer->offset) != '\n')
        lexer->offset++;
    const char *what = c == 0                  ? "a NUL byte"
                       : c < 0x20 || c == 0x7f ? "a control character"
                       : c < 0x80              ? arena_printf(lexer->diags->arena, "'%c'", c)
                                  : arena_printf(lexer->diags->arena, "byte 0x%02x", (unsigned)c);
    diag_add(lexer->diags, DIAG_bad_character, lexer->source, span_from(lexer, start),
             hash_hint(c, directive), "%s does not belong here", what);
}

struct token lex_next(struct lexer *lexer)
{
    for (;;) {
        skip_blanks(lexer);
        uint32_t start = lexer->offset;
        int c = byte_at(lexer, start), next = byte_at(lexer, start + 1);
        struct token token;
        if (c < 0 || lexer->diags->errors >= lexer->error_limit)
            return (struct token){TOKEN_END, {lexer->source->length, 0}, 0};
        if (isalpha(c) || ((c == '_' || c == '$' || c == '%') && is_word_byte(next)))
            return word(lexer, start);
        if (isdigit(c))
            return number(lexer, start);
        if (c == '.' && is_word_byte(next))
            return dotted_word(lexer, start);
        if (c == '"')
            return string(lexer, start);
        if (mark(lexer, start, &token))
            return token;
        skip_bad_bytes(lexer, start);
    }
}
