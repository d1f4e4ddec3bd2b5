/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/alu.h"
#include "model/unfold/step/operand.h"

/* Instructions on the bytes or halves of registers: dot products (PTX manual 9.7.1.23 on) and absolute differences
 * (9.7.18). */

/* The k-th part of a word. */
static expr_id part(struct unfold_step *s, expr_id word, uint32_t k, uint32_t bits)
{
    return expr_extract(s->b->exprs, word, k * bits, bits);
}

static expr_id widened(struct unfold_step *s, expr_id part, bool is_signed)
{
    return expr_extend(s->b->exprs, part, 32, is_signed);
}

/* The parts of a times as many bytes of b, from byte 'from' on, and what is added to them. */
static expr_id dot_product(struct unfold_step *s, const expr_id *in, uint32_t bits, uint32_t from)
{
    expr_id sum = in[2];
    for (uint32_t k = 0; k < 32 / bits; k++) {
        expr_id a = widened(s, part(s, in[0], k, bits), type_is_signed(s->inst->type));
        expr_id b = widened(s, part(s, in[1], from + k, 8), type_is_signed(s->inst->source_type));
        sum = alu_binary(s, EXPR_ADD, sum, alu_binary(s, EXPR_MUL, a, b));
    }
    return sum;
}

static expr_id four_bytes(struct unfold_step *s, const expr_id *in)
{
    return dot_product(s, in, 8, 0);
}

static expr_id two_low_bytes(struct unfold_step *s, const expr_id *in)
{
    return dot_product(s, in, 16, 0);
}

static expr_id two_high_bytes(struct unfold_step *s, const expr_id *in)
{
    return dot_product(s, in, 16, 2);
}

static expr_id difference(struct unfold_step *s, expr_id a, expr_id b, bool is_signed)
{
    expr_id less = alu_binary(s, is_signed ? EXPR_SLT : EXPR_ULT, a, b);
    return expr_ite(s->b->exprs, less, alu_binary(s, EXPR_SUB, b, a),
                    alu_binary(s, EXPR_SUB, a, b));
}

/* The differences, each in its place. */
static expr_id differences(struct unfold_step *s, const expr_id *in, uint32_t bits, bool is_signed)
{
    expr_id result = 0;
    for (uint32_t k = 0; k < 32 / bits; k++) {
        expr_id one = difference(s, part(s, in[0], k, bits), part(s, in[1], k, bits), is_signed);
        result = k ? alu_binary(s, EXPR_CONCAT, one, result) : one;
    }
    return result;
}

/* Their sum, added to the third operand. */
static expr_id sum_of_differences(struct unfold_step *s, const expr_id *in, uint32_t bits,
                                  bool is_signed)
{
    expr_id sum = in[2];
    for (uint32_t k = 0; k < 32 / bits; k++) {
        expr_id one = difference(s, part(s, in[0], k, bits), part(s, in[1], k, bits), is_signed);
        sum = alu_binary(s, EXPR_ADD, sum, widened(s, one, false));
    }
    return sum;
}

#define DIFFERENCES(name, function, bits, is_signed)                                               \
    static expr_id name(struct unfold_step *s, const expr_id *in)                                  \
    {                                                                                              \
        return function(s, in, bits, is_signed);                                                   \
    }
DIFFERENCES(of_bytes, differences, 8, false)
DIFFERENCES(of_signed_bytes, differences, 8, true)
DIFFERENCES(of_halves, differences, 16, false)
DIFFERENCES(of_signed_halves, differences, 16, true)
DIFFERENCES(sum_of_bytes, sum_of_differences, 8, false)
DIFFERENCES(sum_of_signed_bytes, sum_of_differences, 8, true)
DIFFERENCES(sum_of_halves, sum_of_differences, 16, false)
DIFFERENCES(sum_of_signed_halves, sum_of_differences, 16, true)

static const struct alu_operation operations[OP_COUNT] = {
    [OP_DP4A] = {"tst", four_bytes},
    [OP_DP2A_LO] = {"tst", two_low_bytes},
    [OP_DP2A_HI] = {"tst", two_high_bytes},
    [OP_VABSDIFF4_U] = {"www", of_bytes, .result = TYPE_U32},
    [OP_VABSDIFF4_S] = {"www", of_signed_bytes, .result = TYPE_U32},
    [OP_VABSDIFF2_U] = {"www", of_halves, .result = TYPE_U32},
    [OP_VABSDIFF2_S] = {"www", of_signed_halves, .result = TYPE_U32},
    [OP_VABSDIFF4_U_ADD] = {"www", sum_of_bytes, .result = TYPE_U32},
    [OP_VABSDIFF4_S_ADD] = {"www", sum_of_signed_bytes, .result = TYPE_U32},
    [OP_VABSDIFF2_U_ADD] = {"www", sum_of_halves, .result = TYPE_U32},
    [OP_VABSDIFF2_S_ADD] = {"www", sum_of_signed_halves, .result = TYPE_U32},
};

const struct alu_operation *alu_packed_operation(enum op op)
{
    return &operations[op];
}
