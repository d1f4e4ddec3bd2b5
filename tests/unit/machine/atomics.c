/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "model/machine/alu/alu.h"
#include "tests/unit/machine/kernel.h"

/* Atomics: the table of lane-semantics section 7 with its wraps and signs, and vector 14. */

#define M32   UINT64_C(0xffffffff)
#define M64   UINT64_MAX
#define MIN32 UINT64_C(0x80000000)
#define MIN64 UINT64_C(0x8000000000000000)

/* Old value r, operands b and c; the new value; does it write? */
static const struct {
    enum atom_op op;
    enum type type;
    uint64_t r, b, c, value;
    bool keeps; /* a cas that fails */
} rows[] = {
    {ATOM_ADD, TYPE_U32, M32, 2, 0, 1, 0},
    {ATOM_ADD, TYPE_S32, 0x7fffffff, 1, 0, MIN32, 0},
    {ATOM_ADD, TYPE_U64, M64, 2, 0, 1, 0},
    {ATOM_ADD, TYPE_U64, M32, 1, 0, UINT64_C(0x100000000), 0},
    {ATOM_ADD, TYPE_F32, 0x3f800000, 0x33800000, 0, 0x3f800000, 0}, /* 1 + 2^-24: to even */
    {ATOM_ADD, TYPE_F32, 0x3f800001, 0x33800000, 0, 0x3f800002, 0},
    {ATOM_ADD, TYPE_F64, UINT64_C(0x3ff0000000000000), UINT64_C(0x4000000000000000), 0,
     UINT64_C(0x4008000000000000), 0},
    {ATOM_ADD, TYPE_F16, 0x3c00, 0x1400, 0, 0x3c01, 0}, /* 1 + 2^-10 */
    {ATOM_ADD, TYPE_F16X2, 0x3c004000, 0x40003c00, 0, 0x42004200, 0},
    {ATOM_ADD, TYPE_BF16, 0x3f80, 0x3f80, 0, 0x4000, 0},
    {ATOM_ADD, TYPE_BF16X2, 0x3f804000, 0x40003f80, 0, 0x40404040, 0},
    {ATOM_MIN, TYPE_U32, 5, M32, 0, 5, 0},
    {ATOM_MIN, TYPE_S32, 5, M32, 0, M32, 0},
    {ATOM_MIN, TYPE_S32, MIN32, 0x7fffffff, 0, MIN32, 0},
    {ATOM_MIN, TYPE_U64, 5, M64, 0, 5, 0},
    {ATOM_MIN, TYPE_U64, MIN32, UINT64_C(0x100000000), 0, MIN32, 0},
    {ATOM_MIN, TYPE_S64, 5, M64, 0, M64, 0},
    {ATOM_MIN, TYPE_S64, MIN64, 0, 0, MIN64, 0},
    {ATOM_MAX, TYPE_U32, 5, M32, 0, M32, 0},
    {ATOM_MAX, TYPE_S32, 5, M32, 0, 5, 0},
    {ATOM_MAX, TYPE_U64, 5, M64, 0, M64, 0},
    {ATOM_MAX, TYPE_S64, 5, M64, 0, 5, 0},
    {ATOM_MAX, TYPE_S64, MIN32, 1, 0, MIN32, 0}, /* positive in 64 bits */
    {ATOM_INC, TYPE_U32, 0, 3, 0, 1, 0},
    {ATOM_INC, TYPE_U32, 2, 3, 0, 3, 0},
    {ATOM_INC, TYPE_U32, 3, 3, 0, 0, 0},
    {ATOM_INC, TYPE_U32, 9, 3, 0, 0, 0},
    {ATOM_INC, TYPE_U32, M32, M32, 0, 0, 0},
    {ATOM_INC, TYPE_U32, MIN32, 3, 0, 0, 0}, /* unsigned */
    {ATOM_DEC, TYPE_U32, 0, 3, 0, 3, 0},
    {ATOM_DEC, TYPE_U32, 9, 3, 0, 3, 0},
    {ATOM_DEC, TYPE_U32, 3, 3, 0, 2, 0},
    {ATOM_DEC, TYPE_U32, 1, 3, 0, 0, 0},
    {ATOM_DEC, TYPE_U32, MIN32, 3, 0, 3, 0},
    {ATOM_AND, TYPE_B32, 0xf0f0, 0xff00, 0, 0xf000, 0},
    {ATOM_AND, TYPE_B64, M64, MIN64, 0, MIN64, 0},
    {ATOM_OR, TYPE_B32, 0xf0f0, 0x0f00, 0, 0xfff0, 0},
    {ATOM_OR, TYPE_B64, 1, MIN64, 0, MIN64 | 1, 0},
    {ATOM_XOR, TYPE_B32, M32, 0xff, 0, 0xffffff00, 0},
    {ATOM_XOR, TYPE_B64, M64, MIN64, 0, MIN64 - 1, 0},
    {ATOM_EXCH, TYPE_B32, 1, M32, 0, M32, 0},
    {ATOM_EXCH, TYPE_B64, 1, M64, 0, M64, 0},
    {ATOM_CAS, TYPE_B16, 0x1234, 0x1234, 7, 7, 0},
    {ATOM_CAS, TYPE_B16, 0x1234, 0x1235, 7, 0x1234, 1},
    {ATOM_CAS, TYPE_B32, 5, 5, M32, M32, 0},
    {ATOM_CAS, TYPE_B32, 5, M32, 7, 5, 1},
    {ATOM_CAS, TYPE_B64, M64, M64, 7, 7, 0},
    {ATOM_CAS, TYPE_B64, M64, M32, 7, M64, 1},
};

