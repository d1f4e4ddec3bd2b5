/* SPDX-License-Identifier: MIT */
#include "model/unfold/step/alu.h"
#include "model/unfold/step/operand.h"

/* Results that are wider than a register on the way: the upper half of a 64-bit product, and what
 * '.sat' clamps (PTX manual 9.7.1.3, 9.7.1.4, 9.7.9.21). */

static expr_id word(struct unfold_step *s, expr_id a, unsigned low_bit)
{
    return expr_extend(s->b->exprs, expr_extract(s->b->exprs, a, low_bit, 32), 64, false);
}

/* 'b' where 'a' is negative, else 0: what the product of the bit patterns counts too much. */
static expr_id excess(struct unfold_step *s, expr_id a, expr_id b)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id zero = expr_const(exprs, 64, 0);
    return expr_ite(exprs, alu_binary(s, EXPR_SLT, a, zero), b, zero);
}

/* From the four products of 32-bit words. */
expr_id alu_high_product(struct unfold_step *s, expr_id a, expr_id b, bool is_signed)
{
    expr_id al = word(s, a, 0), ah = word(s, a, 32), bl = word(s, b, 0), bh = word(s, b, 32);
    expr_id left = alu_binary(s, EXPR_MUL, al, bh), right = alu_binary(s, EXPR_MUL, ah, bl);
    expr_id middle = alu_binary(s, EXPR_ADD, word(s, alu_binary(s, EXPR_MUL, al, bl), 32),
                                alu_binary(s, EXPR_ADD, word(s, left, 0), word(s, right, 0)));
    expr_id carried = alu_binary(s, EXPR_ADD, word(s, left, 32),
                                 alu_binary(s, EXPR_ADD, word(s, right, 32), word(s, middle, 32)));
    expr_id high = alu_binary(s, EXPR_ADD, alu_binary(s, EXPR_MUL, ah, bh), carried);
    if (!is_signed)
        return high;
    high = alu_binary(s, EXPR_SUB, high, excess(s, a, b));
    return alu_binary(s, EXPR_SUB, high, excess(s, b, a));
}

/* The 64-bit number 'value' in the range of 'to'. */
expr_id alu_clamp(struct unfold_step *s, expr_id value, bool is_signed, enum type to)
{
    struct expr_pool *exprs = s->b->exprs;
    unsigned bits = operand_bits(to);
    uint64_t top = UINT64_MAX >> (64 - bits);
    bool to_signed = type_is_signed(to);
    uint64_t most = to_signed ? top >> 1 : top;
    if (is_signed && most > INT64_MAX)
        most = INT64_MAX;
    expr_id high = expr_const(exprs, 64, most), low = expr_const(exprs, 64, to_signed ? ~most : 0);
    enum expr_op less = is_signed ? EXPR_SLT : EXPR_ULT;
    expr_id result = expr_ite(exprs, alu_binary(s, less, high, value), high, value);
    if (is_signed)
        result = expr_ite(exprs, alu_binary(s, EXPR_SLT, value, low), low, result);
    return expr_extract(exprs, result, 0, bits);
}
