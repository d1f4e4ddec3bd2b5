/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_PARSE_LEX_H
#define LITMUS_PARSE_LEX_H

#include <stdbool.h>

#include "litmus/base/diag.h"

/* Cuts a test into tokens, one at a time: memory does not grow with the text. Punctuation of one
 * character is its own token kind. Comments (* *), // and block ones are skipped. */
enum token_kind {
    TOKEN_END = 256,
    TOKEN_WORD,    /* x  r0  %rd1  $L__BB0_1  P0 */
    TOKEN_DOTWORD, /* .relaxed  .shared::cta  .2d */
    TOKEN_NUMBER,  /* value: decimal, 0x…, 0b… */
    TOKEN_FLOAT32, /* value: the bits of 0f… */
    TOKEN_FLOAT64, /* value: the bits of 0d… or of a decimal fraction */
    TOKEN_STRING,  /* the span includes the quotes */
    TOKEN_AND,     /* /\ and && */
    TOKEN_OR,      /* \/ */
    TOKEN_BARS,    /* ||: an 'or', or an empty cell between two separators */
    TOKEN_EQ,      /* == */
    TOKEN_NE,      /* != */
    TOKEN_LE,
    TOKEN_GE,
    TOKEN_LAUNCH,     /* <<< */
    TOKEN_LAUNCH_END, /* >>> */
};

struct token {
    int kind;
    struct span span;
    uint64_t value;
};

struct lexer {
    const struct source *source;
    struct diag_list *diags;
    uint32_t offset;      /* of the next byte to read */
    uint32_t error_limit; /* the text ends when diags->errors reaches this */
};

/* The next token; TOKEN_END at the end, again and again. Bytes that begin no token, numbers that do
 * not fit and strings or comments without an end are reported and passed over. */
struct token lex_next(struct lexer *lexer);

#endif
