/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_LEX_H
#define MODEL_CAT_LEX_H

#include <stdbool.h>

#include "litmus/base/diag.h"

enum cat_token_kind {
    TOKEN_END,
    TOKEN_NAME,
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
#define KEYWORD(id, word, use) KEYWORD_##id,
#include "model/cat/keyword.def"
#undef KEYWORD
};

struct cat_token {
    enum cat_token_kind kind;
    struct span span; /* STRING: with its quotes */
};

/* All tokens of a text, TOKEN_END the last; what is none is reported and stands as TOKEN_UNKNOWN. */
const struct cat_token *cat_lex(struct arena *arena, const struct source *source,
                                struct diag_list *diags);

/* Does it belong to what herd has and this checker refuses by name? */
bool cat_token_refused(enum cat_token_kind kind);
bool cat_token_starts(enum cat_token_kind kind); /* a statement */

#endif
