/* SPDX-License-Identifier: MIT */
#include <fenv.h>
#include <math.h>

#include "model/machine/alu/private.h"

/* Floating point: PTX 9.7.3. Built without contraction, so that add and mul round each; ".approx"
 * functions are computed by the C library, closer than the manual asks. */

#define F32(op, expression)                                                                        \
    ALU_FUNCTION(op##_f32, const float x = alu_f32(a[i]); const float y = b ? alu_f32(b[i]) : 0;   \
                 (void)y; d[i] = alu_from_f32(expression);)
#define F64(op, expression)                                                                        \
    ALU_FUNCTION(op##_f64, const double x = alu_f64(a[i]); const double y = b ? alu_f64(b[i]) : 0; \
                 (void)y; d[i] = alu_from_f64(expression);)
#define BOTH(op, expression) F32(op, expression) F64(op, expression)

/* A directed rounding (.rz .rm .rp). Volatile operands keep the compiler from rounding early. The
 * rounding mode of the thread is changed around the loop and put back. */
#define DIRECTED(name, mode, T, size, expression)                                                  \
    static void name(ALU_ARGS)                                                                     \
    {                                                                                              \
        (void)b, (void)c, (void)e;                                                                 \
        int before = fegetround();                                                                 \
        fesetround(mode);                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            volatile T x = alu_##size(a[i]), y = b ? alu_##size(b[i]) : 0;                         \
            (void)y;                                                                               \
            volatile T result = expression;                                                        \
            d[i] = alu_from_##size(result);                                                        \
        }                                                                                          \
        fesetround(before);                                                                        \
    }
