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

/* [.clamp][.l] */
static alu_fn *const funnel_shifts[2][2] = {{shf_right_wrap, shf_left_wrap},
                                            {shf_right_clamp, shf_left_clamp}};

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

/* bfe: a signed field is extended by its highest bit within the value. */
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

/* b ones from bit a on; past 31 they are clamped or wrapped. */
static uint32_t mask_one(uint32_t at, uint32_t count, bool clamp)
{
    if (clamp && (at > 31 || count == 0))
        return 0;
    at &= 31;
    count = clamp ? (count > 32 ? 32 : count) : count & 31;
    return (uint32_t)(((UINT64_C(1) << count) - 1) << at);
}
ALU_FUNCTION(bmsk_clamp, d[i] = mask_one((uint32_t)a[i], (uint32_t)b[i], true);)
ALU_FUNCTION(bmsk_wrap, d[i] = mask_one((uint32_t)a[i], (uint32_t)b[i], false);)

/* The lowest b bits, extended. */
static uint32_t extend_one(uint32_t value, uint32_t count, bool sign, bool clamp)
{
    count = clamp ? (count > 32 ? 32 : count) : count & 31;
    if (count == 0 || count == 32)
        return count ? value : 0;
    return sign ? (uint32_t)((int32_t)(value << (32 - count)) >> (32 - count))
                : value << (32 - count) >> (32 - count);
}
#define EXTEND(name, sign, clamp)                                                                  \
    ALU_FUNCTION(name, d[i] = extend_one((uint32_t)a[i], (uint32_t)b[i], sign, clamp);)
EXTEND(szext_u_wrap, false, false)
EXTEND(szext_s_wrap, true, false)
EXTEND(szext_u_clamp, false, true)
EXTEND(szext_s_clamp, true, true)
/* [.clamp][signed] */
static alu_fn *const clamped[OP_COUNT][2][2] = {
    [OP_BMSK] = {{bmsk_wrap, bmsk_wrap}, {bmsk_clamp, bmsk_clamp}},
    [OP_SZEXT] = {{szext_u_wrap, szext_s_wrap}, {szext_u_clamp, szext_s_clamp}},
};
ALU_FUNCTION(pending_count, d[i] = a[i] & 0xfffff;) /* see sync/mbarrier.c */

static alu_fn *const by_type[OP_COUNT][ALU_INTEGERS] = {
    [OP_MOV] = ALU_ROW(mov), [OP_AND] = ALU_ROW(and),  [OP_OR] = ALU_ROW(or),
    [OP_XOR] = ALU_ROW(xor), [OP_NOT] = ALU_ROW(not ), [OP_CNOT] = ALU_ROW(cnot),
    [OP_SHL] = ALU_ROW(shl), [OP_SHR] = ALU_ROW(shr),
};
static alu_fn *const of_predicates[OP_COUNT] = {
    [OP_MOV] = mov_pred, [OP_NOT] = not_pred, [OP_AND] = and_u8, [OP_OR] = or_u8, [OP_XOR] = xor_u8,
};
/* [64 bits][signed] */
static alu_fn *const by_width[OP_COUNT][2][2] = {
    [OP_BFE] = {{bfe_u32, bfe_s32}, {bfe_u64, bfe_s64}},
    [OP_BFI] = {{bfi_32, bfi_32}, {bfi_64, bfi_64}},
    [OP_BFIND] = {{bfind_u32, bfind_s32}, {bfind_u64, bfind_s64}},
    [OP_POPC] = {{popc_32, popc_32}, {popc_64, popc_64}},
    [OP_CLZ] = {{clz_32, clz_32}, {clz_64, clz_64}},
    [OP_BREV] = {{brev_32, brev_32}, {brev_64, brev_64}},
};
static alu_fn *const shift_amounts[2][2] = {{bfind_shift_u32, bfind_shift_s32},
                                            {bfind_shift_u64, bfind_shift_s64}};
static alu_fn *const of_words[OP_COUNT] = {[OP_LOP3] = lop3,
                                           [OP_PRMT] = prmt,
                                           [OP_FNS] = fns,
                                           [OP_MBARRIER_PENDING_COUNT] = pending_count};

/* Floats are moved as the bits that they are. */
static enum type bits_of(enum type type)
{
    return type_is_float(type) ? type_with('b', type_bytes(type)) : type;
}

alu_fn *alu_find_bits(const struct inst *inst)
{
    enum alu_integer type = alu_integer(bits_of(inst->type));
    bool wide = type == ALU_U64 || type == ALU_S64, sign = type == ALU_S32 || type == ALU_S64;
    if (inst->op == OP_SHF)
        return funnel_shifts[inst->flags & FLAG_CLAMP ? 1 : 0][inst->flags & FLAG_LEFT ? 1 : 0];
    if (clamped[inst->op][0][0])
        return clamped[inst->op][inst->flags & FLAG_CLAMP ? 1 : 0][sign];
    if (of_words[inst->op])
        return of_words[inst->op];
    if (inst->type == TYPE_PRED)
        return of_predicates[inst->op];
    if (by_width[inst->op][0][0] && (wide || sign || type == ALU_U32))
        return (inst->flags & FLAG_SHIFTAMT ? shift_amounts : by_width[inst->op])[wide][sign];
    return type != ALU_INTEGERS ? by_type[inst->op][type] : NULL;
}
