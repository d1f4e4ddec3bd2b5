/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_ALU_H
#define MODEL_UNFOLD_STEP_ALU_H

#include "model/unfold/builder/step.h"

/* Register instructions as tables: what is read, and what the axioms make of it. */

struct alu_operation {
    /* A letter for each source: t of the instruction's type, s of its second type, m of what mul and
     * mad multiply, w 32 bits, n the amount of a shift, i a signed number of 32 bits, p a predicate. */
    const char *sources;
    expr_id (*value)(struct unfold_step *s, const expr_id *in);
    enum expr_op op; /* of two sources, where 'value' is NULL; without one the first is moved */
    enum expr_op of_signed; /* instead, of signed numbers */
    enum type result;       /* TYPE_NONE: the instruction's type */
    bool moves;             /* looks at bits only, so they may be those of a float */
};

static inline expr_id alu_binary(struct unfold_step *s, enum expr_op op, expr_id a, expr_id b)
{
    return expr_binary(s->b->exprs, op, a, b);
}
/* As wide as 'like'. */
static inline expr_id alu_constant(struct unfold_step *s, expr_id like, uint64_t value)
{
    return expr_const(s->b->exprs, expr_get(s->b->exprs, like)->width, value);
}

/* alu_bits.c: the row of an instruction of that file, else one without sources. */
const struct alu_operation *alu_bit_operation(enum op op);
/* alu_packed.c: the same. */
const struct alu_operation *alu_packed_operation(enum op op);

/* alu_clamp.c: the upper 64 bits of the product of two 64-bit numbers. */
expr_id alu_high_product(struct unfold_step *s, expr_id a, expr_id b, bool is_signed);
/* The number in the range of 'to' that is nearest to the 64-bit 'value'. */
expr_id alu_clamp(struct unfold_step *s, expr_id value, bool is_signed, enum type to);

/* alu_float.c: arithmetic of floats; the comparison that the instruction names of values of .f32 or .f64. */
void alu_float(struct unfold_step *s);
expr_id alu_test_float(struct unfold_step *s, const expr_id *in); /* testp */
expr_id alu_compare_floats(struct unfold_step *s, enum type type, expr_id a, expr_id b);

/* The comparison that the instruction names, of operands as values of a type. */
struct unfold_value alu_compare(struct unfold_step *s, enum type type, const struct operand *a,
                                const struct operand *b);

#endif
