/* SPDX-License-Identifier: MIT */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "model/unfold/step/alu.h"
#include "model/unfold/step/float_value.h"
#include "model/unfold/step/operand.h"

/* Floats: their bits are moved and compared whatever they are. What is computed of them is what IEEE 754 says: of
 * constants by the machine, sums and products of what is read, rounded to nearest, as in float_value.c. */

/* Rounded to nearest, which is also what an instruction without a word does. */
static bool is_nearest(const struct inst *inst)
{
    bool single = inst->type == TYPE_F32;
    uint32_t known = FLAG_RN | FLAG_DIALECT | (single ? FLAG_FTZ | FLAG_SAT : 0);
    return !(inst->flags & ~(known | (inst->type == TYPE_F16 ? FLAG_FTZ : 0)));
}

/* ---- bits ----------------------------------------------------------------------------------- */

static uint64_t sign_of(enum type type)
{
    switch (type) {
    case TYPE_F16X2:
    case TYPE_BF16X2:
        return UINT64_C(0x80008000);
    default:
        return UINT64_C(1) << (8 * type_bytes(type) - 1);
    }
}

static uint64_t infinity_of(enum type type)
{
    return type == TYPE_F16    ? UINT64_C(0x7c00)
           : type == TYPE_BF16 ? UINT64_C(0x7f80)
           : type == TYPE_F32  ? UINT64_C(0x7f800000)
                               : UINT64_C(0x7ff0000000000000);
}

static expr_id masked(struct unfold_step *s, expr_id a, uint64_t mask)
{
    return alu_binary(s, EXPR_AND, a, alu_constant(s, a, mask));
}

/* With .ftz what has no exponent is a zero. */
static expr_id flushed(struct unfold_step *s, enum type type, expr_id a)
{
    struct expr_pool *exprs = s->b->exprs;
    if (!(s->inst->flags & FLAG_FTZ))
        return a;
    expr_id none = expr_eq(exprs, masked(s, a, infinity_of(type)), alu_constant(s, a, 0));
    return expr_ite(exprs, none, masked(s, a, sign_of(type)), a);
}

