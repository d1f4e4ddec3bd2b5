/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_OPERAND_H
#define MODEL_UNFOLD_STEP_OPERAND_H

#include "model/unfold/builder/step.h"

/* Operands of instructions as values, and registers that get values. */

unsigned operand_bits(enum type type); /* TYPE_NONE: 64, TYPE_PRED: 1 */
struct unfold_value operand_value(struct unfold_step *s, const struct operand *operand,
                                  enum type type);
struct unfold_value operand_address(struct unfold_step *s, const struct operand *operand);
/* Where the predicate fails the old contents stay. */
void operand_write(struct unfold_step *s, const struct operand *operand, enum type type,
                   struct unfold_value value);
/* The bits of 'high' above those of 'low'. */
struct unfold_value operand_append(struct unfold_step *s, struct unfold_value low,
                                   struct unfold_value high);
/* The address of a location as this thread sees it: its CTA's copy of shared memory, its own of
 * local. */
uint64_t operand_symbol(const struct builder *b, uint32_t thread, uint32_t location);
/* Of a thread of a kernel: the rank of its CTA in the cluster. */
uint32_t operand_cluster_rank(const struct builder *b, const struct thread *thread);

#endif
