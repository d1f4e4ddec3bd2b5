/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_PARSER_H
#define LITMUS_CPP_PARSER_H

#include "litmus/cpp/ast.h"

/* Private to the parser: what its files share. A production is a function that starts at the first
 * token of what it reads and stops after the last. It returns NULL or false after a report. */

enum cpp_keyword {
    CPP_KEYWORD_NONE,
#define KEYWORD(id, ...) CPP_KEYWORD_##id,
#include "litmus/cpp/keyword.def"
};

struct cpp_parser {
    struct arena *arena;
    const struct source *source;
    struct diag_list *diags;
    struct cpp_lexer lexer;
    struct cpp_token token; /* the current one */
    struct span last;       /* of the token before it */
    unsigned depth;         /* of productions that call themselves */
    unsigned brackets;      /* that are open */
    bool cell;              /* outside of brackets '|', '||' and ';' end the text */
    bool host;              /* statements that only host code has are read: host.c */
    bool in_for_head;       /* ':' behind a name is no width */
    bool any; /* statements that cannot be read are CPP_UNREAD; 'diags' is the parser's own */
};

/* A vector of expressions, as lists of arguments are. */
struct cpp_expr_list {
    VEC(const struct cpp_expr *) of;
};

/* parser.c: tokens */
struct cpp_parser cpp_start(struct arena *arena, const struct source *source, uint32_t offset,
                            struct diag_list *diags);
void cpp_advance(struct cpp_parser *p);
/* The token after the current one. */
struct cpp_token cpp_next(const struct cpp_parser *p);
bool cpp_at(const struct cpp_parser *p, enum cpp_mark mark);
bool cpp_at_word(const struct cpp_parser *p, const char *word);
enum cpp_keyword cpp_keyword_at(const struct cpp_parser *p);
/* The bit of the specifier that stands here, or 0. */
uint32_t cpp_specifier_at(const struct cpp_parser *p);
bool cpp_accept(struct cpp_parser *p, enum cpp_mark mark);
bool cpp_accept_keyword(struct cpp_parser *p, enum cpp_keyword keyword);
/* Passes the mark or reports that 'what' was expected. */
bool cpp_expect(struct cpp_parser *p, enum cpp_mark mark, const char *what);
/* The same for marks that open and close; between them a cell does not end. */
bool cpp_open(struct cpp_parser *p, enum cpp_mark mark, const char *what);
bool cpp_close(struct cpp_parser *p, enum cpp_mark mark, const char *what);
/* Passes one '>' of "> >> >>>". */
bool cpp_close_angle(struct cpp_parser *p);
/* At what ends a cell, where such are read, or the text? */
bool cpp_at_end(const struct cpp_parser *p);
void cpp_unexpected(struct cpp_parser *p, const char *wanted);
/* Reports a word that is refused by name; false: it is none. */
bool cpp_refuses(struct cpp_parser *p);
bool cpp_deeper(struct cpp_parser *p);
/* Is a tree of that height still allowed? */
bool cpp_height_fits(struct cpp_parser *p, uint32_t height, struct span span);
const char *cpp_token_text(const struct cpp_parser *p);
struct span cpp_span_from(const struct cpp_parser *p, struct span from);
bool cpp_expect_word(struct cpp_parser *p, const char *what, const char **word);
/* A word that no keyword, specifier or refused word is. */
bool cpp_at_name(const struct cpp_parser *p);
#define cpp_error(p, id, span, hint, ...)                                                          \
    diag_add((p)->diags, DIAG_##id, (p)->source, span, hint, __VA_ARGS__)

/* ahead.c: what follows, found by looking ahead a bounded number of tokens */
/* At '<' after a name: does it open template arguments? */
bool cpp_opens_arguments(const struct cpp_parser *p);
bool cpp_at_declaration(const struct cpp_parser *p);
/* The same in the parentheses of 'if' and 'while', where "a && b[0]" is an expression. */
bool cpp_at_declaring_condition(const struct cpp_parser *p);
/* "first: K<<<", which "c ? a : b" is not. */
bool cpp_at_labelled_launch(const struct cpp_parser *p);
/* At '(': what is certainly a type, and ')'? */
bool cpp_at_type(const struct cpp_parser *p);
/* At '(': a type, ')' and what a cast can stand before? */
bool cpp_at_cast(const struct cpp_parser *p);
/* Does a type that has a keyword stand here? */
bool cpp_at_builtin_type(const struct cpp_parser *p);

/* type.c */
bool cpp_name(struct cpp_parser *p, struct cpp_name *name);
/* Without and with its '*' and '&'. */
const struct cpp_type *cpp_type_specifier(struct cpp_parser *p);
const struct cpp_type *cpp_type(struct cpp_parser *p);
const struct cpp_type *cpp_pointers(struct cpp_parser *p, const struct cpp_type *to);
const struct cpp_type *cpp_array_of(struct cpp_parser *p, const struct cpp_type *to,
                                    const struct cpp_expr *length);

/* expression.c */
const struct cpp_expr *cpp_expression(struct cpp_parser *p); /* with commas */
const struct cpp_expr *cpp_assignment(struct cpp_parser *p); /* without */
const struct cpp_expr *cpp_unary(struct cpp_parser *p);
const struct cpp_expr *cpp_left_fold(struct cpp_parser *p); /* "... + a" */
/* "a, {b, c})": what an argument or initial value may be, up to the mark that closes. */
bool cpp_arguments(struct cpp_parser *p, enum cpp_mark close, struct cpp_expr_list *list);
const struct cpp_expr *cpp_initializer(struct cpp_parser *p);
/* A new node; its kids are set and its height is theirs and one. NULL when it is too high. */
struct cpp_expr *cpp_node(struct cpp_parser *p, struct cpp_expr node,
                          const struct cpp_expr *const *kids, uint32_t count);

/* lambda.c: what makes functions and objects; the current token is '[' or the word */
const struct cpp_expr *cpp_lambda(struct cpp_parser *p);
/* "(int a, float *b)" */
bool cpp_parameters(struct cpp_parser *p, struct cpp_declarator **parameters, uint32_t *count);
const struct cpp_expr *cpp_new(struct cpp_parser *p);
const struct cpp_expr *cpp_delete(struct cpp_parser *p);

/* primary.c */
const struct cpp_expr *cpp_primary(struct cpp_parser *p);

/* statement.c */
const struct cpp_stmt *cpp_statement(struct cpp_parser *p);
/* "int a = 1, *b" without its ';'. */
struct cpp_stmt *cpp_declaration(struct cpp_parser *p);
/* One name of a declaration, with what it is initialized by. */
bool cpp_declarator(struct cpp_parser *p, const struct cpp_type *base, struct cpp_declarator *to);
/* Past what could not be read: to the end of the statement or cell. */
void cpp_recover(struct cpp_parser *p);

/* host.c: is it one of switch, an enumeration, or what only host code has? *stmt: it, or NULL after a report. */
bool cpp_other_statement(struct cpp_parser *p, const struct cpp_stmt **stmt);
/* "NAME { … }" or "{ … }" behind "struct"; false: no members follow. */
bool cpp_members(struct cpp_parser *p, struct cpp_type *type);

/* unread.c: the next statement of a list; NULL after a report, behind what could not be read. */
const struct cpp_stmt *cpp_next_statement(struct cpp_parser *p);

#endif
