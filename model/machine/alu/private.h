/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_ALU_PRIVATE_H
#define MODEL_MACHINE_ALU_PRIVATE_H

#include "model/machine/alu/alu.h"

/* Shared by the files of this folder. Each offers one finder for the opcodes of its group; alu.c asks them
 * in turn. */

/* The eight integer types that differ in meaning: .b is .u, the dialect's untyped is .s64. */
enum alu_integer {
    ALU_U8,
    ALU_U16,
    ALU_U32,
    ALU_U64,
    ALU_S8,
    ALU_S16,
    ALU_S32,
    ALU_S64,
    ALU_INTEGERS
};
/* ALU_INTEGERS for types that are no integers of up to 64 bits. */
enum alu_integer alu_integer(enum type type);

__extension__ typedef __int128 alu_s128;
__extension__ typedef unsigned __int128 alu_u128;

/* F(suffix, type, unsigned type of its size, type of twice its size, bits), in enum order. */
#define ALU_INTEGER_TYPES(F)                                                                       \
    F(u8, uint8_t, uint8_t, uint16_t, 8)                                                           \
    F(u16, uint16_t, uint16_t, uint32_t, 16)                                                       \
    F(u32, uint32_t, uint32_t, uint64_t, 32)                                                       \
    F(u64, uint64_t, uint64_t, alu_u128, 64)                                                       \
    F(s8, int8_t, uint8_t, int16_t, 8)                                                             \
    F(s16, int16_t, uint16_t, int32_t, 16)                                                         \
    F(s32, int32_t, uint32_t, int64_t, 32)                                                         \
    F(s64, int64_t, uint64_t, alu_s128, 64)

/* The functions of an operation by type, in enum order: as a list, as a row of a table, and as a row of
 * what is there for the sizes 16 to 64 only. */
#define ALU_LIST(op) op##_u8, op##_u16, op##_u32, op##_u64, op##_s8, op##_s16, op##_s32, op##_s64
#define ALU_ROW(op)                                                                                \
    {                                                                                              \
        ALU_LIST(op)                                                                               \
    }
#define ALU_ROW_FROM_16(op)                                                                        \
    {                                                                                              \
        NULL, op##_u16, op##_u32, op##_u64, NULL, op##_s16, op##_s32, op##_s64                     \
    }

#define ALU_ARGS                                                                                   \
    uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *e,       \
        uint32_t n

/* d[i] depends on index i of the sources alone, so lanes may be computed side by side even when d
 * is one of the sources. */
#define ALU_FUNCTION(name, body)                                                                   \
    static void name(ALU_ARGS)                                                                     \
    {                                                                                              \
        (void)a, (void)b, (void)c, (void)e;                                                        \
        _Pragma("GCC ivdep") for (uint32_t i = 0; i < n; i++)                                      \
        {                                                                                          \
            body                                                                                   \
        }                                                                                          \
    }

alu_fn *alu_find_integer(const struct inst *inst);
alu_fn *alu_find_bits(const struct inst *inst);
alu_fn *alu_find_float(const struct inst *inst);
alu_fn *alu_find_half(const struct inst *inst);
alu_fn *alu_find_eighth(const struct inst *inst);
alu_fn *alu_find_packed(const struct inst *inst);
alu_fn *alu_find_compare(const struct inst *inst);
alu_fn *alu_find_convert(const struct inst *inst);

static inline float alu_f32(uint64_t bits)
{
    union {
        uint32_t u;
        float f;
    } value = {.u = (uint32_t)bits};
    return value.f;
}
static inline double alu_f64(uint64_t bits)
{
    union {
        uint64_t u;
        double f;
    } value = {.u = bits};
    return value.f;
}
/* PTX single-precision results that are not a number are the canonical 0x7fffffff. */
static inline uint64_t alu_from_f32(float f)
{
    union {
        float f;
        uint32_t u;
    } value = {.f = f};
    return f != f ? 0x7fffffff : value.u;
}
static inline uint64_t alu_from_f64(double f)
{
    union {
        double f;
        uint64_t u;
    } value = {.f = f};
    return value.u;
}

#endif
