/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "model/unfold/step/alu.h"
#include "model/unfold/step/float_value.h"
#include "model/unfold/step/operand.h"

/* Floats: their bits are moved and compared whatever they are. What is computed of them is rounded to nearest, as IEEE 754
 * says: of constants by the machine, sums and products of what is read as in float_value.c. */

/* Rounded to nearest, which is also what an instruction without a word does. */
static bool is_plain(uint32_t flags)
{
    return !(flags & ~(uint32_t)(FLAG_RN | FLAG_DIALECT));
}

/* ---- bits ----------------------------------------------------------------------------------- */

static uint64_t sign_of(enum type type)
{
    return UINT64_C(1) << (type == TYPE_F32 ? 31 : 63);
}

static uint64_t infinity_of(enum type type)
{
    return type == TYPE_F32 ? UINT64_C(0x7f800000) : UINT64_C(0x7ff0000000000000);
}

static expr_id masked(struct unfold_step *s, expr_id a, uint64_t mask)
{
    return alu_binary(s, EXPR_AND, a, alu_constant(s, a, mask));
}

/* With .ftz what has no exponent is a zero. */
static expr_id flushed(struct unfold_step *s, enum type type, expr_id a)
{
    struct expr_pool *exprs = s->b->exprs;
    if (!(s->inst->flags & FLAG_FTZ) || type != TYPE_F32)
        return a;
    expr_id none = expr_eq(exprs, masked(s, a, infinity_of(type)), alu_constant(s, a, 0));
    return expr_ite(exprs, none, masked(s, a, sign_of(type)), a);
}

static expr_id magnitude(struct unfold_step *s, enum type type, expr_id a)
{
    return masked(s, a, sign_of(type) - 1);
}

static expr_id is_nan(struct unfold_step *s, enum type type, expr_id a)
{
    return alu_binary(s, EXPR_ULT, alu_constant(s, a, infinity_of(type)), magnitude(s, type, a));
}

/* An integer that grows as the number does; both zeros have 0. */
static expr_id rank(struct unfold_step *s, enum type type, expr_id a)
{
    expr_id zero = alu_constant(s, a, 0), size = magnitude(s, type, a);
    expr_id negative = alu_binary(s, EXPR_SLT, a, zero);
    return expr_ite(s->b->exprs, negative, alu_binary(s, EXPR_SUB, zero, size), size);
}

/* ---- comparison ----------------------------------------------------------------------------- */

expr_id alu_compare_floats(struct unfold_step *s, enum type type, expr_id a, expr_id b)
{
    struct expr_pool *exprs = s->b->exprs;
    const struct cmp_row *row = cmp_row(s->inst->cmp);
    a = flushed(s, type, a);
    b = flushed(s, type, b);
    expr_id nan = expr_or(exprs, is_nan(s, type, a), is_nan(s, type, b));
    expr_id x = rank(s, type, a), y = rank(s, type, b), holds = expr_false(exprs);
    for (const char *mark = row->holds; *mark; mark++)
        holds = expr_or(exprs, holds,
                        *mark == '='   ? expr_eq(exprs, x, y)
                        : *mark == '<' ? alu_binary(s, EXPR_SLT, x, y)
                                       : alu_binary(s, EXPR_SLT, y, x));
    bool of_nan = row->reads == 'f' && s->inst->cmp != CMP_NUM;
    return expr_ite(exprs, nan, expr_const(exprs, 1, of_nan), holds);
}

/* ---- constants ------------------------------------------------------------------------------ */

static double number(enum type type, uint64_t bits)
{
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return type == TYPE_F32 ? (double)single : wide;
}

