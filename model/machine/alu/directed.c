/* SPDX-License-Identifier: MIT */
#include <fenv.h>
#include <math.h>

#include "model/machine/alu/private.h"

/* Floating point with a directed rounding: .rz .rm .rp. Volatile operands keep the compiler
 * from rounding early. The rounding mode of the thread is changed around the loop and put back. */

#define ROUNDED(name, mode, body)                                                                  \
    static void name(ALU_ARGS)                                                                     \
    {                                                                                              \
        (void)b, (void)c, (void)e;                                                                 \
        int before = fegetround();                                                                 \
        fesetround(mode);                                                                          \
        for (uint32_t i = 0; i < n; i++) {                                                         \
            body                                                                                   \
        }                                                                                          \
        fesetround(before);                                                                        \
    }
#define MODES(op, body)                                                                            \
    ROUNDED(op##_rz, FE_TOWARDZERO, body)                                                          \
    ROUNDED(op##_rm, FE_DOWNWARD, body)                                                            \
    ROUNDED(op##_rp, FE_UPWARD, body)                                                              \
    static alu_fn *const op##_modes[3] = {op##_rz, op##_rm, op##_rp};
#define SINGLE(op, expression)                                                                     \
    MODES(op##_f32, volatile float x = alu_f32(a[i]); volatile float y = b ? alu_f32(b[i]) : 0;    \
          (void)y; volatile float result = expression; d[i] = alu_from_f32(result);)
#define TWICE(op, expression)                                                                      \
    MODES(op##_f64, volatile double x = alu_f64(a[i]); volatile double y = b ? alu_f64(b[i]) : 0;  \
          (void)y; volatile double result = expression; d[i] = alu_from_f64(result);)

SINGLE(add, x + y)
SINGLE(sub, x - y)
SINGLE(mul, x *y)
SINGLE(div, x / y)
SINGLE(sqrt, sqrtf(x))
SINGLE(rcp, 1 / x)
SINGLE(fma, fmaf(x, y, alu_f32(c[i])))
TWICE(add, x + y)
TWICE(sub, x - y)
TWICE(mul, x *y)
TWICE(div, x / y)
TWICE(sqrt, sqrt(x))
TWICE(rcp, 1 / x)
TWICE(fma, fma(x, y, alu_f64(c[i])))

static const struct {
    enum op op;
    alu_fn *const *single, *const *twice;
} functions[] = {
    {OP_ADD, add_f32_modes, add_f64_modes},    {OP_SUB, sub_f32_modes, sub_f64_modes},
    {OP_MUL, mul_f32_modes, mul_f64_modes},    {OP_DIV, div_f32_modes, div_f64_modes},
    {OP_SQRT, sqrt_f32_modes, sqrt_f64_modes}, {OP_RCP, rcp_f32_modes, rcp_f64_modes},
    {OP_FMA, fma_f32_modes, fma_f64_modes},    {OP_MAD, fma_f32_modes, fma_f64_modes},
};

alu_fn *alu_find_directed(const struct inst *inst)
{
    int mode = inst->flags & FLAG_RZ ? 0 : inst->flags & FLAG_RM ? 1 : 2;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i].op == inst->op)
            return inst->type == TYPE_F32 ? functions[i].single[mode] : functions[i].twice[mode];
    return NULL;
}
