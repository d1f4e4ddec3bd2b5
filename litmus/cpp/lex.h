/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_LEX_H
#define LITMUS_CPP_LEX_H

#include <stdbool.h>

#include "litmus/base/diag.h"

/* Cuts C++ into tokens, one at a time: memory does not grow with the text, and a lexer that is copied
 * is a place to return to. */

enum cpp_mark {
    CPP_MARK_NONE,
#define MARK(id, ...) CPP_MARK_##id,
#include "litmus/cpp/mark.def"
};
const char *cpp_mark_text(enum cpp_mark mark);
unsigned cpp_mark_precedence(enum cpp_mark mark);
enum cpp_mark cpp_mark_assigns(enum cpp_mark mark);

enum cpp_token_kind {
    CPP_TOKEN_END,
    CPP_TOKEN_WORD,
    CPP_TOKEN_NUMBER, /* value; of 'bytes' bytes, also a character such as 'a' */
    CPP_TOKEN_FLOAT,  /* value: the bits of a double; bytes: 4 after the suffix f */
    CPP_TOKEN_STRING, /* the span includes the quotes */
    CPP_TOKEN_MARK,
};

struct cpp_token {
    enum cpp_token_kind kind;
    enum cpp_mark mark;
    struct span span;
    uint64_t value;
    uint8_t bytes;
    bool is_signed; /* of a number */
};

struct cpp_lexer {
    const struct source *source;
    struct diag_list *diags; /* NULL while looking ahead: nothing is reported */
    uint32_t offset;         /* of the next byte to read */
    uint32_t error_limit;    /* the text ends when diags->errors reaches this */
};

/* The next token; CPP_TOKEN_END at the end, again and again. Bytes that begin no token, malformed
 * numbers and what has no end are reported and passed over. */
struct cpp_token cpp_lex(struct cpp_lexer *lexer);

#endif
