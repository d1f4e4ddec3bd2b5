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

#endif