static void every_row_computes(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        bool writes;
        uint64_t mask = M64 >> (64 - 8 * type_bytes(rows[i].type));
        uint64_t value =
            alu_atomic(rows[i].op, rows[i].type, rows[i].r, rows[i].b, rows[i].c, &writes);
        if ((value & mask) != rows[i].value || writes == rows[i].keeps)
            g_error("row %zu: .%s.%s gives %llx, writes %d", i, atom_op_name(rows[i].op),
                    type_name(rows[i].type), (unsigned long long)value, writes);
    }
}

/* The same rows through memory, on both engines: what is returned is the old value. */
static void every_row_runs(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        struct arena *arena = arena_new();
        const char *type = type_name(rows[i].type), *op = atom_op_name(rows[i].op);
        uint32_t bits = 8 * type_bytes(rows[i].type);
        const char *reg = bits == 16 ? "%h" : bits == 32 ? "%r" : "%rd";
        bool number = type_is_float(rows[i].type);
        const char *third = rows[i].op == ATOM_CAS ? arena_printf(arena, ", %s12", reg) : "";
        const char *body = arena_printf(
            arena,
            "mov.b%u %s10, %lld; mov.b%u %s11, %lld; mov.b%u %s12, %lld; st.global.b%u [%%rd1], "
            "%s10;\natom.global.%s.%s %s13, [%%rd1], %s11%s; st.global.b%u [%%rd1+8], %s13;\n",
            bits, reg, (long long)rows[i].r, bits, reg, (long long)rows[i].b, bits, reg,
            (long long)rows[i].c, bits, reg, op, type, reg, reg, third, bits, reg);
        const struct kernel_case c = {.name = op, .block = 1, .body = body};
        struct kernel_result found[2] = {kernel_on_grid(arena, &c, NULL),
                                         kernel_by_lanes(arena, &c, NULL, 1)};
        for (uint32_t k = 0; k < 2; k++) {
            uint64_t now = found[k].out[0] | (uint64_t)found[k].out[1] << 32;
            uint64_t old = found[k].out[2] | (uint64_t)found[k].out[3] << 32;
            if (now != rows[i].value || old != rows[i].r)
                g_error("row %zu: .%s.%s%s leaves %llx, returns %llx", i, op, type,
                        number ? " (bits)" : "", (unsigned long long)now, (unsigned long long)old);
        }
        arena_free(arena);
    }
}

static int compare_words(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return left < right ? -1 : left > right;
}

static void old_values_are(const struct kernel_result *found)
{
    static const uint32_t wanted[] = {0, 0, 1, 1, 2, 3};
    uint32_t old[6];
    memcpy(old, found->out + 1, sizeof old);
    qsort(old, 6, sizeof *old, compare_words);
    g_assert_cmpuint(found->out[0], ==, 2);
    g_assert_cmpmem(old, sizeof old, wanted, sizeof wanted);
}

/* Vector 14: six threads, b = 3. */
static void increments_return_each_value(void)
{
    static const struct kernel_case c = {
        .name = "inc",
        .block = 6,
        .body = "atom.global.inc.u32 %r2, [%rd1], 3; st.global.u32 [%rd4+4], %r2;"};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct arena *arena = arena_new();
        struct kernel_result grid = kernel_on_grid(arena, &c, NULL),
                             lanes = kernel_by_lanes(arena, &c, NULL, seed);
        old_values_are(&grid);
        old_values_are(&lanes);
        arena_free(arena);
    }
}

static const struct kernel_case cases[] = {
    {.name = "exch-128-bits",
     .block = 1,
     .expect = "5 0 6 0 0 0 9 0",
     .reports = "",
     .body = "mov.u64 %rd5, 0; mov.u64 %rd6, 9; st.global.v2.u64 [%rd1], {%rd5, %rd6};\n"
             "mov.u64 %rd7, 5; mov.u64 %rd8, 6; mov.b128 %q1, {%rd7, %rd8};\n"
             "atom.global.exch.b128 %q2, [%rd1], %q1; mov.b128 {%rd9, %rd10}, %q2;\n"
             "st.global.v2.u64 [%rd1+16], {%rd9, %rd10};"},
    {.name = "dec-returns-the-old-value",
     .block = 1,
     .expect = "3 0",
     .reports = "",
     .body = "atom.global.dec.u32 %r2, [%rd1], 3; st.global.u32 [%rd1+4], %r2;"},
    {.name = "red-returns-nothing-and-adds",
     .block = 32,
     .expect = "496",
     .reports = "",
     .body = "red.global.add.u32 [%rd1], %r1;"},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/machine/atomics/rows", every_row_computes);
    g_test_add_func("/machine/atomics/rows-run", every_row_runs);
    g_test_add_func("/machine/atomics/old-values", increments_return_each_value);
    kernel_add_cases("/machine/atomics", cases, G_N_ELEMENTS(cases));
    return g_test_run();
}
