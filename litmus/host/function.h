/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_FUNCTION_H
#define LITMUS_HOST_FUNCTION_H

#include "litmus/host/context.h"

/* Functions: which one is called, and how it is read. */

/* function.c */
const struct code_function *eval_function(const struct eval *e, const char *name);
bool eval_call_function(struct eval *e, const struct code_function *function,
                        const struct cpp_expr *expr, uint32_t first, struct code_value *to);
/* The same of a function of the class of the object 'self'. */
bool eval_call_member(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct cpp_expr *expr, uint32_t first, struct code_value *to);
/* The same of a function that belongs to the class. */
bool eval_call_static(struct eval *e, const struct code_function *function,
                      const struct code_shape *class, const struct cpp_expr *expr,
                      struct code_value *to);
/* The same with arguments that are known. */
bool eval_call_values(struct eval *e, const struct code_function *function, struct code_cell *self,
                      const struct code_value *values, uint32_t count, struct span span,
                      struct code_value *to);
/* A function as the code of a host thread of its own. */
struct thread_code {
    const struct code_function *function;
    const char *name;
    bool is_function; /* that a task runs */
    const struct code_value *arguments;
    uint32_t count;
    uint32_t started, ended;  /* flags in memory: it waits for one and raises the other; or NONE */
    struct code_cell *result; /* memory that gets what it returns; or NULL */
};
/* The class of the object whose function it is; of a static function, without arguments of a template. */
const struct code_shape *eval_level_of(struct eval *e, const struct code_function *function,
                                       const struct code_cell *self);

/* body.c */
/* Its index in 'host'. */
bool eval_thread_body(struct eval *e, const struct thread_code *code, uint32_t *host);

/* parameter.c */
/* Parameters are variables; a reference is the variable that it refers to. */
bool eval_bind_parameter(struct eval *e, const struct code_function *function, uint32_t index,
                         const struct code_value *value, struct span span);
/* A list stays one: the parameter says what it makes. */
bool eval_given_argument(struct eval *e, const struct parameter *parameter,
                         const struct cpp_expr *expr, struct code_value *to);
/* What a new thread's function is given: "std::ref(object)" is the object itself, which a reference may refer to. */
bool eval_thread_argument(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* lambda.c */
bool eval_lambda(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* What a lambda copied are variables of its code. */
/* The value, a function, is another object from now on: what a mutable lambda copied is copied again. */
bool eval_copy_lambda(struct eval *e, struct code_value *value, struct span span);
void eval_bind_captured(struct eval *e, const struct code_function *function);

/* overload.c: which of the functions of a name is called */
/* Of the class 'of' and its bases, or of the file if it is NULL; the arguments are expressions from 'first' on.
 * NULL: none, or *good is false after a report. */
const struct code_function *eval_choose(struct eval *e, const char *word,
                                        const struct code_shape *of, const struct cpp_expr *expr,
                                        uint32_t first, bool *good);
/* The same by values. */
const struct code_function *eval_choose_by_values(struct eval *e, const char *word,
                                                  const struct code_shape *of,
                                                  const struct code_value *values, uint32_t count,
                                                  struct span span, bool *good);
/* Is there one, whatever it takes? */
bool eval_has_member_function(struct eval *e, const struct code_shape *of, const char *word);

/* template.c */
/* Names of the template's parameters mean this from now on. */
bool eval_bind_template(struct eval *e, const struct code_function *function,
                        const struct cpp_part *named, const struct code_value *values,
                        uint32_t count);
/* The function for so many arguments: "A... a" becomes as many parameters. */
const struct code_function *eval_expanded(struct eval *e, const struct code_function *function,
                                          uint32_t count);
bool eval_bound_arguments(struct eval *e, const struct cpp_part *part,
                          const struct structure *structure, struct code_shape *shape);
/* A constant, which may look like a type: "Ring<N>". */
bool eval_number_of_argument(struct eval *e, const struct cpp_argument *argument, const char *what,
                             uint64_t *number);
const struct code_shape *eval_shape_of_value(struct eval *e, const struct code_value *value);

/* static_shape.c: of what type the expression is, without reading it; NULL: not known */
/* Of a number, a character or a truth value that is written out. */
enum type eval_literal_type(const struct cpp_expr *expr);
/* result_shape.c: NULL: not known */
const struct code_shape *eval_result_shape(struct eval *e, const struct code_function *function);
const struct code_shape *eval_static_shape(struct eval *e, const struct cpp_expr *expr);
/* Of an operation on the two numbers. */
const struct code_shape *eval_common_shape(struct eval *e, const struct code_shape *left,
                                           const struct code_shape *right);

/* own_library.c: classes of the library of C++ that are written in it */
/* Reads them if the word is one of theirs. */
bool eval_read_library(struct eval *e, const char *word);
bool eval_is_of_library(const struct eval *e, struct span span);
/* The class in its place where several threads may use its objects: a queue of numbers has another one. */
const struct structure *eval_version_of_threads(struct eval *e, const struct structure *of,
                                                const struct cpp_part *name);
/* "__takes_one_more(list)": how often is that read? Each time may be one element, of those that the list has room for. */
bool eval_take_one_more(struct eval *e, const struct cpp_expr *expr);

#endif
