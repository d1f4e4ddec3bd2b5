/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_LEX_H
#define MODEL_CAT_LEX_H

#include <stdbool.h>

#include "litmus/base/diag.h"

/* Words of cat. Every row of keyword.def is one TOKEN_KEYWORD with its place in the table. */
enum cat_keyword {
#define KEYWORD(id, word, use) KEYWORD_##id,
#include "model/cat/keyword.def"
#undef KEYWORD
    KEYWORD_COUNT
};

enum cat_token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_KEYWORD,
    TOKEN_STRING,
    TOKEN_ZERO,
    TOKEN_UNION,
    TOKEN_PLUSPLUS,
    TOKEN_SEMI,
    TOKEN_BACKSLASH,
    TOKEN_AMP,
    TOKEN_STAR,
    TOKEN_TILDE,
    TOKEN_PLUS,
    TOKEN_OPTION,
    TOKEN_INVERSE,
    TOKEN_HAT_STAR,
    TOKEN_LEFT,
    TOKEN_RIGHT,
    TOKEN_LEFT_SQUARE,
    TOKEN_RIGHT_SQUARE,
    TOKEN_LEFT_BRACE,
    TOKEN_RIGHT_BRACE,
    TOKEN_COMMA,
    TOKEN_EQUAL,
    TOKEN_UNKNOWN, /* reported already */
};

struct cat_token {
    enum cat_token_kind kind;
    enum cat_keyword keyword; /* KEYWORD */
    struct span span;         /* STRING: with its quotes */
};

struct cat_tokens {
    struct cat_token *at; /* ends with TOKEN_END */
    uint32_t len;
};

/* All tokens of a text; what is none is reported and stands as TOKEN_UNKNOWN. */
struct cat_tokens cat_lex(struct arena *arena, const struct source *source,
                          struct diag_list *diags);

const char *cat_keyword_word(enum cat_keyword keyword);
/* Part of the language here, or one of herd's that is refused by name? */
bool cat_keyword_supported(enum cat_keyword keyword);
bool cat_keyword_starts(enum cat_keyword keyword); /* a statement */

#endif