static expr_id magnitude(struct unfold_step *s, enum type type, expr_id a)
{
    return masked(s, a, ~sign_of(type));
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

expr_id alu_test_float(struct unfold_step *s, const expr_id *in)
{
    struct expr_pool *exprs = s->b->exprs;
    enum type type = s->inst->type;
    expr_id size = magnitude(s, type, in[0]), zero = alu_constant(s, size, 0);
    expr_id infinity = alu_constant(s, size, infinity_of(type));
    expr_id finite = alu_binary(s, EXPR_ULT, size, infinity), nan = is_nan(s, type, in[0]);
    expr_id small = expr_eq(exprs, masked(s, size, infinity_of(type)), zero);
    expr_id subnormal = expr_and(exprs, small, expr_not(exprs, expr_eq(exprs, size, zero)));
    switch (s->inst->op) {
    case OP_TESTP_FINITE:
        return finite;
    case OP_TESTP_INFINITE:
        return expr_eq(exprs, size, infinity);
    case OP_TESTP_NUMBER:
        return expr_not(exprs, nan);
    case OP_TESTP_NAN:
        return nan;
    case OP_TESTP_NORMAL:
        return expr_and(exprs, finite, expr_not(exprs, subnormal));
    default:
        return subnormal;
    }
}

/* ---- results -------------------------------------------------------------------------------- */

/* With .sat within 0 and 1, and 0 where it is no number. */
static expr_id within_one(struct unfold_step *s, expr_id a)
{
    struct expr_pool *exprs = s->b->exprs;
    expr_id zero = alu_constant(s, a, 0), one = alu_constant(s, a, 0x3f800000);
    expr_id above = alu_binary(s, EXPR_SLT, one, a), below = alu_binary(s, EXPR_SLT, a, zero);
    expr_id none = expr_or(exprs, below, is_nan(s, TYPE_F32, a));
    return expr_ite(exprs, none, zero, expr_ite(exprs, above, one, a));
}

static void write_result(struct unfold_step *s, struct unfold_value value)
{
    value.expr = flushed(s, s->inst->type, value.expr);
    if (s->inst->flags & FLAG_SAT)
        value.expr = within_one(s, value.expr);
    operand_write(s, &s->inst->operands[0], s->inst->type, value);
}

static expr_id source(struct unfold_step *s, uint32_t i, struct unfold_value *to)
{
    struct unfold_value from = operand_value(s, &s->inst->operands[i], s->inst->type);
    to->deps = deps_union(&s->b->deps, to->deps, from.deps);
    return flushed(s, s->inst->type, from.expr);
}

/* ---- constants ------------------------------------------------------------------------------ */

enum { SOURCES = 3 };

/* Of 16 bits: digits behind the point, and the exponent of 1. */
struct half_format {
    int digits, bias;
};

static struct half_format half_of(enum type type)
{
    return type == TYPE_F16 ? (struct half_format){10, 15} : (struct half_format){7, 127};
}

static double number_of_half(enum type type, uint64_t bits)
{
    struct half_format half = half_of(type);
    double sign = bits & 0x8000 ? -1 : 1, fraction = (double)(bits & ((1u << half.digits) - 1));
    int field = (int)((bits & 0x7fff) >> half.digits);
    if (field == 2 * half.bias + 1)
        return fraction != 0 ? NAN : sign * INFINITY;
    double size = field ? fraction + (1 << half.digits) : fraction;
    return sign * ldexp(size, (field ? field : 1) - half.bias - half.digits);
}

/* Rounded as the machine does now. */
static uint64_t bits_of_half(enum type type, double value)
{
    struct half_format half = half_of(type);
    int exponent;
    uint64_t sign = signbit(value) ? 0x8000 : 0, most = (2u * half.bias + 1) << half.digits;
    if (isnan(value))
        return 0x7fff;
    frexp(value, &exponent);
    int unit = (exponent - 1 < 1 - half.bias ? 1 - half.bias : exponent - 1) - half.digits;
    volatile double scaled = value == 0 || isinf(value) ? value : ldexp(value, -unit);
    double whole = fabs(nearbyint(scaled));
    double bits = whole + ldexp(unit + half.bias + half.digits - 1, half.digits);
    return sign | (isinf(value) || bits >= (double)most ? most : value == 0 ? 0 : (uint64_t)bits);
}

static bool is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_BF16;
}

static double number(enum type type, uint64_t bits)
{
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return is_half(type) ? number_of_half(type, bits) : type == TYPE_F32 ? (double)single : wide;
}

