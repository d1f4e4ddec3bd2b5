/* SPDX-License-Identifier: MIT */
#include "model/graph/mbarrier.h"
#include "model/unfold/step/alu.h"
#include "model/unfold/step/operand.h"

/* Bit fields and bytes of registers (PTX manual 9.7.1.14 on, 9.7.8.7 on), as expressions. A shift
 * amount beyond the width leaves nothing, or the sign, as EXPR_SHL and its like do. */

static expr_id shifted(struct unfold_step *s, enum expr_op op, expr_id a, expr_id amount)
{
    unsigned width = expr_get(s->b->exprs, a)->width;
    return alu_binary(s, op, a, expr_extend(s->b->exprs, amount, width, false));
}

static expr_id both(struct unfold_step *s, expr_id a, uint64_t mask)
{
    return alu_binary(s, EXPR_AND, a, alu_constant(s, a, mask));
}

/* shf: the 64 bits "b above a", shifted; the high word of them to the left, the low one to the
 * right. */
static expr_id funnel(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    bool left = s->inst->flags & FLAG_LEFT;
    expr_id limit = expr_const(exprs, 32, 32), amount = both(s, in[2], 31);
    if (s->inst->flags & FLAG_CLAMP)
        amount = expr_ite(exprs, alu_binary(s, EXPR_ULT, in[2], limit), in[2], limit);
    expr_id pair = alu_binary(s, EXPR_CONCAT, in[1], in[0]);
    return expr_extract(exprs, shifted(s, left ? EXPR_SHL : EXPR_LSHR, pair, amount), left ? 32 : 0,
                        32);
}

/* lop3: bit k of the table is the result for a, b, c = bits 2, 1, 0 of k. */
static expr_id three_inputs(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id result = expr_const(exprs, 32, 0);
    for (uint32_t k = 0; k < 8; k++) {
        expr_id term = both(s, in[3], 1u << k); /* this bit of the table, then in every place */
        expr_id absent = expr_eq(exprs, term, expr_const(exprs, 32, 0));
        term = expr_ite(exprs, absent, expr_const(exprs, 32, 0), expr_const(exprs, 32, UINT32_MAX));
        for (uint32_t i = 0; i < 3; i++)
            term = alu_binary(s, EXPR_AND, term, k >> (2 - i) & 1 ? in[i] : expr_not(exprs, in[i]));
        result = alu_binary(s, EXPR_OR, result, term);
    }
    return result;
}

/* prmt: each of four nibbles chooses a byte of "b above a", or with its bit 3 that byte's sign. */
static expr_id permuted(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id bytes = alu_binary(s, EXPR_CONCAT, in[1], in[0]), result = 0;
    for (uint32_t k = 0; k < 4; k++) {
        expr_id nibble = expr_extract(exprs, in[2], 4 * k, 4);
        expr_id place = expr_extend(exprs, both(s, nibble, 7), 64, false);
        place = alu_binary(s, EXPR_SHL, place, expr_const(exprs, 64, 3));
        expr_id byte = expr_extract(exprs, alu_binary(s, EXPR_LSHR, bytes, place), 0, 8);
        expr_id sign = alu_binary(s, EXPR_ASHR, byte, expr_const(exprs, 8, 7));
        byte = expr_ite(exprs, expr_extract(exprs, nibble, 3, 1), sign, byte);
        result = k ? alu_binary(s, EXPR_CONCAT, byte, result) : byte;
    }
    return result;
}

/* bfe: c bits of a from bit b up; a signed field takes its top bit further, which is a's where it
 * reaches beyond a. Both counts are of 8 bits. */
static expr_id extracted(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    enum expr_op right = type_is_signed(s->inst->type) ? EXPR_ASHR : EXPR_LSHR;
    expr_id length = both(s, in[2], 255);
    expr_id width = expr_const(exprs, 32, operand_bits(s->inst->type));
    expr_id above = expr_ite(exprs, alu_binary(s, EXPR_ULT, length, width),
                             alu_binary(s, EXPR_SUB, width, length), expr_const(exprs, 32, 0));
    expr_id field = shifted(s, right, in[0], both(s, in[1], 255));
    return shifted(s, right, shifted(s, EXPR_SHL, field, above), above);
}

/* bfi: b, with d bits of a put in from bit c up. */
static expr_id inserted(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id place = both(s, in[2], 255), one = alu_constant(s, in[0], 1);
    expr_id ones = shifted(s, EXPR_SHL, one, both(s, in[3], 255));
    expr_id mask = shifted(s, EXPR_SHL, alu_binary(s, EXPR_SUB, ones, one), place);
    expr_id field = alu_binary(s, EXPR_AND, shifted(s, EXPR_SHL, in[0], place), mask);
    expr_id kept = alu_binary(s, EXPR_AND, in[1], expr_not(exprs, mask));
    return alu_binary(s, EXPR_OR, kept, field);
}

