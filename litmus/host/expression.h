/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_EXPRESSION_H
#define LITMUS_HOST_EXPRESSION_H

#include "litmus/host/context.h"

/* Expressions of host code. */

/* value.c: expressions */
struct code_value eval_number(uint64_t number, enum type type);
struct code_value eval_in_register(struct raw_operand operand, enum type type);
bool eval_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* As an operand: a bit-field of fewer bits than int is one. */
bool eval_promoted_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* As a statement: the value is not needed. */
bool eval_effect(struct eval *e, const struct cpp_expr *expr);
bool eval_is_known(const struct code_value *value);
/* Known or read, an integer or a float. */
bool eval_is_number(const struct code_value *value);
/* Does reading the expression emit statements? Then what was read before it is kept in a register that
 * has a name. */
/* Does it more than give a value? */
bool eval_acts(const struct cpp_expr *expr);
bool eval_has_effects(struct eval *e, const struct cpp_expr *expr);
/* The value in a register of its own, which nobody else writes. */
void eval_keep_copy(struct eval *e, struct code_value *value, struct span span);
void eval_keep(struct eval *e, struct code_value *value, struct span span);
double eval_double(const struct code_value *value);
struct code_value eval_float(double number, enum type type);
uint64_t eval_float_bits(const struct code_value *value, enum type type);
/* A number that is known. */
bool eval_known_number(struct eval *e, const struct cpp_expr *expr, const char *what,
                       uint64_t *number);
bool eval_is_condition(const struct cpp_expr *expr); /* "a == b", "a && b" */

/* binary.c */
enum op eval_operation_of(enum cpp_mark mark); /* of integers or floats; OP_MOV: none */
/* An address of memory or of a variable. */
bool eval_is_pointer(const struct code_value *value);
/* *left becomes a register with the result of the operation. */
bool eval_compute(struct eval *e, enum op op, enum type type, struct code_value *left,
                  const struct code_value *right, struct span span);
bool eval_binary(struct eval *e, enum cpp_mark mark, struct code_value *left,
                 const struct code_value *right, struct span span);

/* cast.c */
bool eval_cast_expression(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
/* "int(x)", "int{}" */
bool eval_construct_number(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_size_of(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_cast(struct eval *e, struct code_value *value, const struct code_shape *shape,
               struct span span);

/* assign.c */
bool eval_assign(struct eval *e, const struct cpp_expr *expr, bool used, struct code_value *to);
/* The value is asked for again: one that is written in several branches is kept. */
bool eval_write_kept(struct eval *e, const struct lvalue *place, struct code_value *value,
                     struct span span);
/* What was written to the place becomes what the place holds of it, if that is a number. */
bool eval_as_held(struct eval *e, const struct lvalue *place, struct span span,
                  struct code_value *value);

/* heap.c */
bool eval_new(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_delete(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* condition.c */
enum eval_truth { EVAL_FALSE, EVAL_TRUE, EVAL_DEPENDS, EVAL_FAILED };
/* Jumps to the aim where the condition is 'when', unless it is known here. */
enum eval_truth eval_branch(struct eval *e, const struct cpp_expr *expr, bool when, uint32_t aim);
/* Is the condition known, without anything that it does? */
bool eval_is_certain(struct eval *e, const struct cpp_expr *expr);
/* The number becomes 0 or 1, as bool has it. */
bool eval_make_truth(struct eval *e, struct code_value *value, struct span span);
bool eval_truth_value(struct eval *e, const struct cpp_expr *expr, struct code_value *to);
bool eval_conditional(struct eval *e, const struct cpp_expr *expr, struct code_value *to);

/* float.c: what is computed of floating-point numbers */
/* Of two that are known, or one that is read: VALUE_UNKNOWN where the two readings do not both compute it. */
bool eval_is_float(const struct code_value *value);
bool eval_float_operation(struct eval *e, enum cpp_mark mark, struct code_value *left,
                          const struct code_value *right, struct span span);
bool eval_float_sign(struct eval *e, enum op op, struct code_value *value, struct span span);
/* What is known, into a register. */
void eval_float_move(struct eval *e, struct raw_operand to, const struct code_value *value,
                     struct span span);
void eval_float_cast(struct code_value *value, enum type type, struct span span);
/* One of the two is read. */
enum eval_truth eval_float_comparison(struct eval *e, enum cmp cmp, const struct code_value *left,
                                      const struct code_value *right, bool when, uint32_t aim,
                                      struct span span);
/* Of its bits in a register, or of the constant; TYPE_NONE: it is no float. */
enum type eval_float_type(const struct code_value *value);
/* The bits in the register are those of the type, if it is a float or the value one. */
bool eval_float_fits(const struct code_value *value, enum type type);

#endif
