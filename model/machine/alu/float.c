/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "model/machine/alu/private.h"

/* Floating point, round to nearest even: PTX 9.7.3. Built without contraction, so that add and mul
 * round each; ".approx" functions are computed by the C library, closer than the manual asks. */

#define F32(op, expression)                                                                        \
    ALU_FUNCTION(op##_f32, const float x = alu_f32(a[i]); const float y = b ? alu_f32(b[i]) : 0;   \
                 (void)y; d[i] = alu_from_f32(expression);)
#define F64(op, expression)                                                                        \
    ALU_FUNCTION(op##_f64, const double x = alu_f64(a[i]); const double y = b ? alu_f64(b[i]) : 0; \
                 (void)y; d[i] = alu_from_f64(expression);)
#define BOTH(op, expression) F32(op, expression) F64(op, expression)

BOTH(add, x + y)
BOTH(sub, x - y)
BOTH(mul, x *y)
BOTH(div, x / y)
F32(sqrt, sqrtf(x))
F64(sqrt, sqrt(x))
BOTH(rcp, 1 / x)
F32(rsqrt, 1 / sqrtf(x))
F64(rsqrt, 1 / sqrt(x))
F32(ex2, exp2f(x))
F32(lg2, log2f(x))
F32(sin, sinf(x))
F32(cos, cosf(x))

/* One operand not a number gives the other; -0 is less than +0. */
#define LESS(x, y) ((x) < (y) || ((x) == (y) && signbit(x) && !signbit(y)))
BOTH(min, x != x ? y : y != y ? x : LESS(y, x) ? y : x)
BOTH(max, x != x ? y : y != y ? x : LESS(x, y) ? y : x)

ALU_FUNCTION(fma_f32, d[i] = alu_from_f32(fmaf(alu_f32(a[i]), alu_f32(b[i]), alu_f32(c[i])));)
ALU_FUNCTION(fma_f64, d[i] = alu_from_f64(fma(alu_f64(a[i]), alu_f64(b[i]), alu_f64(c[i])));)
ALU_FUNCTION(neg_f32, d[i] = (uint32_t)a[i] ^ 0x80000000u;)
ALU_FUNCTION(neg_f64, d[i] = a[i] ^ UINT64_C(0x8000000000000000);)
ALU_FUNCTION(abs_f32, d[i] = a[i] & 0x7fffffff;)
ALU_FUNCTION(abs_f64, d[i] = a[i] & INT64_MAX;)

static const struct {
    enum op op;
    alu_fn *single, *twice;
} functions[] = {
    {OP_ADD, add_f32, add_f64},       {OP_SUB, sub_f32, sub_f64},    {OP_MUL, mul_f32, mul_f64},
    {OP_DIV, div_f32, div_f64},       {OP_MIN, min_f32, min_f64},    {OP_MAX, max_f32, max_f64},
    {OP_NEG, neg_f32, neg_f64},       {OP_ABS, abs_f32, abs_f64},    {OP_FMA, fma_f32, fma_f64},
    {OP_MAD, fma_f32, fma_f64},       {OP_SQRT, sqrt_f32, sqrt_f64}, {OP_RCP, rcp_f32, rcp_f64},
    {OP_RSQRT, rsqrt_f32, rsqrt_f64}, {OP_EX2, ex2_f32, NULL},       {OP_LG2, lg2_f32, NULL},
    {OP_SIN, sin_f32, NULL},          {OP_COS, cos_f32, NULL},
};

alu_fn *alu_find_float(const struct inst *inst)
{
    if (inst->type != TYPE_F32 && inst->type != TYPE_F64)
        return NULL;
    if (inst->flags & (FLAG_RZ | FLAG_RM | FLAG_RP))
        return alu_find_directed(inst);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].op == inst->op)
            return inst->type == TYPE_F32 ? functions[i].single : functions[i].twice;
    return NULL;
}
