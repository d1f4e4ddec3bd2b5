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

/* mul24 and mad24: products of the lower 24 bits, of which .hi is bits 16 to 47. */
static uint64_t product_24(uint64_t a, uint64_t b, bool is_signed)
{
    return is_signed ? (uint64_t)((int64_t)(a << 40) >> 40) * (uint64_t)((int64_t)(b << 40) >> 40)
                     : (a & 0xffffff) * (b & 0xffffff);
}
#define PRODUCTS_24(sign)                                                                          \
    ALU_FUNCTION(mul24_lo_##sign, d[i] = (uint32_t)product_24(a[i], b[i], sign);)                  \
    ALU_FUNCTION(mul24_hi_##sign, d[i] = (uint32_t)(product_24(a[i], b[i], sign) >> 16);)          \
    ALU_FUNCTION(mad24_lo_##sign, d[i] = (uint32_t)(product_24(a[i], b[i], sign) + c[i]);)         \
    ALU_FUNCTION(mad24_hi_##sign, d[i] = (uint32_t)((product_24(a[i], b[i], sign) >> 16) + c[i]);)
PRODUCTS_24(0)
PRODUCTS_24(1)
ALU_FUNCTION(mad24_hi_sat,
             d[i] = (uint32_t)clamp_s32((int64_t)(int32_t)(product_24(a[i], b[i], true) >> 16) +
                                        (int32_t)c[i]);)

/* With a carry or borrow c in; the same functions for the one out. */
#define CARRY(width, T, wide)                                                                      \
    ALU_FUNCTION(addc_##width, d[i] = (T)(a[i] + b[i] + c[i]);)                                    \
    ALU_FUNCTION(subc_##width, d[i] = (T)(a[i] - b[i] - c[i]);)                                    \
    ALU_FUNCTION(carry_##width, d[i] = ((wide)(T)a[i] + (T)b[i] + c[i]) >> width & 1;)             \
    ALU_FUNCTION(borrow_##width, d[i] = ((wide)(T)a[i] - (T)b[i] - c[i]) >> width & 1;)
CARRY(32, uint32_t, uint64_t)
CARRY(64, uint64_t, alu_u128)

/* Bytes of a with bytes of b, or halves of a with the bytes of one half of b. */
static uint32_t dot(uint64_t a, uint64_t b, uint32_t bits, bool sign_a, bool sign_b, uint32_t from)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < 32 / bits; k++) {
        uint64_t x = a >> (k * bits), y = b >> (8 * (from + k));
        int32_t left =
            bits == 16 ? (sign_a ? (int16_t)x : (uint16_t)x) : (sign_a ? (int8_t)x : (uint8_t)x);
        sum += (uint32_t)left * (uint32_t)(sign_b ? (int8_t)y : (uint8_t)y);
    }
    return sum;
}
#define DOTS(sa, sb)                                                                               \
    ALU_FUNCTION(dp4a_##sa##sb, d[i] = (uint32_t)(dot(a[i], b[i], 8, sa, sb, 0) + c[i]);)          \
    ALU_FUNCTION(dp2a_lo_##sa##sb, d[i] = (uint32_t)(dot(a[i], b[i], 16, sa, sb, 0) + c[i]);)      \
    ALU_FUNCTION(dp2a_hi_##sa##sb, d[i] = (uint32_t)(dot(a[i], b[i], 16, sa, sb, 2) + c[i]);)
DOTS(0, 0)
DOTS(0, 1)
DOTS(1, 0)
DOTS(1, 1)

/* [signed a][signed b] */
#define DOT_ROW(op)                                                                                \
    {                                                                                              \
        {op##_00, op##_01},                                                                        \
        {                                                                                          \
            op##_10, op##_11                                                                       \
        }                                                                                          \
    }
static alu_fn *const dots[OP_COUNT][2][2] = {
    [OP_DP4A] = DOT_ROW(dp4a), [OP_DP2A_LO] = DOT_ROW(dp2a_lo), [OP_DP2A_HI] = DOT_ROW(dp2a_hi)};
/* [signed] */
static alu_fn *const products_24[OP_COUNT][2] = {[OP_MUL24_LO] = {mul24_lo_0, mul24_lo_1},
                                                 [OP_MUL24_HI] = {mul24_hi_0, mul24_hi_1},
                                                 [OP_MAD24_LO] = {mad24_lo_0, mad24_lo_1},
                                                 [OP_MAD24_HI] = {mad24_hi_0, mad24_hi_1},
                                                 [OP_MAD24_HI_SAT] = {NULL, mad24_hi_sat}};
/* [64 bits]; '.cc' is the carry or borrow alone */
static alu_fn *const carries[OP_COUNT][2] = {[OP_ADDC] = {addc_32, addc_64},
                                             [OP_SUBC] = {subc_32, subc_64},
                                             [OP_ADDC_CC] = {carry_32, carry_64},
                                             [OP_SUBC_CC] = {borrow_32, borrow_64}};

static alu_fn *const tables[OP_COUNT][ALU_INTEGERS] = {
    [OP_ADD] = ALU_ROW(add),         [OP_SUB] = ALU_ROW(sub), [OP_DIV] = ALU_ROW_FROM_16(div),
    [OP_REM] = ALU_ROW_FROM_16(rem), [OP_NEG] = ALU_ROW(neg), [OP_ABS] = ALU_ROW(absolute),
    [OP_MIN] = ALU_ROW(min),         [OP_MAX] = ALU_ROW(max), [OP_SAD] = ALU_ROW(sad),
};
/* [.mad][low half, .hi] */
static alu_fn *const products[2][2][ALU_INTEGERS] = {{ALU_ROW(mul), ALU_ROW(mul_hi)},
                                                     {ALU_ROW(mad), ALU_ROW(mad_hi)}};
/* [.mad][signed][32 bits] */
static alu_fn *const wide_products[2][2][2] = {
    {{mul_wide_u16, mul_wide_u32}, {mul_wide_s16, mul_wide_s32}},
    {{mad_wide_u16, mad_wide_u32}, {mad_wide_s16, mad_wide_s32}}};

static alu_fn *find_product(const struct inst *inst, enum alu_integer type)
{
    bool mad = inst->op == OP_MAD;
    if (!(inst->flags & FLAG_WIDE))
        return products[mad][inst->flags & FLAG_HI ? 1 : 0][type];
    enum type narrow = inst->source_type != TYPE_NONE ? inst->source_type : inst->type;
    uint32_t bytes = type_bytes(narrow);
    return bytes == 2 || bytes == 4 ? wide_products[mad][type_is_signed(narrow)][bytes == 4] : NULL;
}

alu_fn *alu_find_integer(const struct inst *inst)
{
    enum alu_integer type = alu_integer(inst->type);
    if (type == ALU_INTEGERS)
        return NULL;
    bool saturate = inst->flags & FLAG_SAT;
    if (dots[inst->op][0][0])
        return dots[inst->op][type_is_signed(inst->type)][type_is_signed(inst->source_type)];
    if (products_24[inst->op][1])
        return products_24[inst->op][type_is_signed(inst->type)];
    if (carries[inst->op][0])
        return carries[inst->op][type_bytes(inst->type) == 8];
    if (saturate)
        return type != ALU_S32      ? NULL
               : inst->op == OP_ADD ? add_sat
               : inst->op == OP_SUB ? sub_sat
               : inst->op == OP_MAD ? mad_hi_sat
                                    : NULL;
    if (inst->op == OP_MUL || inst->op == OP_MAD)
        return find_product(inst, type);
    return tables[inst->op][type];
}