static expr_id population(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id sum = expr_const(exprs, 32, 0);
    for (uint32_t i = 0; i < operand_bits(s->inst->type); i++) {
        expr_id bit = expr_extend(exprs, expr_extract(exprs, in[0], i, 1), 32, false);
        sum = alu_binary(s, EXPR_ADD, sum, bit);
    }
    return sum;
}

/* The index of the highest set bit, or with 'from_top' how many are above it; 'none' without one.
 */
static expr_id highest(struct unfold_step *s, expr_id a, bool from_top, uint32_t none)
{
    struct expr_pool *exprs = s->b->exprs;
    uint32_t width = expr_get(exprs, a)->width;
    expr_id index = expr_const(exprs, 32, none);
    for (uint32_t i = 0; i < width; i++)
        index = expr_ite(exprs, expr_extract(exprs, a, i, 1),
                         expr_const(exprs, 32, from_top ? width - 1 - i : i), index);
    return index;
}

static expr_id leading_zeros(struct unfold_step *s, const expr_id *in)
{
    return highest(s, in[0], true, operand_bits(s->inst->type));
}

/* bfind: of a negative number the highest bit that is clear. */
static expr_id find_bit(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id a = in[0];
    if (type_is_signed(s->inst->type))
        a = expr_ite(exprs, alu_binary(s, EXPR_SLT, a, alu_constant(s, a, 0)), expr_not(exprs, a),
                     a);
    return highest(s, a, s->inst->flags & FLAG_SHIFTAMT, UINT32_MAX);
}

static expr_id reversed(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id result = expr_extract(exprs, in[0], 0, 1);
    for (uint32_t i = 1; i < operand_bits(s->inst->type); i++)
        result = alu_binary(s, EXPR_CONCAT, result, expr_extract(exprs, in[0], i, 1));
    return result;
}

/* sad: the distance of a and b, plus c. */
static expr_id distance(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    enum expr_op less = type_is_signed(s->inst->type) ? EXPR_SLT : EXPR_ULT;
    expr_id up = alu_binary(s, EXPR_SUB, in[1], in[0]);
    expr_id down = alu_binary(s, EXPR_SUB, in[0], in[1]);
    expr_id gap = expr_ite(exprs, alu_binary(s, less, in[0], in[1]), up, down);
    return alu_binary(s, EXPR_ADD, gap, in[2]);
}

/* mul24: the product of the lower 24 bits, from bit 'from' of it on. */
static expr_id product_24(struct unfold_step *s, const expr_id *in, uint32_t from)
{
    struct expr_pool *exprs = s->b->exprs;
    bool is_signed = type_is_signed(s->inst->type);
    expr_id a = expr_extend(exprs, expr_extract(exprs, in[0], 0, 24), 48, is_signed);
    expr_id b = expr_extend(exprs, expr_extract(exprs, in[1], 0, 24), 48, is_signed);
    return expr_extract(exprs, alu_binary(s, EXPR_MUL, a, b), from, 32);
}

static expr_id low_product_24(struct unfold_step *s, const expr_id *in)
{
    return product_24(s, in, 0);
}

static expr_id high_product_24(struct unfold_step *s, const expr_id *in)
{
    return product_24(s, in, 16);
}

static expr_id low_sum_24(struct unfold_step *s, const expr_id *in)
{
    return alu_binary(s, EXPR_ADD, product_24(s, in, 0), in[2]);
}

static expr_id high_sum_24(struct unfold_step *s, const expr_id *in)
{
    return alu_binary(s, EXPR_ADD, product_24(s, in, 16), in[2]);
}

static expr_id clamped_sum_24(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id product = expr_extend(exprs, product_24(s, in, 16), 64, true);
    expr_id sum = alu_binary(s, EXPR_ADD, product, expr_extend(exprs, in[2], 64, true));
    return alu_clamp(s, sum, true, TYPE_S32);
}

/* bmsk: b ones from bit a up; past the width .clamp leaves them out, and .wrap counts from 0 again. */
static expr_id mask_of_ones(struct unfold_step *s, const expr_id *in)
{
    bool wraps = s->inst->flags & FLAG_WRAP;
    expr_id place = wraps ? both(s, in[0], 31) : in[0];
    expr_id count = wraps ? both(s, in[1], 31) : in[1];
    expr_id one = alu_constant(s, in[0], 1);
    expr_id ones = alu_binary(s, EXPR_SUB, shifted(s, EXPR_SHL, one, count), one);
    return shifted(s, EXPR_SHL, ones, place);
}

