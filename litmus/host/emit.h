/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_EMIT_H
#define LITMUS_HOST_EMIT_H

#include "litmus/host/context.h"

/* Instructions, and what is known where ways meet. */

/* state.c: what is known where ways meet */
uint32_t eval_new_aim(struct eval *e);
void eval_place(struct eval *e, uint32_t aim);
/* Some run of the thread does not come here: it jumped to an aim that is still to be placed. */
bool eval_is_conditional(const struct eval *e);
/* A way leads from here to the aim. */
void eval_reach(struct eval *e, uint32_t aim);
struct code_value *eval_save(const struct eval *e, uint32_t *count);
bool eval_same_value(const struct code_value *a, const struct code_value *b);

/* emit.c: instructions */
void eval_emit(struct eval *e, struct raw_inst inst, const struct raw_operand *operands,
               uint32_t count, struct span span);
struct raw_operand eval_number_operand(uint64_t number, struct span span);
struct raw_operand eval_temporary(struct eval *e, struct span span);
struct raw_operand eval_variable(struct eval *e, struct code_cell *cell, struct span span);
/* A register with a name of its own. */
struct code_value eval_new_variable(struct eval *e, enum type type, struct span span);
struct raw_operand eval_memory(const struct lvalue *place, struct span span);
/* The value as an operand: of a number or register. */
bool eval_operand(struct eval *e, const struct code_value *value, struct span span,
                  struct raw_operand *to);
void eval_jump(struct eval *e, uint32_t aim, struct span span);
void eval_jump_if(struct eval *e, enum cmp cmp, const struct raw_operand *left,
                  const struct raw_operand *right, uint32_t aim, struct span span);
void eval_jump_if_floats(struct eval *e, enum cmp cmp, enum type type,
                         const struct raw_operand operands[2], uint32_t aim, struct span span);
/* A run that comes here is undefined. */
void eval_undefined(struct eval *e, struct span span);
void eval_fence(struct eval *e, enum sem sem, enum scope scope, struct span span);
/* Jumps get their targets, and what nobody reads is left out. */
void eval_finish_body(struct eval *e);
/* The last instruction writes the register instead of a temporary. */
bool eval_retarget(struct eval *e, const struct raw_operand *from, struct raw_operand to);

#endif