/* PTX 9.7.3: what is no number is 0x7fffffff as .f32. */
static uint64_t bits_of(enum type type, double value)
{
    float single = (float)value;
    uint64_t bits = 0;
    if (is_half(type))
        return bits_of_half(type, value);
    if (type == TYPE_F32 && isnan(value))
        return 0x7fffffff;
    if (type == TYPE_F32)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

/* Volatile, so that the compiler does not round before the machine is told how. */
#define COMPUTED(name, T, root, fused)                                                             \
    static bool name(enum op op, const double *in, double *to)                                     \
    {                                                                                              \
        volatile T x = (T)in[0], y = (T)in[1], z = (T)in[2], result;                               \
        switch (op) {                                                                              \
        case OP_ADD:                                                                               \
            result = x + y;                                                                        \
            break;                                                                                 \
        case OP_SUB:                                                                               \
            result = x - y;                                                                        \
            break;                                                                                 \
        case OP_MUL:                                                                               \
            result = x * y;                                                                        \
            break;                                                                                 \
        case OP_DIV:                                                                               \
            result = x / y;                                                                        \
            break;                                                                                 \
        case OP_RCP:                                                                               \
            result = 1 / x;                                                                        \
            break;                                                                                 \
        case OP_SQRT:                                                                              \
            result = root(x);                                                                      \
            break;                                                                                 \
        case OP_MAD:                                                                               \
        case OP_FMA:                                                                               \
            result = fused(x, y, z);                                                               \
            break;                                                                                 \
        default:                                                                                   \
            return false;                                                                          \
        }                                                                                          \
        *to = (double)result;                                                                      \
        return true;                                                                               \
    }
COMPUTED(computed_as_single, float, sqrtf, fmaf)
COMPUTED(computed_as_double, double, sqrt, fma)

static bool computed(const struct inst *inst, const double *in, double *result)
{
    int before = fegetround();
    fesetround(inst->flags & FLAG_RZ   ? FE_TOWARDZERO
               : inst->flags & FLAG_RM ? FE_DOWNWARD
               : inst->flags & FLAG_RP ? FE_UPWARD
                                       : FE_TONEAREST);
    bool known = inst->type == TYPE_F32 ? computed_as_single(inst->op, in, result)
                                        : computed_as_double(inst->op, in, result);
    fesetround(before);
    return known;
}

static bool known_sources(struct unfold_step *s, double *in, struct unfold_value *to)
{
    uint64_t bits;
    for (uint32_t i = 1; i < s->inst->operand_count && i <= SOURCES; i++) {
        if (!expr_is_const(s->b->exprs, source(s, i, to), &bits))
            return false;
        in[i - 1] = number(s->inst->type, bits);
    }
    return true;
}

static bool step_constant(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct unfold_value to = {0};
    double in[SOURCES] = {0}, result;
    if ((inst->type != TYPE_F32 && inst->type != TYPE_F64) || inst->flags & FLAG_APPROX ||
        !known_sources(s, in, &to) || !computed(inst, in, &result))
        return false;
    to.expr = expr_const(s->b->exprs, operand_bits(inst->type), bits_of(inst->type, result));
    write_result(s, to);
    return true;
}

static bool is_integer(enum type type)
{
    return type_kind(type) == 'u' || type_kind(type) == 's';
}

static bool is_float(enum type type)
{
    return type == TYPE_F32 || type == TYPE_F64 || is_half(type);
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
    if (to != TYPE_F32)
        return bits_of(to, is_signed ? (double)value : (double)bits);
    return bits_of(to, (double)(is_signed ? (float)value : (float)bits));
}

/* Integers of at most 32 bits are doubles, of which halves are rounded once. */
static bool is_convertible(enum type to, enum type from)
{
    bool good = (is_integer(to) || is_float(to)) && (is_integer(from) || is_float(from));
    return good && !(is_half(to) && is_integer(from) && operand_bits(from) > 32);
}

static bool known_source(struct unfold_step *s, uint32_t i, double *number_of, uint64_t *bits)
{
    enum type from = s->inst->source_type;
    if (!expr_is_const(s->b->exprs, operand_value(s, &s->inst->operands[i], from).expr, bits))
        return false;
    *number_of = is_float(from) ? to_whole(s->inst->flags, number(from, *bits)) : 0;
    return true;
}

static void write_bits(struct unfold_step *s, uint64_t bits)
{
    enum type to = s->inst->type;
    struct unfold_value result = {expr_const(s->b->exprs, operand_bits(to), bits), NULL};
    operand_write(s, &s->inst->operands[0], to, result);
}

/* cvt of a constant between integers and floats, rounded to nearest or to a whole number. */
static bool step_conversion(struct unfold_step *s)
{
    const uint32_t whole = FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI;
    const struct inst *inst = s->inst;
    enum type to = inst->type, from = inst->source_type;
    uint64_t bits;
    double value;
    if (inst->op != OP_CVT || !is_convertible(to, from) || inst->relu || inst->satfinite ||
        inst->flags & ~(whole | FLAG_RN | FLAG_DIALECT) || !known_source(s, 1, &value, &bits) ||
        value != value)
        return false;
    write_bits(s, is_integer(from) ? bits_of_integer(to, from, bits)
                  : is_integer(to) ? clamped(to, value)
                                   : bits_of(to, value));
    return true;
}

/* Two floats as a pair of halves, the first in the upper one. */
static bool step_packing(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    enum type half = inst->type == TYPE_F16X2 ? TYPE_F16 : TYPE_BF16;
    uint64_t bits;
    double upper, lower;
    if (inst->op != OP_CVT || (inst->type != TYPE_F16X2 && inst->type != TYPE_BF16X2) ||
        inst->source_type != TYPE_F32 || inst->operand_count != 3 || inst->relu ||
        inst->satfinite || inst->flags & ~(uint32_t)(FLAG_RN | FLAG_DIALECT) ||
        !known_source(s, 1, &upper, &bits) || !known_source(s, 2, &lower, &bits))
        return false;
    write_bits(s, bits_of_half(half, upper) << 16 | bits_of_half(half, lower));
    return true;
}

/* ---- signs ---------------------------------------------------------------------------------- */

static bool is_pair(enum type type)
{
    return type == TYPE_F16X2 || type == TYPE_BF16X2 || type == TYPE_F32X2;
}

static bool step_sign(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct unfold_value v = {0};
    if ((inst->op != OP_NEG && inst->op != OP_ABS) ||
        (inst->flags & FLAG_FTZ && is_pair(inst->type)))
        return false;
    v.expr = source(s, 1, &v);
    uint64_t sign = sign_of(inst->type);
    v.expr = inst->op == OP_ABS ? magnitude(s, inst->type, v.expr)
                                : alu_binary(s, EXPR_XOR, v.expr, alu_constant(s, v.expr, sign));
    operand_write(s, &inst->operands[0], inst->type, v);
    return true;
}

/* ---- the least and the greatest --------------------------------------------------------------- */

/* As rank, but that -0 is less than +0. */
static expr_id strict_rank(struct unfold_step *s, enum type type, expr_id a)
{
    expr_id negative = alu_binary(s, EXPR_SLT, a, alu_constant(s, a, 0));
    expr_id size = magnitude(s, type, a);
    return expr_ite(s->b->exprs, negative, expr_not(s->b->exprs, size), size);
}

/* One that is no number gives the other. */
static bool step_extreme(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    enum type type = inst->type;
    struct unfold_value to = {0};
    struct expr_pool *exprs = s->b->exprs;
    if ((inst->op != OP_MIN && inst->op != OP_MAX) || (type != TYPE_F32 && type != TYPE_F64))
        return false;
    expr_id a = source(s, 1, &to), b = source(s, 2, &to);
    expr_id x = strict_rank(s, type, a), y = strict_rank(s, type, b);
    bool least = inst->op == OP_MIN;
    expr_id second = alu_binary(s, EXPR_SLT, least ? y : x, least ? x : y);
    expr_id none = type == TYPE_F32 ? alu_constant(s, a, 0x7fffffff) : b;
    to.expr = expr_ite(exprs, is_nan(s, type, b), a, expr_ite(exprs, second, b, a));
    to.expr =
        expr_ite(exprs, is_nan(s, type, a), expr_ite(exprs, is_nan(s, type, b), none, b), to.expr);
    write_result(s, to);
    return true;
}

/* ---- what is read --------------------------------------------------------------------------- */

static bool step_arithmetic(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    bool sum = inst->op == OP_ADD || inst->op == OP_SUB;
    bool multiplies = inst->op == OP_MUL && inst->type == TYPE_F32;
    if ((!sum && !multiplies) || inst->type == TYPE_F32X2 || !is_nearest(inst))
        return false;
    struct unfold_value to = {0};
    expr_id a = source(s, 1, &to), b = source(s, 2, &to);
    to.expr = sum ? float_sum(s->b->exprs, inst->type, a, b, inst->op == OP_SUB)
                  : float_product(s->b->exprs, a, b);
    write_result(s, to);
    return true;
}

static bool step_fused(struct unfold_step *s)
{
    const struct inst *inst = s->inst;
    struct unfold_value to = {0};
    expr_id in[SOURCES];
    if ((inst->op != OP_FMA && inst->op != OP_MAD) || inst->type != TYPE_F32 || !is_nearest(inst))
        return false;
    for (uint32_t i = 0; i < SOURCES; i++)
        in[i] = source(s, 1 + i, &to);
    to.expr = float_fused(s->b->exprs, in[0], in[1], in[2]);
    write_result(s, to);
    return true;
}

void alu_float(struct unfold_step *s)
{
    if (!step_sign(s) && !step_conversion(s) && !step_packing(s) && !step_extreme(s) &&
        !step_constant(s) && !step_arithmetic(s) && !step_fused(s))
        step_unsupported(s, "'%s' of a float that is no constant has no meaning in the axioms",
                         op_mnemonic(s->inst->op));
}
