/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_ALU_ALU_H
#define MODEL_MACHINE_ALU_ALU_H

#include <stdint.h>

#include "litmus/test/test.h"

/* What PTX's lane-private instructions compute: pure functions over arrays of lanes, used by the
 * warp at 32 lanes a call and by a single lane with n = 1. Registers are 64-bit bags: an operation
 * of a narrower type reads the low bits of its sources and writes its result zero-extended
 * (sign-extended for the untyped registers of the dialect). Predicates are 0 or 1.
 *
 * d may be one of the sources. Unused sources are NULL. Never traps: division by zero gives all
 * ones, and the caller, who sees MICRO_DIVIDES, makes the result poison. */
typedef void alu_fn(uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c,
                    const uint64_t *e, uint32_t n);

/* The function of an instruction that needs one step, or NULL when there is none with that type.
 * setp: the bare comparison (decode_arithmetic.c adds the combination). */
alu_fn *alu_find(const struct inst *inst);

/* A value as the register of a load or an atomic holds it: the low bits of 'bits' extended by type.
 */
uint64_t alu_extend(enum type type, uint64_t bits);

/* The lowest bytes of a value, the others cleared. */
static inline uint64_t alu_low_bytes(uint64_t value, uint32_t bytes)
{
    return bytes >= 8 ? value : value & ((UINT64_C(1) << (8 * bytes)) - 1);
}

/* The new value of an atomic (lane-semantics section 7), at the width of 'type': 'old' is r, 'b'
 * and 'c' the operands. Sets *writes false for a cas that fails. */
uint64_t alu_atomic(enum atom_op op, enum type type, uint64_t old, uint64_t b, uint64_t c,
                    bool *writes);

/* The numbers that elements of matrices are. A double holds each of them, and each product of two. */
double alu_element_number(enum matrix_element element, uint64_t bits);
/* To the nearest. 'saturates': a whole number that is too large is the largest one; else it wraps around. */
uint64_t alu_element_of(enum matrix_element element, double number, bool saturates);

#endif
