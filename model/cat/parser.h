/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PARSER_H
#define MODEL_CAT_PARSER_H

#include "model/cat/ast.h"
#include "model/cat/lex.h"

/* What the files that read cat share. Productions return false or NULL after reporting an error; the
 * statement is then given up. */
struct parser {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    const struct cat_token *tokens;
    uint32_t at, depth;
    const char *variant; /* or NULL */
    bool has_variant;    /* some 'if' asked for it */
    const char *choice;  /* "READING=WORD" that is taken, or NULL */
    const char *asked;   /* the first such that some 'if' asks for, or NULL */
};

const struct cat_token *parser_token(const struct parser *parser);
bool parser_at(const struct parser *parser, enum cat_token_kind kind);
bool parser_at_keyword(const struct parser *parser, enum cat_keyword keyword);
/* Go past the token when it is the one. */
bool parser_accept(struct parser *parser, enum cat_token_kind kind);
bool parser_accept_keyword(struct parser *parser, enum cat_keyword keyword);
/* The same, with an error when it is another. */
bool parser_expect(struct parser *parser, enum cat_token_kind kind, const char *expected);
bool parser_expect_name(struct parser *parser, const char *expected, const char **name,
                        struct span *span);
void parser_error(struct parser *parser, const char *expected);
const char *parser_spelling(const struct parser *parser, struct span span);
/* The span from 'start' to the token before the current one. */
struct span parser_since(const struct parser *parser, uint32_t start);

struct ast *parser_expression(struct parser *parser);
/* x = … and y = …, after a 'let' or a 'let rec' */
bool parser_bindings(struct parser *parser, struct ast_binding **bindings, uint32_t *count);

#endif
