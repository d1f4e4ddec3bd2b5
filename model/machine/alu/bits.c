/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

/* Moves, logic, shifts and bit fields: PTX 9.7.7 to 9.7.9, 9.7.1.14 on. */

#define MOVE(suffix, T, U, W, bits) ALU_FUNCTION(mov_##suffix, d[i] = (U)a[i];)
ALU_INTEGER_TYPES(MOVE)
ALU_FUNCTION(mov_pred, d[i] = a[i] != 0;)
ALU_FUNCTION(not_pred, d[i] = a[i] == 0;)

#define LOGIC(suffix, T, U, W, bits)                                                               \
    ALU_FUNCTION(and_##suffix, d[i] = (U)(a[i] & b[i]);)                                           \
    ALU_FUNCTION(or_##suffix, d[i] = (U)(a[i] | b[i]);)                                            \
    ALU_FUNCTION(xor_##suffix, d[i] = (U)(a[i] ^ b[i]);)                                           \
    ALU_FUNCTION(not_##suffix, d[i] = (U)~a[i];)                                                   \
    ALU_FUNCTION(cnot_##suffix, d[i] = (U)a[i] == 0;)
ALU_INTEGER_TYPES(LOGIC)

/* The amount is an unsigned 32-bit number that clamps at the width. */
#define SHIFT(suffix, T, U, W, bits)                                                               \
    ALU_FUNCTION(shl_##suffix, const uint32_t s = (uint32_t)b[i];                                  \
                 d[i] = s >= bits ? 0 : (U)((uint64_t)(U)a[i] << (s & 63));)                       \
    ALU_FUNCTION(shr_##suffix, const uint32_t s = (uint32_t)b[i]; const T x = (T)a[i];             \
                 d[i] = (U)(x >> (s >= bits ? bits - 1 : s) >> (s >= bits ? 1 : 0));)
ALU_INTEGER_TYPES(SHIFT)

#define TABLE(op)                                                                                  \
    static alu_fn *const op##_table[ALU_INTEGERS] = {op##_u8, op##_u16, op##_u32, op##_u64,        \
                                                     op##_s8, op##_s16, op##_s32, op##_s64}
TABLE(mov);
TABLE(and);
TABLE(or);
TABLE(xor);
TABLE(not );
TABLE(cnot);
TABLE(shl);
TABLE(shr);

ALU_FUNCTION(shf_left_wrap, const uint32_t s = (uint32_t)c[i] & 31;
             d[i] = (uint32_t)((b[i] << 32 | (uint32_t)a[i]) << s >> 32);)
ALU_FUNCTION(shf_right_wrap, const uint32_t s = (uint32_t)c[i] & 31;
             d[i] = (uint32_t)((b[i] << 32 | (uint32_t)a[i]) >> s);)
ALU_FUNCTION(shf_left_clamp, const uint32_t s = (uint32_t)c[i];
             d[i] = s >= 32 ? (uint32_t)a[i]
                            : (uint32_t)((b[i] << 32 | (uint32_t)a[i]) << (s & 31) >> 32);)
ALU_FUNCTION(shf_right_clamp, const uint32_t s = (uint32_t)c[i];
             d[i] = s >= 32 ? (uint32_t)b[i]
                            : (uint32_t)((b[i] << 32 | (uint32_t)a[i]) >> (s & 31));)

/* Bit k of the table is the result for a, b, c = bits 2, 1, 0 of k. */
static uint32_t lop3_one(uint32_t a, uint32_t b, uint32_t c, uint32_t table)
{
    uint32_t result = 0;
    for (uint32_t k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return result;
}
ALU_FUNCTION(lop3, d[i] = lop3_one((uint32_t)a[i], (uint32_t)b[i], (uint32_t)c[i], (uint32_t)e[i]);)

/* Each selector nibble takes a byte of {b,a}, or with bit 3 its sign eight times. */
static uint32_t prmt_one(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t nibble = selector >> (4 * k) & 15;
        uint32_t byte = (uint32_t)(bytes >> (8 * (nibble & 7))) & 0xff;
        if (nibble & 8)
            byte = byte & 0x80 ? 0xff : 0;
        result |= byte << (8 * k);
    }
    return result;
}
ALU_FUNCTION(prmt, d[i] = prmt_one((uint32_t)a[i], (uint32_t)b[i], (uint32_t)c[i]);)

static uint64_t low_bits(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static uint64_t extract_field(uint64_t value, uint32_t pos, uint32_t len, uint32_t width, bool sign)
{
    value &= low_bits(width);
    uint64_t field = pos >= width ? 0 : value >> pos & low_bits(len);
    if (!sign || len == 0)
        return field;
    uint32_t top = pos + len - 1 < width ? pos + len - 1 : width - 1;
    uint32_t taken = pos >= width ? 0 : pos + len > width ? width - pos : len;
    if (value >> top & 1)
        field |= ~low_bits(taken);
    return field & low_bits(width);
}

static uint64_t insert_field(uint64_t field, uint64_t into, uint32_t pos, uint32_t len,
                             uint32_t width)
{
    uint64_t mask = pos >= width ? 0 : low_bits(len) << pos & low_bits(width);
    return ((into & ~mask) | (pos >= width ? 0 : field << pos & mask)) & low_bits(width);
}

#define FIELD(width)                                                                               \
    ALU_FUNCTION(bfe_u##width, d[i] = extract_field(a[i], b[i] & 255, c[i] & 255, width, false);)  \
    ALU_FUNCTION(bfe_s##width, d[i] = extract_field(a[i], b[i] & 255, c[i] & 255, width, true);)   \
    ALU_FUNCTION(bfi_##width, d[i] = insert_field(a[i], b[i], c[i] & 255, e[i] & 255, width);)
FIELD(32)
FIELD(64)

/* Index of the highest bit that is not a copy of the sign, or all ones. */
static uint32_t find_high(uint64_t value)
{
    return value == 0 ? UINT32_MAX : 63 - (uint32_t)__builtin_clzll(value);
}
#define SIGNLESS(T, v) ((T)(v) < 0 ? ~(uint64_t)(T)(v) : (uint64_t)(T)(v))
ALU_FUNCTION(bfind_u32, d[i] = find_high((uint32_t)a[i]);)
ALU_FUNCTION(bfind_u64, d[i] = find_high(a[i]);)
ALU_FUNCTION(bfind_s32, d[i] = find_high(SIGNLESS(int32_t, a[i]));)
ALU_FUNCTION(bfind_s64, d[i] = find_high(SIGNLESS(int64_t, a[i]));)

/* .shiftamt: the left shift that brings that bit to the top. */
static uint32_t high_shift(uint64_t value, uint32_t width)
{
    return value == 0 ? UINT32_MAX : width - 1 - find_high(value);
}
ALU_FUNCTION(bfind_shift_u32, d[i] = high_shift((uint32_t)a[i], 32);)
ALU_FUNCTION(bfind_shift_u64, d[i] = high_shift(a[i], 64);)
ALU_FUNCTION(bfind_shift_s32, d[i] = high_shift(SIGNLESS(int32_t, a[i]), 32);)
ALU_FUNCTION(bfind_shift_s64, d[i] = high_shift(SIGNLESS(int64_t, a[i]), 64);)

/* The offset-th set bit at or above base (below it for negative offsets), or all ones. */
static uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
    if (offset == 0)
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    int32_t step = offset > 0 ? 1 : -1;
    int64_t wanted = offset > 0 ? offset : -(int64_t)offset;
    for (int64_t k = base; k >= 0 && k < 32; k += step)
        if (mask >> k & 1 && --wanted == 0)
            return (uint32_t)k;
    return UINT32_MAX;
}
ALU_FUNCTION(fns, d[i] = find_nth_set((uint32_t)a[i], (uint32_t)b[i], (int32_t)c[i]);)

ALU_FUNCTION(popc_32, d[i] = (uint32_t)__builtin_popcount((uint32_t)a[i]);)
ALU_FUNCTION(popc_64, d[i] = (uint32_t)__builtin_popcountll(a[i]);)
ALU_FUNCTION(clz_32, d[i] = (uint32_t)a[i] ? (uint32_t)__builtin_clz((uint32_t)a[i]) : 32;)
ALU_FUNCTION(clz_64, d[i] = a[i] ? (uint32_t)__builtin_clzll(a[i]) : 64;)

static uint64_t reverse_bits(uint64_t v)
{
    v = (v >> 1 & 0x5555555555555555) | (v & 0x5555555555555555) << 1;
    v = (v >> 2 & 0x3333333333333333) | (v & 0x3333333333333333) << 2;
    v = (v >> 4 & 0x0f0f0f0f0f0f0f0f) | (v & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(v);
}
ALU_FUNCTION(brev_32, d[i] = reverse_bits(a[i] << 32) & UINT32_MAX;)
ALU_FUNCTION(brev_64, d[i] = reverse_bits(a[i]);)

static alu_fn *find_logic(const struct inst *inst)
{
    if (inst->type == TYPE_PRED)
        return inst->op == OP_MOV   ? mov_pred
               : inst->op == OP_NOT ? not_pred
               : inst->op == OP_AND ? and_u8
               : inst->op == OP_OR  ? or_u8
               : inst->op == OP_XOR ? xor_u8
                                    : NULL;
    enum type bits = inst->type == TYPE_F32   ? TYPE_B32
                     : inst->type == TYPE_F64 ? TYPE_B64
                                              : inst->type;
    if (inst->type == TYPE_F16 || inst->type == TYPE_BF16)
        bits = TYPE_B16;
    if (inst->type == TYPE_F16X2 || inst->type == TYPE_BF16X2)
        bits = TYPE_B32;
    enum alu_integer type = alu_integer(bits);
    if (type == ALU_INTEGERS)
        return NULL;
    switch (inst->op) {
    case OP_MOV:
        return mov_table[type];
    case OP_AND:
        return and_table[type];
    case OP_OR:
        return or_table[type];
    case OP_XOR:
        return xor_table[type];
    case OP_NOT:
        return not_table[type];
    case OP_CNOT:
        return cnot_table[type];
    case OP_SHL:
        return shl_table[type];
    case OP_SHR:
        return shr_table[type];
    default:
        return NULL;
    }
}

static alu_fn *find_field(const struct inst *inst, bool wide, bool sign)
{
    switch (inst->op) {
    case OP_BFE:
        return wide ? (sign ? bfe_s64 : bfe_u64) : sign ? bfe_s32 : bfe_u32;
    case OP_BFI:
        return wide ? bfi_64 : bfi_32;
    case OP_BFIND:
        if (inst->flags & FLAG_SHIFTAMT)
            return wide   ? (sign ? bfind_shift_s64 : bfind_shift_u64)
                   : sign ? bfind_shift_s32
                          : bfind_shift_u32;
        return wide ? (sign ? bfind_s64 : bfind_u64) : sign ? bfind_s32 : bfind_u32;
    case OP_POPC:
        return wide ? popc_64 : popc_32;
    case OP_CLZ:
        return wide ? clz_64 : clz_32;
    case OP_BREV:
        return wide ? brev_64 : brev_32;
    default:
        return NULL;
    }
}

alu_fn *alu_find_bits(const struct inst *inst)
{
    switch (inst->op) {
    case OP_SHF:
        if (inst->flags & FLAG_CLAMP)
            return inst->flags & FLAG_LEFT ? shf_left_clamp : shf_right_clamp;
        return inst->flags & FLAG_LEFT ? shf_left_wrap : shf_right_wrap;
    case OP_LOP3:
        return lop3;
    case OP_PRMT:
        return prmt;
    case OP_FNS:
        return fns;
    case OP_BFE:
    case OP_BFI:
    case OP_BFIND:
    case OP_POPC:
    case OP_CLZ:
    case OP_BREV: {
        enum alu_integer type = alu_integer(inst->type);
        bool wide = type == ALU_U64 || type == ALU_S64;
        bool sign = type == ALU_S32 || type == ALU_S64;
        return wide || sign || type == ALU_U32 ? find_field(inst, wide, sign) : NULL;
    }
    default:
        return find_logic(inst);
    }
}
