/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_STATEMENT_H
#define LITMUS_HOST_STATEMENT_H

#include "litmus/host/context.h"

/* Statements of host code. */

/* question.c: the block of main ends; the question may name its variables */
void eval_keep_names(struct eval *e, const struct cpp_stmt *block);
/* The question has a word that the register's name begins with: of "plan$2" or "plan_0__count" it is "plan". */
bool eval_is_asked(const struct eval *e, const char *name);

/* declare.c */
/* Does no code of the program run when a variable of the type is made? */
bool eval_is_made_plainly(struct eval *e, const struct cpp_type *type,
                          const struct code_shape *shape, struct span span);
bool eval_declaration(struct eval *e, const struct cpp_stmt *stmt);
/* The global variables of a file, at the start of its main. */
bool eval_globals(struct eval *e);

/* flow.c */
bool eval_statement(struct eval *e, const struct cpp_stmt *stmt);

/* loop.c, range.c */
struct code_loop {
    const struct cpp_expr *condition; /* or NULL: always */
    const struct cpp_stmt *body;
    const struct cpp_expr *step; /* or NULL */
    bool asks_last;              /* do … while */
    struct span span;
};
/* The body once, and the step; a jump out of the loop leads to 'end'. */
bool eval_round_of(struct eval *e, const struct code_loop *loop, uint32_t end);
/* Nobody knows how many rounds follow. */
void eval_cover_rounds(struct eval *e, const struct code_loop *loop);
/* One round after the other, until the condition is known to fail; a loop that counts nothing waits. */
bool eval_loop(struct eval *e, const struct code_loop *loop);
bool eval_while_statement(struct eval *e, const struct cpp_stmt *stmt);
bool eval_for_statement(struct eval *e, const struct cpp_stmt *stmt);
bool eval_range_for(struct eval *e, const struct cpp_stmt *stmt);

#endif
