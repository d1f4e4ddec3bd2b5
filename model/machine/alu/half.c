/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/machine/alu/private.h"

/* Half precision: PTX 9.7.4. A number is computed as a double, which holds every product of two, and whose
 * last bit tells of what a sum lost, so that it is rounded once, to nearest even. */

/* Of 16 bits: a sign, an exponent, and digits of which the first is not stored. */
struct half {
    int digits, bias;
};
static const struct half f16 = {11, 15}, bf16 = {8, 127};

static double widen(struct half format, uint64_t bits)
{
    int exponent = (int)(bits & 0x7fff) >> (format.digits - 1);
    int fraction = (int)bits & ((1 << (format.digits - 1)) - 1), hidden = 1 << (format.digits - 1);
    int least = 2 - format.bias - format.digits;
    double value = exponent == 2 * format.bias + 1 ? (fraction ? NAN : INFINITY)
                   : exponent                      ? ldexp(hidden + fraction, exponent - 1 + least)
                                                   : ldexp(fraction, least);
    return bits & 0x8000 ? -value : value;
}

enum rounding { TO_EVEN, TO_ZERO, DOWN, UP, ROUNDINGS };

static enum rounding rounding_of(uint32_t flags)
{
    return flags & FLAG_RZ ? TO_ZERO : flags & FLAG_RM ? DOWN : flags & FLAG_RP ? UP : TO_EVEN;
}

static uint64_t narrow_as(struct half format, double value, enum rounding rounding)
{
    bool away = rounding == (signbit(value) ? DOWN : UP), truncate = rounding && !away;
    int stored = format.digits - 1, least = 1 - format.bias - stored, exponent;
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    uint64_t infinite = (uint64_t)(2 * format.bias + 1) << stored;
    if (value != value)
        return 0x7fff;
    if (isinf(value) || value == 0)
        return sign | (value == 0 ? 0 : infinite);
    frexp(value, &exponent);
    int unit = exponent - format.digits > least ? exponent - format.digits : least;
    double whole = ldexp(fabs(value), -unit);
    uint64_t rounded = (uint64_t)(truncate ? floor(whole) : away ? ceil(whole) : nearbyint(whole));
    /* the hidden digit adds one to the exponent, and a carry one more */
    uint64_t bits = ((uint64_t)(unit - least) << stored) + rounded;
    if (bits >= infinite)
        return sign | (truncate ? infinite - 1 : infinite);
    return sign | bits;
}

static uint64_t narrow(struct half format, double value)
{
    return narrow_as(format, value, TO_EVEN);
}

/* a * b + c, of which the product is exact: the last bit of an inexact sum is odd. */
static double multiply_add(double a, double b, double c)
{
    union {
        double number;
        uint64_t bits;
    } sum = {.number = a * b + c};
    double product = a * b, back = sum.number - product;
    double lost = (product - (sum.number - back)) + (c - back);
    if (isfinite(sum.number) && lost != 0 && !(sum.bits & 1))
        sum.bits += (lost > 0) == (sum.number > 0) ? 1 : UINT64_MAX;
    return sum.number;
}

#define LESS(x, y) ((x) < (y) || ((x) == (y) && signbit(x) && !signbit(y)))
static double least(double x, double y)
{
    return x != x ? y : y != y ? x : LESS(y, x) ? y : x;
}
static double most(double x, double y)
{
    return x != x ? y : y != y ? x : LESS(x, y) ? y : x;
}

static double not_negative(double x)
{
    return x < 0 || x == 0 ? 0 : x;
}

/* One element: the 16 bits at 'at' of each source. */
typedef double half_fn(double x, double y, double z);
static inline uint64_t element(struct half format, half_fn *compute, int at, uint64_t a, uint64_t b,
                               uint64_t c)
{
    double result = compute(widen(format, a >> at & 0xffff), widen(format, b >> at & 0xffff),
                            widen(format, c >> at & 0xffff));
    return narrow(format, result) << at;
}