/* szext: the lowest b bits of a, extended. */
static expr_id extended(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id width = expr_const(exprs, 32, 32), none = expr_const(exprs, 32, 0);
    expr_id count = s->inst->flags & FLAG_WRAP ? both(s, in[1], 31) : in[1];
    expr_id above = expr_ite(exprs, alu_binary(s, EXPR_ULT, count, width),
                             alu_binary(s, EXPR_SUB, width, count), none);
    enum expr_op right = type_is_signed(s->inst->type) ? EXPR_ASHR : EXPR_LSHR;
    return shifted(s, right, shifted(s, EXPR_SHL, in[0], above), above);
}

/* fns, one way: of the bits of a from 'base' on, upwards or downwards, the place of the one whose number is 'wanted'. */
static expr_id numbered_bit(struct unfold_step *s, const expr_id *in, expr_id wanted, bool up,
                            expr_id otherwise)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id seen = expr_const(exprs, 32, 0), result = otherwise;
    expr_id low = alu_binary(s, EXPR_ULT, in[1], expr_const(exprs, 32, 32));
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t at = up ? i : 31 - i;
        expr_id place = expr_const(exprs, 32, at);
        expr_id before =
            up ? alu_binary(s, EXPR_ULT, place, in[1]) : alu_binary(s, EXPR_ULT, in[1], place);
        expr_id counts = expr_and(exprs, expr_extract(exprs, in[0], at, 1),
                                  expr_and(exprs, low, expr_not(exprs, before)));
        seen = alu_binary(s, EXPR_ADD, seen, expr_extend(exprs, counts, 32, false));
        result =
            expr_ite(exprs, expr_and(exprs, counts, expr_eq(exprs, seen, wanted)), place, result);
    }
    return result;
}

/* fns: the c-th set bit of a from bit b on, downwards if c is negative; of no c bit b itself; else all ones. */
static expr_id nth_set(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id none = expr_const(exprs, 32, UINT32_MAX), zero = expr_const(exprs, 32, 0);
    expr_id bit = both(s, shifted(s, EXPR_LSHR, in[0], in[1]), 1);
    expr_id itself = expr_ite(exprs, expr_eq(exprs, bit, zero), none, in[1]);
    expr_id result = numbered_bit(s, in, in[2], true, none);
    result = numbered_bit(s, in, alu_binary(s, EXPR_SUB, zero, in[2]), false, result);
    return expr_ite(exprs, expr_eq(exprs, in[2], zero), itself, result);
}

/* copysign: the sign of a, the rest of b. */
static expr_id with_sign(struct unfold_step *s, const expr_id *in)
{
    uint64_t sign = UINT64_C(1) << (operand_bits(s->inst->type) - 1);
    return alu_binary(s, EXPR_OR, both(s, in[0], sign), both(s, in[1], sign - 1));
}

/* mbarrier.pending_count: of a state that an arrival returned. */
static expr_id pending(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    return expr_extend(exprs, expr_extract(exprs, in[0], 0, MBARRIER_COUNT_BITS), 32, false);
}

static const struct alu_operation operations[OP_COUNT] = {
    [OP_SAD] = {"ttt", distance},
    [OP_MUL24_LO] = {"tt", low_product_24},
    [OP_MUL24_HI] = {"tt", high_product_24},
    [OP_MAD24_LO] = {"ttt", low_sum_24},
    [OP_MAD24_HI] = {"ttt", high_sum_24},
    [OP_MAD24_HI_SAT] = {"ttt", clamped_sum_24},
    [OP_SHF] = {"ttw", funnel},
    [OP_LOP3] = {"tttw", three_inputs},
    [OP_PRMT] = {"ttw", permuted},
    [OP_BFE] = {"tww", extracted},
    [OP_BFI] = {"ttww", inserted},
    [OP_BFIND] = {"t", find_bit, .result = TYPE_U32},
    [OP_POPC] = {"t", population, .result = TYPE_U32},
    [OP_CLZ] = {"t", leading_zeros, .result = TYPE_U32},
    [OP_BREV] = {"t", reversed},
    [OP_BMSK] = {"tt", mask_of_ones},
    [OP_SZEXT] = {"tw", extended},
    [OP_FNS] = {"tww", nth_set},
    [OP_COPYSIGN] = {"tt", with_sign, .moves = true},
    [OP_MBARRIER_PENDING_COUNT] = {"t", pending, .result = TYPE_U32},
};

const struct alu_operation *alu_bit_operation(enum op op)
{
    return &operations[op];
}
