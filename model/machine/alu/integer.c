/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

/* Integer arithmetic: PTX 9.7.1. Sums and products are taken in the unsigned type of 64 bits, so
 * that they wrap without undefined behaviour in C. */

#define DEFINE(op, suffix, T, U, expression)                                                       \
    ALU_FUNCTION(op##_##suffix, const T x = (T)a[i]; d[i] = (U)(expression);)

#define BINARY(op, suffix, T, U, expression)                                                       \
    ALU_FUNCTION(op##_##suffix, const T x = (T)a[i]; const T y = (T)b[i]; d[i] = (U)(expression);)

#define TERNARY(op, suffix, T, U, expression)                                                      \
    ALU_FUNCTION(op##_##suffix, const T x = (T)a[i]; const T y = (T)b[i]; const T z = (T)c[i];     \
                 d[i] = (U)(expression);)

#define W64(v) ((uint64_t)(v))

#define ARITHMETIC(suffix, T, U, W, bits)                                                          \
    BINARY(add, suffix, T, U, W64(x) + W64(y))                                                     \
    BINARY(sub, suffix, T, U, W64(x) - W64(y))                                                     \
    BINARY(mul, suffix, T, U, W64(x) * W64(y))                                                     \
    BINARY(mul_hi, suffix, T, U, ((W)x * (W)y) >> bits)                                            \
    TERNARY(mad, suffix, T, U, W64(x) * W64(y) + W64(z))                                           \
    TERNARY(mad_hi, suffix, T, U, W64(((W)x * (W)y) >> bits) + W64(z))                             \
    BINARY(min, suffix, T, U, x < y ? x : y)                                                       \
    BINARY(max, suffix, T, U, x > y ? x : y)                                                       \
    TERNARY(sad, suffix, T, U, W64(z) + (x > y ? W64(x) - W64(y) : W64(y) - W64(x)))               \
    DEFINE(neg, suffix, T, U, 0 - W64(x))                                                          \
    DEFINE(absolute, suffix, T, U, x < (T)1 && x != 0 ? 0 - W64(x) : W64(x))

ALU_INTEGER_TYPES(ARITHMETIC)

/* Truncation toward zero; the remainder has the dividend's sign; -1 is apart because the quotient
 * of the least value does not fit. */
#define DIVISION(suffix, T, U, W, bits)                                                            \
    BINARY(div, suffix, T, U, y == 0 ? (T)-1 : (W)x / (W)y)                                        \
    BINARY(rem, suffix, T, U, y == 0 ? (T)-1 : (W)x % (W)y)

DIVISION(u16, uint16_t, uint16_t, uint32_t, 16)
DIVISION(u32, uint32_t, uint32_t, uint32_t, 32)
DIVISION(u64, uint64_t, uint64_t, uint64_t, 64)
DIVISION(s16, int16_t, uint16_t, int32_t, 16)
DIVISION(s32, int32_t, uint32_t, int64_t, 32)
BINARY(div, s64, int64_t, uint64_t, y == 0 ? -1 : y == -1 ? (int64_t)(0 - W64(x)) : x / y)
BINARY(rem, s64, int64_t, uint64_t, y == 0 ? -1 : y == -1 ? 0 : x % y)

#define WIDE(suffix, T, UW, W)                                                                     \
    ALU_FUNCTION(mul_wide_##suffix, d[i] = (UW)((W)(T)a[i] * (W)(T)b[i]);)                         \
    ALU_FUNCTION(mad_wide_##suffix, d[i] = (UW)(W64((W)(T)a[i] * (W)(T)b[i]) + c[i]);)

WIDE(u16, uint16_t, uint32_t, uint32_t)
WIDE(u32, uint32_t, uint64_t, uint64_t)
WIDE(s16, int16_t, uint32_t, int32_t)
WIDE(s32, int32_t, uint64_t, int64_t)

static int64_t clamp_s32(int64_t value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}
ALU_FUNCTION(add_sat, d[i] = (uint32_t)clamp_s32((int64_t)(int32_t)a[i] + (int32_t)b[i]);)
ALU_FUNCTION(sub_sat, d[i] = (uint32_t)clamp_s32((int64_t)(int32_t)a[i] - (int32_t)b[i]);)
static int64_t high_s32(uint64_t a, uint64_t b)
{
    return ((int64_t)(int32_t)a * (int32_t)b) >> 32;
}
ALU_FUNCTION(mad_hi_sat, d[i] = (uint32_t)clamp_s32(high_s32(a[i], b[i]) + (int32_t)c[i]);)

#define TABLE(op)                                                                                  \
    static alu_fn *const op##_table[ALU_INTEGERS] = {op##_u8, op##_u16, op##_u32, op##_u64,        \
                                                     op##_s8, op##_s16, op##_s32, op##_s64}
TABLE(add);
TABLE(sub);
TABLE(mul);
TABLE(mul_hi);
TABLE(mad);
TABLE(mad_hi);
TABLE(min);
TABLE(max);
TABLE(sad);
TABLE(neg);
TABLE(absolute);
static alu_fn *const div_table[ALU_INTEGERS] = {NULL, div_u16, div_u32, div_u64,
                                                NULL, div_s16, div_s32, div_s64};
static alu_fn *const rem_table[ALU_INTEGERS] = {NULL, rem_u16, rem_u32, rem_u64,
                                                NULL, rem_s16, rem_s32, rem_s64};
static alu_fn *const mul_wide_table[ALU_INTEGERS] = {NULL, mul_wide_u16, mul_wide_u32, NULL,
                                                     NULL, mul_wide_s16, mul_wide_s32, NULL};
static alu_fn *const mad_wide_table[ALU_INTEGERS] = {NULL, mad_wide_u16, mad_wide_u32, NULL,
                                                     NULL, mad_wide_s16, mad_wide_s32, NULL};

static alu_fn *find_product(const struct inst *inst, enum alu_integer type)
{
    bool mad = inst->op == OP_MAD;
    if (inst->flags & FLAG_WIDE) {
        enum type narrow = inst->source_type != TYPE_NONE ? inst->source_type : inst->type;
        return (mad ? mad_wide_table : mul_wide_table)[alu_integer(narrow)];
    }
    if (inst->flags & FLAG_HI)
        return (mad ? mad_hi_table : mul_hi_table)[type];
    return (mad ? mad_table : mul_table)[type];
}

alu_fn *alu_find_integer(const struct inst *inst)
{
    enum alu_integer type = alu_integer(inst->type);
    if (type == ALU_INTEGERS)
        return NULL;
    bool saturate = inst->flags & FLAG_SAT;
    if (saturate)
        return type != ALU_S32      ? NULL
               : inst->op == OP_ADD ? add_sat
               : inst->op == OP_SUB ? sub_sat
               : inst->op == OP_MAD ? mad_hi_sat
                                    : NULL;
    switch (inst->op) {
    case OP_ADD:
        return add_table[type];
    case OP_SUB:
        return sub_table[type];
    case OP_MUL:
    case OP_MAD:
        return find_product(inst, type);
    case OP_DIV:
        return div_table[type];
    case OP_REM:
        return rem_table[type];
    case OP_NEG:
        return neg_table[type];
    case OP_ABS:
        return absolute_table[type];
    case OP_MIN:
        return min_table[type];
    case OP_MAX:
        return max_table[type];
    case OP_SAD:
        return sad_table[type];
    default:
        return NULL;
    }
}
