/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/machine/alu/private.h"

/* cvt: PTX 9.7.9.21. Integer widths by source signedness; float to integer rounds, clamps to the
 * range and gives 0 for what is not a number. Rounding modes make families of functions of one
 * shape. */

#define INTEGERS_FROM(suffix, T, U, W, bits)                                                       \
    ALU_FUNCTION(to_8_##suffix, d[i] = (uint8_t)(T)a[i];)                                          \
    ALU_FUNCTION(to_16_##suffix, d[i] = (uint16_t)(T)a[i];)                                        \
    ALU_FUNCTION(to_32_##suffix, d[i] = (uint32_t)(T)a[i];)                                        \
    ALU_FUNCTION(to_64_##suffix, d[i] = (uint64_t)(T)a[i];)                                        \
    ALU_FUNCTION(to_f32_##suffix, d[i] = alu_from_f32((float)(T)a[i]);)                            \
    ALU_FUNCTION(to_f64_##suffix, d[i] = alu_from_f64((double)(T)a[i]);)
ALU_INTEGER_TYPES(INTEGERS_FROM)

static alu_fn *const resize_table[4][ALU_INTEGERS] = {ALU_ROW(to_8), ALU_ROW(to_16), ALU_ROW(to_32),
                                                      ALU_ROW(to_64)};
static alu_fn *const to_float_table[2][ALU_INTEGERS] = {ALU_ROW(to_f32), ALU_ROW(to_f64)};

/* Saturating to a narrower integer: the value is clamped first. */
static uint64_t clamp_signed(int64_t value, int64_t low, int64_t high)
{
    return (uint64_t)(value < low ? low : value > high ? high : value);
}
#define SATURATE(suffix, U, low, high)                                                             \
    ALU_FUNCTION(sat_s_##suffix, d[i] = (U)clamp_signed((int64_t)a[i], low, high);)                \
    ALU_FUNCTION(sat_u_##suffix, d[i] = (U)(a[i] > (uint64_t)(high) ? (uint64_t)(high) : a[i]);)
SATURATE(u8, uint8_t, 0, UINT8_MAX)
SATURATE(u16, uint16_t, 0, UINT16_MAX)
SATURATE(u32, uint32_t, 0, UINT32_MAX)
SATURATE(s8, uint8_t, INT8_MIN, INT8_MAX)
SATURATE(s16, uint16_t, INT16_MIN, INT16_MAX)
SATURATE(s32, uint32_t, INT32_MIN, INT32_MAX)
SATURATE(s64, uint64_t, INT64_MIN, INT64_MAX)
ALU_FUNCTION(sat_s_u64, d[i] = clamp_signed((int64_t)a[i], 0, INT64_MAX);)
ALU_FUNCTION(sat_u_u64, d[i] = a[i];)

/* Sources here are 64 bits wide already: decode_arithmetic.c puts a widening before (alu_find with op CVT to a
 * 64-bit type), so only the signedness of the source is left to know. */
static alu_fn *const saturate_table[2][ALU_INTEGERS] = {ALU_ROW(sat_u), ALU_ROW(sat_s)};

/* Whole numbers of 64 bits to floats that are not the nearest: a long double holds either exactly. */
#define DIRECTED(name, T, W, to, next)                                                             \
    ALU_FUNCTION(name##_rz, const long double x = (W)a[i]; to y = (to)x;                           \
                 d[i] = alu_from_##T(fabsl((long double)y) > fabsl(x) ? next(y, 0) : y);)          \
    ALU_FUNCTION(name##_rm, const long double x = (W)a[i]; to y = (to)x;                           \
                 d[i] = alu_from_##T((long double)y > x ? next(y, -(to)INFINITY) : y);)            \
    ALU_FUNCTION(name##_rp, const long double x = (W)a[i]; to y = (to)x;                           \
                 d[i] = alu_from_##T((long double)y < x ? next(y, (to)INFINITY) : y);)
DIRECTED(u64_to_f32, f32, uint64_t, float, nextafterf)
DIRECTED(s64_to_f32, f32, int64_t, float, nextafterf)
DIRECTED(u64_to_f64, f64, uint64_t, double, nextafter)
DIRECTED(s64_to_f64, f64, int64_t, double, nextafter)

/* [to 64 bits][signed][.rz .rm .rp] */
#define DIRECTIONS(name)                                                                           \
    {                                                                                              \
        name##_rz, name##_rm, name##_rp                                                            \
    }
static alu_fn *const directed_table[2][2][3] = {{DIRECTIONS(u64_to_f32), DIRECTIONS(s64_to_f32)},
                                                {DIRECTIONS(u64_to_f64), DIRECTIONS(s64_to_f64)}};

/* A rounded double to an integer of 'bits'. */
static uint64_t to_integer(double value, bool sign, uint32_t bits)
{
    if (value != value)
        return 0;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    double top = ldexp(1, (int)(sign ? bits - 1 : bits));
    if (value >= top)
        return sign ? mask >> 1 : mask;
    if (value < (sign ? -top : 0))
        return sign ? (UINT64_C(1) << (bits - 1)) : 0;
    return (sign ? (uint64_t)(int64_t)value : (uint64_t)value) & mask;
}

#define TO_INTEGER(mode, round, width)                                                             \
    ALU_FUNCTION(f32_##mode##_u##width, d[i] = to_integer(round(alu_f32(a[i])), false, width);)    \
    ALU_FUNCTION(f32_##mode##_s##width, d[i] = to_integer(round(alu_f32(a[i])), true, width);)     \
    ALU_FUNCTION(f64_##mode##_u##width, d[i] = to_integer(round(alu_f64(a[i])), false, width);)    \
    ALU_FUNCTION(f64_##mode##_s##width, d[i] = to_integer(round(alu_f64(a[i])), true, width);)
#define TO_INTEGERS(mode, round)                                                                   \
    TO_INTEGER(mode, round, 8)                                                                     \
    TO_INTEGER(mode, round, 16)                                                                    \
    TO_INTEGER(mode, round, 32)                                                                    \
    TO_INTEGER(mode, round, 64)                                                                    \
    ALU_FUNCTION(f32_##mode##_f32, d[i] = alu_from_f32((float)round(alu_f32(a[i])));)              \
    ALU_FUNCTION(f64_##mode##_f64, d[i] = alu_from_f64(round(alu_f64(a[i])));)
TO_INTEGERS(rni, rint)
TO_INTEGERS(rzi, trunc)
TO_INTEGERS(rmi, floor)
TO_INTEGERS(rpi, ceil)

/* By rounding, [64 bits] of the source and type; last a float of the same size. */
#define ROUNDED(mode)                                                                              \
    {                                                                                              \
        {ALU_LIST(f32_##mode), f32_##mode##_f32},                                                  \
        {                                                                                          \
            ALU_LIST(f64_##mode), f64_##mode##_f64                                                 \
        }                                                                                          \
    }
static alu_fn *const rounded_table[4][2][ALU_INTEGERS + 1] = {ROUNDED(rni), ROUNDED(rzi),
                                                              ROUNDED(rmi), ROUNDED(rpi)};

static alu_fn *find_rounded(const struct inst *inst, enum alu_integer to)
{
    uint32_t flags = inst->flags;
    int mode = flags & FLAG_RNI   ? 0
               : flags & FLAG_RZI ? 1
               : flags & FLAG_RMI ? 2
               : flags & FLAG_RPI ? 3
                                  : -1;
    return mode < 0 ? NULL : rounded_table[mode][inst->source_type == TYPE_F64][to];
}

ALU_FUNCTION(f32_f64, d[i] = alu_from_f64(alu_f32(a[i]));)
ALU_FUNCTION(f64_f32, d[i] = alu_from_f32((float)alu_f64(a[i]));)
ALU_FUNCTION(f64_f32_rz, const double x = alu_f64(a[i]); float y = (float)x;
             d[i] = alu_from_f32(fabs((double)y) > fabs(x) ? nextafterf(y, 0) : y);)
ALU_FUNCTION(f64_f32_rm, const double x = alu_f64(a[i]); float y = (float)x;
             d[i] = alu_from_f32((double)y > x ? nextafterf(y, -INFINITY) : y);)
ALU_FUNCTION(f64_f32_rp, const double x = alu_f64(a[i]); float y = (float)x;
             d[i] = alu_from_f32((double)y < x ? nextafterf(y, INFINITY) : y);)
ALU_FUNCTION(same_f32, d[i] = (uint32_t)a[i];)
/* .ftz: subnormals to zeros of the same sign. .sat: to [0, 1]; what is not a number becomes +0. */
ALU_FUNCTION(flush_f32, d[i] = a[i] & (a[i] & 0x7f800000 ? UINT32_MAX : 0x80000000);)
ALU_FUNCTION(sat_f32, const float x = alu_f32(a[i]); d[i] = !(x > 0) ? 0
                                                            : x > 1  ? alu_from_f32(1)
                                                                     : (uint32_t)a[i];)
ALU_FUNCTION(same_f64, d[i] = a[i];)

/* .tf32: the last 13 bits of a float are 0; to nearest even, or cut. */
ALU_FUNCTION(tf32_rn, const uint32_t x = (uint32_t)a[i];
             d[i] = (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff
                                                  : (x + 0xfff + (x >> 13 & 1)) & 0xffffe000;)
ALU_FUNCTION(tf32_rz, const uint32_t x = (uint32_t)a[i];
             d[i] = (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : x & 0xffffe000;)

/* NULL: there is no such conversion. */
static alu_fn *find_float_to_float(const struct inst *inst)
{
    enum type to = inst->type, from = inst->source_type;
    uint32_t flags = inst->flags;
    if (from == TYPE_F32 && to == TYPE_TF32)
        return inst->satfinite || inst->relu || flags & (FLAG_RM | FLAG_RP) ? NULL
               : flags & FLAG_RZ                                            ? tf32_rz
                                                                            : tf32_rn;
    if (from == TYPE_F32 && to == TYPE_F64)
        return f32_f64;
    if (from == TYPE_F64 && to == TYPE_F32)
        return flags & FLAG_RZ   ? f64_f32_rz
               : flags & FLAG_RM ? f64_f32_rm
               : flags & FLAG_RP ? f64_f32_rp
                                 : f64_f32;
    if (from != to || (to != TYPE_F32 && to != TYPE_F64))
        return NULL;
    alu_fn *rounded = find_rounded(inst, ALU_INTEGERS);
    return rounded            ? rounded
           : to == TYPE_F64   ? same_f64
           : flags & FLAG_SAT ? sat_f32
           : flags & FLAG_FTZ ? flush_f32
                              : same_f32;
}

alu_fn *alu_find_convert(const struct inst *inst)
{
    if (inst->op != OP_CVT)
        return NULL;
    enum alu_integer from = alu_integer(inst->source_type), to = alu_integer(inst->type);
    bool from_integer = from != ALU_INTEGERS, to_integer_type = to != ALU_INTEGERS;
    if (!from_integer && !to_integer_type)
        return find_float_to_float(inst);
    if (!from_integer)
        return inst->source_type == TYPE_F32 || inst->source_type == TYPE_F64
                   ? find_rounded(inst, to)
                   : NULL;
    if (to_integer_type) {
        if (inst->flags & FLAG_SAT)
            return saturate_table[from >= ALU_S8][to];
        return resize_table[to % 4][from];
    }
    if (inst->type != TYPE_F32 && inst->type != TYPE_F64)
        return NULL;
    bool twice = inst->type == TYPE_F64, wide = type_bytes(inst->source_type) == 8;
    if (inst->flags & (FLAG_RZ | FLAG_RM | FLAG_RP)) /* decode_arithmetic.c widens the source */
        return !wide ? NULL
                     : directed_table[twice][type_is_signed(inst->source_type)]
                                     [inst->flags & FLAG_RZ   ? 0
                                      : inst->flags & FLAG_RM ? 1
                                                              : 2];
    return to_float_table[twice][from];
}