#define SOURCES a[i], b ? b[i] : 0, c ? c[i] : 0
#define OPERATION(op, expression)                                                                  \
    static double op##_of(double x, double y, double z)                                            \
    {                                                                                              \
        (void)y, (void)z;                                                                          \
        return expression;                                                                         \
    }                                                                                              \
    ALU_FUNCTION(op##_f16, d[i] = element(f16, op##_of, 0, SOURCES);)                              \
    ALU_FUNCTION(op##_bf16, d[i] = element(bf16, op##_of, 0, SOURCES);)                            \
    ALU_FUNCTION(op##_f16x2,                                                                       \
                 d[i] = element(f16, op##_of, 0, SOURCES) | element(f16, op##_of, 16, SOURCES);)   \
    ALU_FUNCTION(op##_bf16x2,                                                                      \
                 d[i] = element(bf16, op##_of, 0, SOURCES) | element(bf16, op##_of, 16, SOURCES);)
OPERATION(add, multiply_add(x, 1, y))
OPERATION(sub, multiply_add(x, 1, -y))
OPERATION(mul, x *y)
OPERATION(fma, multiply_add(x, y, z))
OPERATION(min, least(x, y))
OPERATION(max, most(x, y))
OPERATION(min_nan, x != x || y != y ? NAN : least(x, y))
OPERATION(max_nan, x != x || y != y ? NAN : most(x, y))
OPERATION(ex2, exp2(x))
OPERATION(tanh, tanh(x))
OPERATION(fma_relu, not_negative(multiply_add(x, y, z)))

/* What .sat and .ftz make of a result, or .ftz of a source: within [0, 1], and without numbers that have no exponent;
 * .satfinite: without infinities. */
static uint64_t saturated(struct half format, uint64_t bits)
{
    double value = widen(format, bits);
    return narrow(format, value > 1 ? 1 : value > 0 ? value : 0);
}
static uint64_t flushed(struct half format, uint64_t bits)
{
    uint64_t exponents = 0x7fff >> (format.digits - 1) << (format.digits - 1);
    return bits & exponents ? bits : bits & 0x8000;
}
static uint64_t bounded(struct half format, uint64_t bits)
{
    return isinf(widen(format, bits)) ? bits - 1 : bits;
}
#define CLEAN(name)                                                                                \
    ALU_FUNCTION(name##_f16, d[i] = name(f16, a[i] & 0xffff);)                                     \
    ALU_FUNCTION(name##_f16x2, d[i] = name(f16, a[i] & 0xffff) | name(f16, a[i] >> 16 & 0xffff)    \
                                                                     << 16;)                       \
    ALU_FUNCTION(name##_bf16, d[i] = name(bf16, a[i] & 0xffff);)                                   \
    ALU_FUNCTION(name##_bf16x2, d[i] = name(bf16, a[i] & 0xffff) | name(bf16, a[i] >> 16 & 0xffff) \
                                                                       << 16;)
CLEAN(saturated)
CLEAN(flushed)
CLEAN(bounded)

ALU_FUNCTION(neg_f16, d[i] = (uint16_t)(a[i] ^ 0x8000);)
ALU_FUNCTION(neg_f16x2, d[i] = (uint32_t)(a[i] ^ 0x80008000);)
ALU_FUNCTION(abs_f16, d[i] = a[i] & 0x7fff;)
ALU_FUNCTION(abs_f16x2, d[i] = a[i] & 0x7fff7fff;)
#define neg_bf16   neg_f16
#define neg_bf16x2 neg_f16x2
#define abs_bf16   abs_f16
#define abs_bf16x2 abs_f16x2

enum { HALF_F16, HALF_F16X2, HALF_BF16, HALF_BF16X2, HALF_TYPES };
static int half_type(enum type type)
{
    return type == TYPE_F16      ? HALF_F16
           : type == TYPE_F16X2  ? HALF_F16X2
           : type == TYPE_BF16   ? HALF_BF16
           : type == TYPE_BF16X2 ? HALF_BF16X2
                                 : HALF_TYPES;
}
#define ROW(op)                                                                                    \
    {                                                                                              \
        op##_f16, op##_f16x2, op##_bf16, op##_bf16x2                                               \
    }
static alu_fn *const functions[OP_COUNT][HALF_TYPES] = {
    [OP_ADD] = ROW(add),         [OP_SUB] = ROW(sub),           [OP_MUL] = ROW(mul),
    [OP_FMA] = ROW(fma),         [OP_MIN] = ROW(min),           [OP_MAX] = ROW(max),
    [OP_NEG] = ROW(neg),         [OP_ABS] = ROW(abs),           [OP_MIN_NAN] = ROW(min_nan),
    [OP_MAX_NAN] = ROW(max_nan), [OP_FMA_RELU] = ROW(fma_relu), [OP_EX2] = ROW(ex2),
    [OP_TANH] = ROW(tanh),
};
static alu_fn *const cleaners[3][HALF_TYPES] = {ROW(saturated), ROW(flushed), ROW(bounded)};

/* ---- conversions --------------------------------------------------------------------------- */

/* A whole number as a double that every half is rounded from as from the number: its last bit tells of what was lost. */
static double whole_number(uint64_t bits, bool is_signed)
{
    enum { LOST = 11 };
    bool negative = is_signed && (int64_t)bits < 0;
    uint64_t size = negative ? 0 - bits : bits, lost = size & ((1 << LOST) - 1);
    double value = size >> 53 ? ldexp((double)(size >> LOST | (lost != 0)), LOST) : (double)size;
    return negative ? -value : value;
}

#define NARROWING(format, mode)                                                                    \
    ALU_FUNCTION(f32_##format##_##mode, d[i] = narrow_as(format, alu_f32(a[i]), mode);)            \
    ALU_FUNCTION(f64_##format##_##mode, d[i] = narrow_as(format, alu_f64(a[i]), mode);)            \
    ALU_FUNCTION(u64_##format##_##mode,                                                            \
                 d[i] = narrow_as(format, whole_number(a[i], false), mode);)                       \
    ALU_FUNCTION(s64_##format##_##mode, d[i] = narrow_as(format, whole_number(a[i], true), mode);) \
    ALU_FUNCTION(f32_##format##x2_##mode, d[i] = narrow_as(format, alu_f32(a[i]), mode) << 16 |    \
                                                 narrow_as(format, alu_f32(b[i]), mode);)
#define CONVERSIONS(format)                                                                        \
    ALU_FUNCTION(format##_f32, d[i] = alu_from_f32((float)widen(format, a[i]));)                   \
    ALU_FUNCTION(format##_f64, d[i] = alu_from_f64(widen(format, a[i]));)                          \
    NARROWING(format, TO_EVEN)                                                                     \
    NARROWING(format, TO_ZERO)                                                                     \
    NARROWING(format, DOWN)                                                                        \
    NARROWING(format, UP)
CONVERSIONS(f16)
CONVERSIONS(bf16)

/* To a half, by what it is from: packing takes two floats. */
enum { FROM_F32, FROM_F64, FROM_U64, FROM_S64, PACKING, SOURCES_OF_HALF };
#define EACH_ROUNDING(name)                                                                        \
    {                                                                                              \
        name##_TO_EVEN, name##_TO_ZERO, name##_DOWN, name##_UP                                     \
    }
#define EACH_SOURCE(format)                                                                        \
    {                                                                                              \
        EACH_ROUNDING(f32_##format), EACH_ROUNDING(f64_##format), EACH_ROUNDING(u64_##format),     \
            EACH_ROUNDING(s64_##format), EACH_ROUNDING(f32_##format##x2)                           \
    }
static alu_fn *const narrowing[2][SOURCES_OF_HALF][ROUNDINGS] = {EACH_SOURCE(f16),
                                                                 EACH_SOURCE(bf16)};
/* From one: [.bf16][to 64 bits] */
static alu_fn *const widening[2][2] = {{f16_f32, f16_f64}, {bf16_f32, bf16_f64}};

static int source_of_half(const struct inst *inst, bool packs)
{
    switch (inst->source_type) {
    case TYPE_F32:
        return packs ? PACKING : FROM_F32;
    case TYPE_F64:
        return packs ? SOURCES_OF_HALF : FROM_F64;
    case TYPE_U64:
        return packs ? SOURCES_OF_HALF : FROM_U64;
    case TYPE_S64:
        return packs ? SOURCES_OF_HALF : FROM_S64;
    default:
        return SOURCES_OF_HALF;
    }
}

/* NULL: one that takes two steps (decode_arithmetic.c), or none. */
static alu_fn *find_conversion(const struct inst *inst)
{
    int to = half_type(inst->type), from = half_type(inst->source_type);
    const uint32_t whole = FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI;
    if (to == from && !(inst->flags & whole)) /* of decode_arithmetic.c: one of the flags */
        return inst->satfinite          ? cleaners[2][to]
               : inst->flags & FLAG_FTZ ? cleaners[1][to]
               : inst->flags & FLAG_SAT ? cleaners[0][to]
                                        : NULL;
    if (inst->flags & (FLAG_FTZ | FLAG_SAT | whole) || inst->satfinite || inst->relu)
        return NULL;
    if (from != HALF_TYPES)
        return (inst->type == TYPE_F32 || inst->type == TYPE_F64) &&
                       (from == HALF_F16 || from == HALF_BF16)
                   ? widening[from == HALF_BF16][inst->type == TYPE_F64]
                   : NULL;
    int source = source_of_half(inst, to == HALF_F16X2 || to == HALF_BF16X2);
    return source == SOURCES_OF_HALF ? NULL
                                     : narrowing[to >= HALF_BF16][source][rounding_of(inst->flags)];
}

/* ---- .e4m3 and .e5m2: to nearest even, and to the largest where there is no infinity ------------- */

struct eighth {
    int digits, bias; /* digits that are stored */
    uint64_t largest;
};
static const struct eighth e4m3 = {3, 7, 0x7e}, e5m2 = {2, 15, 0x7b};

static uint64_t shrink(struct eighth format, double value)
{
    uint64_t sign = signbit(value) ? 0x80 : 0;
    int exponent;
    if (value != value)
        return 0x7f;
    if (isinf(value))
        return sign | format.largest;
    frexp(value, &exponent);
    exponent = value == 0 || exponent - 1 < 1 - format.bias ? 1 - format.bias : exponent - 1;
    uint64_t whole = (uint64_t)nearbyint(ldexp(fabs(value), format.digits - exponent));
    uint64_t bits = ((uint64_t)(exponent + format.bias - 1) << format.digits) + whole;
    return sign | (bits > format.largest ? format.largest : bits);
}

static double grow(struct eighth format, uint64_t bits)
{
    int exponent = (int)(bits & 0x7f) >> format.digits, hidden = 1 << format.digits;
    int fraction = (int)bits & (hidden - 1), least = 1 - format.bias - format.digits;
    double value =
        exponent ? ldexp(hidden + fraction, exponent - 1 + least) : ldexp(fraction, least);
    if ((bits & 0x7f) > format.largest)
        value = (bits & 0x7f) == format.largest + 1 && format.digits == 2 ? INFINITY : NAN;
    return bits & 0x80 ? -value : value;
}

#define EIGHTHS(format)                                                                            \
    ALU_FUNCTION(f32_##format##x2,                                                                 \
                 d[i] = shrink(format, alu_f32(a[i])) << 8 | shrink(format, alu_f32(b[i]));)       \
    ALU_FUNCTION(f16x2_##format##x2, d[i] = shrink(format, widen(f16, a[i] >> 16 & 0xffff)) << 8 | \
                                            shrink(format, widen(f16, a[i] & 0xffff));)            \
    ALU_FUNCTION(format##x2_f16x2, d[i] = narrow(f16, grow(format, a[i] >> 8 & 0xff)) << 16 |      \
                                          narrow(f16, grow(format, a[i] & 0xff));)
EIGHTHS(e4m3)
EIGHTHS(e5m2)

static bool is_eighth(enum type type)
{
    return type == TYPE_E4M3X2 || type == TYPE_E5M2X2;
}

alu_fn *alu_find_eighth(const struct inst *inst)
{
    if (inst->op != OP_CVT || inst->relu ||
        inst->flags & (FLAG_RZ | FLAG_RM | FLAG_RP | FLAG_FTZ | FLAG_SAT))
        return NULL;
    if (inst->type == TYPE_F16X2 && is_eighth(inst->source_type) && !inst->satfinite)
        return inst->source_type == TYPE_E4M3X2 ? e4m3x2_f16x2 : e5m2x2_f16x2;
    if (!is_eighth(inst->type) || !inst->satfinite)
        return NULL;
    bool first = inst->type == TYPE_E4M3X2;
    if (inst->source_type == TYPE_F32)
        return first ? f32_e4m3x2 : f32_e5m2x2;
    return inst->source_type != TYPE_F16X2 ? NULL : first ? f16x2_e4m3x2 : f16x2_e5m2x2;
}

alu_fn *alu_find_half(const struct inst *inst)
{
    int type = half_type(inst->type);
    bool converts = inst->op == OP_CVT;
    if (type == HALF_TYPES && !(converts && half_type(inst->source_type) != HALF_TYPES))
        return NULL;
    bool approximates = inst->op == OP_EX2 || inst->op == OP_TANH;
    if (!(inst->flags & FLAG_APPROX) == approximates)
        return NULL;
    if (converts)
        return find_conversion(inst);
    return inst->flags & (FLAG_RZ | FLAG_RM | FLAG_RP) ? NULL : functions[inst->op][type];
}
