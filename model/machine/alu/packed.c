/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

/* Several numbers in a register: .s16x2 and .u16x2, the differences of video instructions, and .tf32. */

/* ---- .s16x2, .u16x2 -------------------------------------------------------------------------- */

#define SHORTS(name, T, expression)                                                                \
    static uint32_t name##_one(uint64_t left, uint64_t right)                                      \
    {                                                                                              \
        const T x = (T)left, y = (T)right;                                                         \
        return (uint16_t)(expression);                                                             \
    }                                                                                              \
    ALU_FUNCTION(name##_x2,                                                                        \
                 d[i] = name##_one(a[i] >> 16, b[i] >> 16) << 16 | name##_one(a[i], b[i]);)
SHORTS(add_16, uint16_t, x + y)
SHORTS(min_s16, int16_t, x < y ? x : y)
SHORTS(max_s16, int16_t, x < y ? y : x)
SHORTS(min_u16, uint16_t, x < y ? x : y)
SHORTS(max_u16, uint16_t, x < y ? y : x)

static alu_fn *find_shorts(const struct inst *inst)
{
    bool is_signed = inst->type == TYPE_S16X2;
    if (inst->op == OP_ADD && !(inst->flags & FLAG_SAT))
        return add_16_x2;
    if (inst->op == OP_MIN)
        return is_signed ? min_s16_x2 : min_u16_x2;
    return inst->op != OP_MAX ? NULL : is_signed ? max_s16_x2 : max_u16_x2;
}

/* ---- absolute differences of four bytes, or two halves: PTX 9.7.18 ---------------------------- */

static uint64_t difference(uint64_t a, uint64_t b, uint32_t bits, bool is_signed)
{
    uint32_t above = 64 - bits;
    int64_t x = is_signed ? (int64_t)(a << above) >> above : (int64_t)(a << above >> above);
    int64_t y = is_signed ? (int64_t)(b << above) >> above : (int64_t)(b << above >> above);
    return (uint64_t)(x < y ? y - x : x - y);
}

/* The differences, each in its place, or their sum and what it is added to. */
static uint64_t differences(uint64_t a, uint64_t b, uint64_t c, uint32_t bits, bool is_signed,
                            bool sum)
{
    uint64_t result = sum ? c : 0, mask = (UINT64_C(1) << bits) - 1;
    for (uint32_t at = 0; at < 32; at += bits) {
        uint64_t one = difference(a >> at, b >> at, bits, is_signed);
        result += sum ? one : (one & mask) << at;
    }
    return (uint32_t)result;
}

#define DIFFERENCES(name, bits)                                                                    \
    ALU_FUNCTION(name##_u, d[i] = differences(a[i], b[i], c[i], bits, false, false);)              \
    ALU_FUNCTION(name##_s, d[i] = differences(a[i], b[i], c[i], bits, true, false);)               \
    ALU_FUNCTION(name##_u_add, d[i] = differences(a[i], b[i], c[i], bits, false, true);)           \
    ALU_FUNCTION(name##_s_add, d[i] = differences(a[i], b[i], c[i], bits, true, true);)
DIFFERENCES(of_bytes, 8)
DIFFERENCES(of_halves, 16)

/* ---- .tf32: ten digits behind the point, ties away from zero ----------------------------------- */

ALU_FUNCTION(to_tf32, const uint32_t x = (uint32_t)a[i];
             d[i] = (x & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : (x + 0x1000) & ~UINT32_C(0x1fff);)

static alu_fn *const plain[OP_COUNT] = {
    [OP_VABSDIFF4_U] = of_bytes_u,
    [OP_VABSDIFF4_S] = of_bytes_s,
    [OP_VABSDIFF4_U_ADD] = of_bytes_u_add,
    [OP_VABSDIFF4_S_ADD] = of_bytes_s_add,
    [OP_VABSDIFF2_U] = of_halves_u,
    [OP_VABSDIFF2_S] = of_halves_s,
    [OP_VABSDIFF2_U_ADD] = of_halves_u_add,
    [OP_VABSDIFF2_S_ADD] = of_halves_s_add,
    [OP_CVT_TF32] = to_tf32,
};

alu_fn *alu_find_packed(const struct inst *inst)
{
    if (inst->type == TYPE_S16X2 || inst->type == TYPE_U16X2)
        return find_shorts(inst);
    return plain[inst->op];
}
