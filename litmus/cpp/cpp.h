/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_CPP_CPP_H
#define LITMUS_CPP_CPP_H

#include "litmus/base/diag.h"

struct cpp_stmt;
struct cpp_type;
struct cpp_expr;
struct cpp_declarator;

/* Reads C++ statements and expressions (litmus/cpp/ast.h). Trees are made in 'arena' and refer to the
 * source, which must live as long. Errors go to 'diags', several a run; reading goes on after each, and
 * a tree is there only if nothing was reported. */

/* Statements up to a '}' that closes none of them, or the end of the text: a block. NULL after errors.
 * '*offset' is where they start, then where they end. */
const struct cpp_stmt *cpp_parse_statements(struct arena *arena, const struct source *source,
                                            uint32_t *offset, struct diag_list *diags);
/* The same of host code, which has statements that device code has not. */
const struct cpp_stmt *cpp_parse_host_statements(struct arena *arena, const struct source *source,
                                                 uint32_t *offset, struct diag_list *diags);
/* The same of a text that may hold any C++: what cannot be read is a statement CPP_UNREAD, and nothing is reported. */
const struct cpp_stmt *cpp_parse_any_statements(struct arena *arena, const struct source *source,
                                                uint32_t *offset);
/* The statements of one cell of a table of threads: '|', '||' and ';' outside of parentheses and braces
 * end it, so it holds one simple statement, without ';'. */
const struct cpp_stmt *cpp_parse_cell(struct arena *arena, const struct source *source,
                                      uint32_t *offset, struct diag_list *diags);
/* "(int a, float *b)", where '*offset' is at the '(', then behind the ')'. False after errors. */
bool cpp_parse_parameters(struct arena *arena, const struct source *source, uint32_t *offset,
                          struct diag_list *diags, struct cpp_declarator **parameters,
                          uint32_t *count);
/* Arguments of host code behind a '(' or '{', which '*offset' is at, up to the mark that closes. False after errors. */
bool cpp_parse_arguments(struct arena *arena, const struct source *source, uint32_t *offset,
                         struct diag_list *diags, const struct cpp_expr ***arguments,
                         uint32_t *count, bool *is_braced);
/* A type of host code, all of the text from 'offset' to its end. NULL after errors. */
const struct cpp_type *cpp_parse_type(struct arena *arena, const struct source *source,
                                      uint32_t offset, struct diag_list *diags);
/* One expression that is all of the text from 'offset' to its end. NULL after errors. */
const struct cpp_expr *cpp_parse_expression(struct arena *arena, const struct source *source,
                                            uint32_t offset, struct diag_list *diags);

/* The tree as text, fully parenthesized: for tests and for finding out what was read. */
const char *cpp_show_expr(struct arena *arena, const struct cpp_expr *expr);
const char *cpp_show_stmt(struct arena *arena, const struct cpp_stmt *stmt);

#endif