#define EVERY_MODE(op, T, size, expression)                                                        \
    DIRECTED(op##_rz_##size, FE_TOWARDZERO, T, size, expression)                                   \
    DIRECTED(op##_rm_##size, FE_DOWNWARD, T, size, expression)                                     \
    DIRECTED(op##_rp_##size, FE_UPWARD, T, size, expression)
/* What rounds as it is told: to nearest even, or directed. */
#define ROUNDED(op, single, twice)                                                                 \
    F32(op, single)                                                                                \
    F64(op, twice) EVERY_MODE(op, float, f32, single) EVERY_MODE(op, double, f64, twice)

/* Of two operands that are no numbers the first comes out, quiet; a compiler that swaps them would give the other. */
static inline double first_nan(double x, double y, double result)
{
    return x != x ? x + x : y != y ? y + y : result;
}

ROUNDED(add, x + y, first_nan(x, y, x + y))
ROUNDED(sub, x - y, first_nan(x, y, x - y))
ROUNDED(mul, x *y, first_nan(x, y, x *y))
ROUNDED(div, x / y, x / y)
ROUNDED(sqrt, sqrtf(x), sqrt(x))
ROUNDED(rcp, 1 / x, 1 / x)
ROUNDED(fma, fmaf(x, y, alu_f32(c[i])), fma(x, y, alu_f64(c[i])))
F32(rsqrt, 1 / sqrtf(x))
F64(rsqrt, 1 / sqrt(x))

/* "rcp.approx.ftz.f64" and "rsqrt.approx.ftz.f64" look at the upper 32 bits, and give no more (PTX 9.7.3.14, .17). */
static uint64_t upper_half(uint64_t bits)
{
    const uint64_t sign = UINT64_C(1) << 63, exponent = UINT64_C(0x7ff) << 52;
    return bits & exponent ? bits & ~(uint64_t)UINT32_MAX : bits & sign;
}

/* What is no number keeps being none when its lower half is lost. */
static double upper_number(uint64_t bits)
{
    double x = alu_f64(bits);
    return x != x ? x : alu_f64(upper_half(bits));
}

#define GROSS(op, expression)                                                                      \
    ALU_FUNCTION(op##_gross_f64, const double x = upper_number(a[i]); const double y = expression; \
                 d[i] = upper_half(alu_from_f64(y)) | (y != y ? UINT64_C(1) << 51 : 0);)
GROSS(rcp, 1 / x)
GROSS(rsqrt, 1 / sqrt(x))
F32(ex2, exp2f(x))
F32(lg2, log2f(x))
F32(sin, sinf(x))
F32(cos, cosf(x))
F32(tanh, tanhf(x))

/* One operand not a number gives the other; -0 is less than +0. */
#define LESS(x, y) ((x) < (y) || ((x) == (y) && signbit(x) && !signbit(y)))
BOTH(min, x != x ? y : y != y ? x : LESS(y, x) ? y : x)
BOTH(max, x != x ? y : y != y ? x : LESS(x, y) ? y : x)

F32(min_nan, x != x || y != y ? NAN : LESS(y, x) ? y : x)
F32(max_nan, x != x || y != y ? NAN : LESS(x, y) ? y : x)

ALU_FUNCTION(neg_f32, d[i] = (uint32_t)a[i] ^ 0x80000000u;)
ALU_FUNCTION(neg_f64, d[i] = a[i] ^ UINT64_C(0x8000000000000000);)
ALU_FUNCTION(abs_f32, d[i] = a[i] & 0x7fffffff;)
ALU_FUNCTION(abs_f64, d[i] = a[i] & INT64_MAX;)
/* the sign of a, the rest of b */
ALU_FUNCTION(copysign_f32, d[i] = (a[i] & 0x80000000u) | (b[i] & 0x7fffffff);)
ALU_FUNCTION(copysign_f64, d[i] = (a[i] & ~(uint64_t)INT64_MAX) | (b[i] & INT64_MAX);)

/* By rounding, [64 bits]. */
enum { NEAREST, TO_ZERO, DOWN, UP, ROUNDINGS };
#define NEAREST_ONLY(op)                                                                           \
    {                                                                                              \
        {                                                                                          \
            op##_f32, op##_f64                                                                     \
        }                                                                                          \
    }
#define EVERY_ROUNDING(op)                                                                         \
    {                                                                                              \
        {op##_f32, op##_f64}, {op##_rz_f32, op##_rz_f64}, {op##_rm_f32, op##_rm_f64},              \
        {                                                                                          \
            op##_rp_f32, op##_rp_f64                                                               \
        }                                                                                          \
    }
static alu_fn *const functions[OP_COUNT][ROUNDINGS][2] = {
    [OP_ADD] = EVERY_ROUNDING(add),
    [OP_SUB] = EVERY_ROUNDING(sub),
    [OP_MUL] = EVERY_ROUNDING(mul),
    [OP_DIV] = EVERY_ROUNDING(div),
    [OP_FMA] = EVERY_ROUNDING(fma),
    [OP_MAD] = EVERY_ROUNDING(fma),
    [OP_SQRT] = EVERY_ROUNDING(sqrt),
    [OP_RCP] = EVERY_ROUNDING(rcp),
    [OP_MIN] = NEAREST_ONLY(min),
    [OP_MAX] = NEAREST_ONLY(max),
    [OP_NEG] = NEAREST_ONLY(neg),
    [OP_ABS] = NEAREST_ONLY(abs),
    [OP_RSQRT] = NEAREST_ONLY(rsqrt),
    [OP_MIN_NAN] = {{min_nan_f32}},
    [OP_MAX_NAN] = {{max_nan_f32}},
    [OP_EX2] = {{ex2_f32}},
    [OP_LG2] = {{lg2_f32}},
    [OP_SIN] = {{sin_f32}},
    [OP_COS] = {{cos_f32}},
    [OP_TANH] = {{tanh_f32}},
    [OP_COPYSIGN] = NEAREST_ONLY(copysign),
};

alu_fn *alu_find_float(const struct inst *inst)
{
    if (inst->type != TYPE_F32 && inst->type != TYPE_F64)
        return NULL;
    uint32_t flags = inst->flags;
    if (inst->type == TYPE_F64 && flags & FLAG_FTZ)
        return inst->op == OP_RCP ? rcp_gross_f64 : inst->op == OP_RSQRT ? rsqrt_gross_f64 : NULL;
    int rounding = flags & FLAG_RZ   ? TO_ZERO
                   : flags & FLAG_RM ? DOWN
                   : flags & FLAG_RP ? UP
                                     : NEAREST;
    return functions[inst->op][rounding][inst->type == TYPE_F64];
}
