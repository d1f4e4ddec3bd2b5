/* SPDX-License-Identifier: MIT */
#include "model/machine/alu/private.h"

/* Comparisons (setp, set, the dialect's branches) and selections: PTX 9.7.6. */

#define COMPARE(suffix, T, U, W, bits)                                                             \
    ALU_FUNCTION(eq_##suffix, d[i] = (T)a[i] == (T)b[i];)                                          \
    ALU_FUNCTION(ne_##suffix, d[i] = (T)a[i] != (T)b[i];)                                          \
    ALU_FUNCTION(lt_##suffix, d[i] = (T)a[i] < (T)b[i];)                                           \
    ALU_FUNCTION(le_##suffix, d[i] = (T)a[i] <= (T)b[i];)                                          \
    ALU_FUNCTION(gt_##suffix, d[i] = (T)a[i] > (T)b[i];)                                           \
    ALU_FUNCTION(ge_##suffix, d[i] = (T)a[i] >= (T)b[i];)
ALU_INTEGER_TYPES(COMPARE)

static alu_fn *const integer_table[CMP_NAN + 1][ALU_INTEGERS] = {
    [CMP_EQ] = ALU_ROW(eq), [CMP_NE] = ALU_ROW(ne), [CMP_LT] = ALU_ROW(lt), [CMP_LE] = ALU_ROW(le),
    [CMP_GT] = ALU_ROW(gt), [CMP_GE] = ALU_ROW(ge), [CMP_LO] = ALU_ROW(lt), [CMP_LS] = ALU_ROW(le),
    [CMP_HI] = ALU_ROW(gt), [CMP_HS] = ALU_ROW(ge)};

/* The plain float comparisons are false when an operand is not a number, the …u ones true. */
#define FLOAT_COMPARE(suffix, read)                                                                \
    ALU_FUNCTION(feq_##suffix, d[i] = read(a[i]) == read(b[i]);)                                   \
    ALU_FUNCTION(fne_##suffix, d[i] = read(a[i]) < read(b[i]) || read(a[i]) > read(b[i]);)         \
    ALU_FUNCTION(flt_##suffix, d[i] = read(a[i]) < read(b[i]);)                                    \
    ALU_FUNCTION(fle_##suffix, d[i] = read(a[i]) <= read(b[i]);)                                   \
    ALU_FUNCTION(fgt_##suffix, d[i] = read(a[i]) > read(b[i]);)                                    \
    ALU_FUNCTION(fge_##suffix, d[i] = read(a[i]) >= read(b[i]);)                                   \
    ALU_FUNCTION(fequ_##suffix, d[i] = !(read(a[i]) < read(b[i]) || read(a[i]) > read(b[i]));)     \
    ALU_FUNCTION(fneu_##suffix, d[i] = !(read(a[i]) == read(b[i]));)                               \
    ALU_FUNCTION(fltu_##suffix, d[i] = !(read(a[i]) >= read(b[i]));)                               \
    ALU_FUNCTION(fleu_##suffix, d[i] = !(read(a[i]) > read(b[i]));)                                \
    ALU_FUNCTION(fgtu_##suffix, d[i] = !(read(a[i]) <= read(b[i]));)                               \
    ALU_FUNCTION(fgeu_##suffix, d[i] = !(read(a[i]) < read(b[i]));)                                \
    ALU_FUNCTION(fnum_##suffix, d[i] = read(a[i]) == read(a[i]) && read(b[i]) == read(b[i]);)      \
    ALU_FUNCTION(fnan_##suffix, d[i] = read(a[i]) != read(a[i]) || read(b[i]) != read(b[i]);)
FLOAT_COMPARE(f32, alu_f32)
FLOAT_COMPARE(f64, alu_f64)

#define FLOAT_ROW(id, op) [CMP_##id] = {f##op##_f32, f##op##_f64}
static alu_fn *const float_table[CMP_NAN + 1][2] = {
    FLOAT_ROW(EQ, eq),   FLOAT_ROW(NE, ne),   FLOAT_ROW(LT, lt),   FLOAT_ROW(LE, le),
    FLOAT_ROW(GT, gt),   FLOAT_ROW(GE, ge),   FLOAT_ROW(EQU, equ), FLOAT_ROW(NEU, neu),
    FLOAT_ROW(LTU, ltu), FLOAT_ROW(LEU, leu), FLOAT_ROW(GTU, gtu), FLOAT_ROW(GEU, geu),
    FLOAT_ROW(NUM, num), FLOAT_ROW(NAN, nan)};

static alu_fn *find_comparison(enum cmp cmp, enum type type)
{
    if (type == TYPE_F32 || type == TYPE_F64)
        return float_table[cmp][type == TYPE_F64];
    enum alu_integer integer = type == TYPE_PRED ? ALU_U8 : alu_integer(type);
    if (integer == ALU_INTEGERS)
        return NULL;
    bool is_unsigned = cmp == CMP_LO || cmp == CMP_LS || cmp == CMP_HI || cmp == CMP_HS;
    return integer_table[cmp][is_unsigned ? integer % ALU_S8 : integer];
}

ALU_FUNCTION(selp, d[i] = c[i] ? a[i] : b[i];)
ALU_FUNCTION(selp_32, d[i] = (uint32_t)(c[i] ? a[i] : b[i]);)
ALU_FUNCTION(selp_16, d[i] = (uint16_t)(c[i] ? a[i] : b[i]);)
#define SELECT_BY_SIGN(T, bits)                                                                    \
    ALU_FUNCTION(slct_s32_##bits, d[i] = (T)((int32_t)c[i] >= 0 ? a[i] : b[i]);)                   \
    ALU_FUNCTION(slct_f32_##bits, d[i] = (T)(alu_f32(c[i]) >= 0 ? a[i] : b[i]);)
SELECT_BY_SIGN(uint16_t, 16)
SELECT_BY_SIGN(uint32_t, 32)
SELECT_BY_SIGN(uint64_t, 64)

static alu_fn *find_select_by_sign(const struct inst *inst)
{
    uint32_t bytes = type_bytes(inst->type);
    if (inst->source_type == TYPE_F32)
        return bytes == 2 ? slct_f32_16 : bytes == 4 ? slct_f32_32 : slct_f32_64;
    return bytes == 2 ? slct_s32_16 : bytes == 4 ? slct_s32_32 : slct_s32_64;
}

/* testp: by the bits of the exponent, and of what is behind it. */
#define TESTS(bits, infinity)                                                                      \
    ALU_FUNCTION(finite_##bits, d[i] = (a[i] & infinity) != infinity;)                             \
    ALU_FUNCTION(infinite_##bits, d[i] = (a[i] & SIZE_##bits) == infinity;)                        \
    ALU_FUNCTION(number_##bits, d[i] = (a[i] & SIZE_##bits) <= infinity;)                          \
    ALU_FUNCTION(nan_##bits, d[i] = (a[i] & SIZE_##bits) > infinity;)                              \
    ALU_FUNCTION(subnormal_##bits, d[i] = !(a[i] & infinity) && a[i] & SIZE_##bits;)               \
    ALU_FUNCTION(normal_##bits, d[i] = (a[i] & infinity) != infinity &&                            \
                                       (a[i] & infinity || !(a[i] & SIZE_##bits));)
#define SIZE_32 UINT64_C(0x7fffffff)
#define SIZE_64 (uint64_t) INT64_MAX
TESTS(32, UINT64_C(0x7f800000))
TESTS(64, UINT64_C(0x7ff0000000000000))

/* [64 bits] */
static alu_fn *const tests[OP_COUNT][2] = {
    [OP_TESTP_FINITE] = {finite_32, finite_64}, [OP_TESTP_INFINITE] = {infinite_32, infinite_64},
    [OP_TESTP_NUMBER] = {number_32, number_64}, [OP_TESTP_NAN] = {nan_32, nan_64},
    [OP_TESTP_NORMAL] = {normal_32, normal_64}, [OP_TESTP_SUBNORMAL] = {subnormal_32, subnormal_64},
};

alu_fn *alu_find_compare(const struct inst *inst)
{
    switch (inst->op) {
    case OP_SETP:
    case OP_BRANCH_COMPARE:
        return find_comparison(inst->cmp, inst->type);
    case OP_SET:
        return find_comparison(inst->cmp, inst->source_type);
    case OP_SELP: {
        uint32_t bytes = type_bytes(inst->type);
        return bytes == 2 ? selp_16 : bytes == 4 ? selp_32 : selp;
    }
    case OP_SLCT:
        return find_select_by_sign(inst);
    default:
        return tests[inst->op][inst->type == TYPE_F64];
    }
}
