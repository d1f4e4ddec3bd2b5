/* SPDX-License-Identifier: MIT */
#include "model/cat/lex.h"

#include <ctype.h>
#include <string.h>

/* The words and marks of a cat text; blanks and comments are left out. */

enum keyword_use { STARTS, INSIDE, REFUSED };

static const struct {
    enum cat_token_kind kind;
    const char *word;
    enum keyword_use use;
} keywords[] = {
#define KEYWORD(id, word, use) {KEYWORD_##id, word, use},
#include "model/cat/keyword.def"
#undef KEYWORD
};
enum { KEYWORDS = sizeof keywords / sizeof *keywords };

static bool is_used(enum cat_token_kind kind, enum keyword_use use)
{
    for (int k = 0; k < KEYWORDS; k++)
        if (keywords[k].kind == kind)
            return keywords[k].use == use;
    return false;
}

bool cat_token_refused(enum cat_token_kind kind)
{
    return is_used(kind, REFUSED) || kind == TOKEN_PLUSPLUS || kind == TOKEN_LEFT_BRACE ||
           kind == TOKEN_RIGHT_BRACE;
}

bool cat_token_starts(enum cat_token_kind kind)
{
    return is_used(kind, STARTS);
}

struct cat_lexer {
    const char *text;
    uint32_t length, at;
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    VEC(struct cat_token) tokens;
};

static char peek(const struct cat_lexer *lexer, uint32_t ahead)
{
    return ahead < lexer->length - lexer->at ? lexer->text[lexer->at + ahead] : '\0';
}

static bool starts(const struct cat_lexer *lexer, const char *mark)
{
    size_t n = strlen(mark);
    return n <= lexer->length - lexer->at && memcmp(lexer->text + lexer->at, mark, n) == 0;
}

static void push(struct cat_lexer *lexer, enum cat_token_kind kind, uint32_t length)
{
    struct cat_token token = {.kind = kind, .span = {lexer->at, length}};
    vec_push(lexer->arena, &lexer->tokens, token);
    lexer->at += length;
}

/* Comments nest, as in OCaml. */
static void skip_comment(struct cat_lexer *lexer)
{
    struct span opening = {lexer->at, 2};
    uint32_t depth = 0;
    do {
        if (starts(lexer, "(*") || starts(lexer, "*)")) {
            depth += peek(lexer, 0) == '(' ? 1 : -1u;
            lexer->at++;
        }
        lexer->at++;
    } while (depth && lexer->at < lexer->length);
    if (depth)
        diag_add(lexer->diags, DIAG_cat_open_comment, lexer->source, opening, NULL,
                 "comment is never closed");
}

/* True: something was skipped, and more may follow. */
static bool skip_blank(struct cat_lexer *lexer)
{
    if (isspace((unsigned char)peek(lexer, 0))) {
        lexer->at++;
    } else if (starts(lexer, "(*")) {
        skip_comment(lexer);
    } else if (starts(lexer, "//") || peek(lexer, 0) == '#') {
        while (lexer->at < lexer->length && lexer->text[lexer->at] != '\n')
            lexer->at++;
    } else {
        return false;
    }
    return true;
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.' || c == '\'';
}

static void lex_word(struct cat_lexer *lexer)
{
    uint32_t length = 1;
    while (is_word_byte(peek(lexer, length)))
        length++;
    const char *word = lexer->text + lexer->at;
    enum cat_token_kind kind = length == 1 && *word == '0' ? TOKEN_ZERO : TOKEN_NAME;
    for (int k = 0; k < KEYWORDS; k++)
        if (strlen(keywords[k].word) == length && memcmp(word, keywords[k].word, length) == 0)
            kind = keywords[k].kind;
    push(lexer, kind, length);
}

/* A string that is never closed takes the rest of the text, so that one error is reported. */
static void lex_string(struct cat_lexer *lexer)
{
    uint32_t length = 1;
    while (lexer->at + length < lexer->length && peek(lexer, length) != '"')
        length++;
    if (lexer->at + length < lexer->length) {
        push(lexer, TOKEN_STRING, length + 1);
        return;
    }
    diag_add(lexer->diags, DIAG_cat_open_string, lexer->source, (struct span){lexer->at, 1}, NULL,
             "string is never closed");
    push(lexer, TOKEN_UNKNOWN, lexer->length - lexer->at);
}

static bool lex_mark(struct cat_lexer *lexer)
{
    /* longer marks before those they start with */
    static const struct {
        const char *mark;
        enum cat_token_kind kind;
    } marks[] = {
        {"++", TOKEN_PLUSPLUS},   {"^-1", TOKEN_INVERSE},    {"^+", TOKEN_PLUS},
        {"^*", TOKEN_HAT_STAR},   {"^?", TOKEN_OPTION},      {"|", TOKEN_UNION},
        {";", TOKEN_SEMI},        {"\\", TOKEN_BACKSLASH},   {"&", TOKEN_AMP},
        {"*", TOKEN_STAR},        {"~", TOKEN_TILDE},        {"+", TOKEN_PLUS},
        {"?", TOKEN_OPTION},      {"(", TOKEN_LEFT},         {")", TOKEN_RIGHT},
        {"[", TOKEN_LEFT_SQUARE}, {"]", TOKEN_RIGHT_SQUARE}, {"{", TOKEN_LEFT_BRACE},
        {"}", TOKEN_RIGHT_BRACE}, {",", TOKEN_COMMA},        {"=", TOKEN_EQUAL},
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (starts(lexer, marks[i].mark)) {
            push(lexer, marks[i].kind, (uint32_t)strlen(marks[i].mark));
            return true;
        }
    }
    return false;
}

static void unknown_character(struct cat_lexer *lexer)
{
    unsigned char byte = (unsigned char)peek(lexer, 0);
    struct span span = {lexer->at, 1};
    while (byte >= 0x80 && ((unsigned char)peek(lexer, span.length) & 0xc0) == 0x80)
        span.length++; /* the rest of a UTF-8 sequence */
    if (isprint(byte))
        diag_add(lexer->diags, DIAG_cat_character, lexer->source, span, NULL,
                 "'%c' means nothing in cat", byte);
    else
        diag_add(lexer->diags, DIAG_cat_character, lexer->source, span, NULL,
                 "byte 0x%02x means nothing in cat", byte);
    push(lexer, TOKEN_UNKNOWN, span.length);
}

const struct cat_token *cat_lex(struct arena *arena, const struct source *source,
                                struct diag_list *diags)
{
    struct cat_lexer lexer = {.text = source->text,
                              .length = source->length,
                              .source = source,
                              .arena = arena,
                              .diags = diags};
    while (lexer.at < lexer.length) {
        char c = peek(&lexer, 0);
        if (skip_blank(&lexer))
            continue;
        if (isalnum((unsigned char)c) || c == '_')
            lex_word(&lexer);
        else if (c == '"')
            lex_string(&lexer);
        else if (!lex_mark(&lexer))
            unknown_character(&lexer);
    }
    push(&lexer, TOKEN_END, 0);
    return lexer.tokens.at;
}
