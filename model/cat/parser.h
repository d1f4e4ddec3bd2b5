/* SPDX-License-Identifier: MIT */
#ifndef MODEL_CAT_PARSER_H
#define MODEL_CAT_PARSER_H

#include "model/cat/ast.h"
#include "model/cat/cat.h"
#include "model/cat/lex.h"

/* What the files that read cat share. Productions return false or NULL after reporting an error; the
 * statement is then given up. */
struct cat_parser {
    const struct source *source;
    struct arena *arena;
    struct diag_list *diags;
    const struct cat_token *tokens;
    uint32_t at, depth;
    const struct cat_loader *loader;
    bool has_variant;  /* some 'if' asked for the loader's variant */
    const char *asked; /* the first "READING=WORD" that some 'if' asks for, or NULL */
    const struct ast_statement *also; /* what the statement means besides, or NULL */
};

const struct cat_token *parser_token(const struct cat_parser *parser);
bool parser_at(const struct cat_parser *parser, enum cat_token_kind kind);
/* Goes past the token when it is the one. */
bool parser_accept(struct cat_parser *parser, enum cat_token_kind kind);
/* The same, with an error when it is another. */
bool parser_expect(struct cat_parser *parser, enum cat_token_kind kind, const char *expected);
bool parser_expect_name(struct cat_parser *parser, const char *expected, const char **name,
                        struct span *span);
void parser_error(struct cat_parser *parser, const char *expected);
const char *parser_spelling(const struct cat_parser *parser, struct span span);
/* The span from 'start' to the token before the current one. */
struct span parser_since(const struct cat_parser *parser, uint32_t start);

struct ast *parser_expression(struct cat_parser *parser);
/* x = … and y = …, after a 'let' or a 'let rec' */
bool parser_bindings(struct cat_parser *parser, struct ast_binding **bindings, uint32_t *count);

#endif