static uint64_t bits_of(enum type type, double value)
{
    float single = (float)value;
    uint64_t bits = 0;
    if (type == TYPE_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

/* Of two floats a double holds the product, and rounds sum, difference, quotient as the float would be. */
static bool computed(const struct inst *inst, const double *in, double *result)
{
    switch (inst->op) {
    case OP_ADD:
        *result = in[0] + in[1];
        return true;
    case OP_SUB:
        *result = in[0] - in[1];
        return true;
    case OP_MUL:
        *result = in[0] * in[1];
        return true;
    case OP_DIV:
        *result = in[0] / in[1];
        return true;
    default:
        return false;
    }
}

static bool known_sources(struct unfold_step *s, uint64_t *bits)
{
    for (uint32_t i = 1; i < s->inst->operand_count && i <= 2; i++)
        if (!expr_is_const(s->b->exprs, operand_value(s, &s->inst->operands[i], s->inst->type).expr,
                           &bits[i - 1]))
            return false;
    return true;
}

static bool step_constant(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    uint64_t bits[2] = {0};
    double in[2], result;
    bool plain = (inst->type == TYPE_F32 || inst->type == TYPE_F64) && is_plain(inst->flags);
    if (!plain || !known_sources(s, bits))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        in[i] = number(inst->type, bits[i]);
    if (!computed(inst, in, &result) || result != result)
        return false;
    unsigned width = operand_bits(inst->type);
    struct unfold_value value = {expr_const(s->b->exprs, width, bits_of(inst->type, result)), NULL};
    operand_write(s, &inst->operands[0], inst->type, value);
    return true;
}

static bool is_integer(enum type type)
{
    return type_kind(type) == 'u' || type_kind(type) == 's';
}

static bool is_float(enum type type)
{
    return type == TYPE_F32 || type == TYPE_F64;
}

static double to_whole(uint32_t flags, double value)
{
    return flags & FLAG_RNI   ? nearbyint(value)
           : flags & FLAG_RZI ? trunc(value)
           : flags & FLAG_RMI ? floor(value)
           : flags & FLAG_RPI ? ceil(value)
                              : value;
}

/* The integer of the type that is nearest to a whole number. */
static uint64_t clamped(enum type type, double value)
{
    bool is_signed = type_is_signed(type);
    unsigned bits = operand_bits(type);
    double above = ldexp(1, (int)(is_signed ? bits - 1 : bits));
    uint64_t most = is_signed ? (UINT64_C(1) << (bits - 1)) - 1 : UINT64_MAX >> (64 - bits);
    if (value >= above)
        return most;
    if (value < (is_signed ? -above : 0))
        return is_signed ? most + 1 : 0;
    return (is_signed ? (uint64_t)(int64_t)value : (uint64_t)value) & UINT64_MAX >> (64 - bits);
}

/* An integer as a float, rounded once. */
static uint64_t bits_of_integer(enum type to, enum type from, uint64_t bits)
{
    unsigned above = 64 - operand_bits(from);
    int64_t value = (int64_t)(bits << above) >> above;
    bool is_signed = type_is_signed(from);
    if (to == TYPE_F64)
        return bits_of(to, is_signed ? (double)value : (double)bits);
    return bits_of(to, (double)(is_signed ? (float)value : (float)bits));
}

/* cvt of a constant between integers and floats, rounded to nearest or to a whole number. */
static bool step_conversion(struct unfold_step *s)
{
    const uint32_t whole = FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI;
    const struct inst *inst = s->inst;
    enum type to = inst->type, from = inst->source_type;
    uint64_t bits;
    if (inst->op != OP_CVT || !(is_integer(to) || is_float(to)) ||
        !(is_integer(from) || is_float(from)) || !is_plain(inst->flags & ~whole) ||
        !expr_is_const(s->b->exprs, operand_value(s, &inst->operands[1], from).expr, &bits))
        return false;
    double value = is_float(from) ? to_whole(inst->flags, number(from, bits)) : 0;
    if (value != value)
        return false;
    bits = is_integer(from) ? bits_of_integer(to, from, bits)
           : is_integer(to) ? clamped(to, value)
                            : bits_of(to, value);
    struct unfold_value result = {expr_const(s->b->exprs, operand_bits(to), bits), NULL};
    operand_write(s, &inst->operands[0], to, result);
    return true;
}

/* ---- signs ---------------------------------------------------------------------------------- */

static bool step_sign(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    bool known = inst->type == TYPE_F32 || inst->type == TYPE_F64;
    if (!known || (inst->op != OP_NEG && inst->op != OP_ABS) ||
        inst->flags & ~(uint32_t)FLAG_DIALECT)
        return false;
    struct unfold_value v = operand_value(s, &inst->operands[1], inst->type);
    uint64_t sign = sign_of(inst->type);
    v.expr = inst->op == OP_ABS ? magnitude(s, inst->type, v.expr)
                                : alu_binary(s, EXPR_XOR, v.expr, alu_constant(s, v.expr, sign));
    operand_write(s, &inst->operands[0], inst->type, v);
    return true;
}

/* ---- what is read --------------------------------------------------------------------------- */

static bool step_arithmetic(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    bool sum = inst->op == OP_ADD || inst->op == OP_SUB;
    bool known = inst->type == TYPE_F32 || (inst->type == TYPE_F64 && sum);
    if (!known || !(sum || inst->op == OP_MUL) || !is_plain(inst->flags))
        return false;
    struct unfold_value a = operand_value(s, &inst->operands[1], inst->type);
    struct unfold_value b = operand_value(s, &inst->operands[2], inst->type);
    struct unfold_value to = {.deps = deps_union(&s->b->deps, a.deps, b.deps)};
    unsigned bits = operand_bits(inst->type);
    to.expr = sum ? float_sum(s->b->exprs, bits, a.expr, b.expr, inst->op == OP_SUB)
                  : float_product(s->b->exprs, a.expr, b.expr);
    operand_write(s, &inst->operands[0], inst->type, to);
    return true;
}

static bool step_fused(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct unfold_value in[3], to = {0};
    if (inst->op != OP_FMA || inst->type != TYPE_F32 || !is_plain(inst->flags))
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = operand_value(s, &inst->operands[1 + i], inst->type);
        to.deps = deps_union(&s->b->deps, to.deps, in[i].deps);
    }
    to.expr = float_fused(s->b->exprs, in[0].expr, in[1].expr, in[2].expr);
    operand_write(s, &inst->operands[0], inst->type, to);
    return true;
}

void alu_float(struct unfold_step *s)
{
    if (!step_sign(s) && !step_conversion(s) && !step_constant(s) && !step_arithmetic(s) &&
        !step_fused(s))
        step_unsupported(s, "'%s' of a float that is no constant has no meaning in the axioms",
                         op_mnemonic(s->inst->op));
}
