/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_MACRO_H
#define LITMUS_HOST_MACRO_H

#include "litmus/host/eval.h"
#include "litmus/host/preprocess.h"

/* Macros of a file. One without parameters is a constant; one with is read where it is called, with the arguments in
 * place of its parameters. */

/* 'bodies': where preprocessed.bodies begins in the test's source. */
void macro_read(struct eval *e, const struct file_macro *macros, uint32_t count, uint32_t bodies);
/* The macro of the name, or NULL. */
const struct code_macro *macro_named(const struct eval *e, const char *word, bool is_function);
/* "CHECK(x)" of the file; *found: it is one. */
bool macro_call(struct eval *e, const struct cpp_expr *expr, const char *word, bool *found,
                struct code_value *to);

/* The branch of an "if" is no macro of which it takes only a part; reports. */
bool macro_branch_stands(struct eval *e, const struct cpp_stmt *branch);

/* macro_text.c */
/* Means the text of the expression, which comes to stand at the place, what the expression means? An argument stands
 * between commas or the parentheses of the call already. */
bool macro_stands(const struct eval *e, const struct cpp_expr *expr, bool is_argument,
                  struct span at, struct span within);
/* No operator beside it can take only a part of it. */
bool macro_is_whole(const struct eval *e, const struct cpp_expr *expr);
/* The same of a macro's value, where the code names it; reports. */
bool macro_stands_at(struct eval *e, const struct cpp_expr *value, struct span at);
/* Statements stand where one does; reports. */
bool macro_stands_alone(struct eval *e, const struct cpp_stmt *body, struct span at);

#endif
