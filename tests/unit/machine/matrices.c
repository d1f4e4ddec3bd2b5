/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "tests/unit/machine/kernel.h"

/* Products of matrices of small elements: each warp loads the registers that the manual's formulas name (PTX 9.7.14.5),
 * or lets wmma do it, and the sums are those of plain loops over the bits in memory. */

enum { A_AT = 0, B_AT = 256, C_AT = 512, MOST = 16 * 8 };

static const struct form {
    const char *a, *b, *d, *more; /* words; 'more': behind them, or behind "wmma.mma" */
    uint32_t m, k;
    bool wmma;
} forms[] = {
    {"s4", "s4", "s32", "", 8, 32, false},
    {"u4", "s4", "s32", "", 16, 32, false},
    {"s4", "u4", "s32", "", 16, 64, false},
    {"u4", "u4", "s32", ".satfinite", 16, 64, false},
    {"b1", "b1", "s32", ".xor.popc", 8, 128, false},
    {"b1", "b1", "s32", ".xor.popc", 16, 128, false},
    {"b1", "b1", "s32", ".xor.popc", 16, 256, false},
    {"b1", "b1", "s32", ".and.popc", 8, 128, false},
    {"b1", "b1", "s32", ".and.popc", 16, 256, false},
    {"e4m3", "e4m3", "f32", "", 16, 32, false},
    {"e4m3", "e5m2", "f32", "", 16, 32, false},
    {"e5m2", "e4m3", "f32", "", 16, 32, false},
    {"e5m2", "e5m2", "f16", "", 16, 32, false},
    {"e4m3", "e5m2", "f16", "", 16, 16, false},
    {"s8", "u8", "s32", "", 16, 32, false},
    {"u8", "u8", "s32", ".satfinite", 16, 16, false},
    {"s4", "s4", "s32", "", 8, 32, true},
    {"u4", "u4", "s32", ".satfinite", 8, 32, true},
    {"b1", "b1", "s32", ".xor.popc", 8, 128, true},
    {"b1", "b1", "s32", ".and.popc", 8, 128, true},
};

static bool is_float(const char *element)
{
    return *element == 'e' || *element == 'f';
}

/* "s4": 4, "e4m3" and "e5m2": 8. */
static uint32_t bits_of(const char *element)
{
    return *element == 'e' ? 8 : (uint32_t)atoi(element + 1);
}

/* ---- what the numbers are ---------------------------------------------------------------------- */

/* Sign, 4 or 5 bits of exponent, 3 or 2 of fraction (OCP 8-bit floating point). */
static double eighth(uint32_t bits, uint32_t fraction)
{
    int bias = fraction == 3 ? 7 : 15, exponent = (int)((bits & 0x7f) >> fraction);
    double part = (bits & ((1u << fraction) - 1)) / (double)(1u << fraction);
    double size = exponent ? ldexp(1 + part, exponent - bias) : ldexp(part, 1 - bias);
    return bits & 0x80 ? -size : size;
}

static double number(const char *element, uint32_t bits)
{
    float single;
    memcpy(&single, &bits, sizeof single);
    if (*element == 'e')
        return eighth(bits, element[1] == '4' ? 3 : 2);
    if (*element == 'f')
        return single;
    bool negative = *element == 's' && bits >> (bits_of(element) - 1);
    return negative ? (double)bits - ldexp(1, (int)bits_of(element)) : bits;
}

/* Element i of numbers that lie one behind the other, the first one in the lowest bits. */
static double element(const char *what, const uint32_t *words, uint32_t i)
{
    uint32_t bits = bits_of(what), word = words[i * bits / 32] >> i * bits % 32;
    return number(what, bits == 32 ? word : word & ((1u << bits) - 1));
}

static double product(const struct form *f, double a, double b)
{
    return strstr(f->more, "xor") ? a != b : a * b;
}

/* Rows of a and columns of b are in memory, and rows of c and d. */
static uint32_t expected(const struct form *f, const uint32_t *in, uint32_t row, uint32_t column)
{
    const char *c = *f->d == 'f' ? "f32" : "s32";
    double sum = element(c, in + C_AT, row * 8 + column);
    for (uint32_t k = 0; k < f->k; k++)
        sum += product(f, element(f->a, in + A_AT, row * f->k + k),
                       element(f->b, in + B_AT, column * f->k + k));
    if (*f->d == 'f')
        return (uint32_t)type_fraction_bits(f->d[1] == '1' ? TYPE_F16 : TYPE_F32, sum);
    if (strstr(f->more, "satfinite"))
        sum = fmax(fmin(sum, INT32_MAX), INT32_MIN);
    return (uint32_t)(int64_t)sum;
}

/* ---- the kernels -------------------------------------------------------------------------------- */

static void put_list(GString *code, char letter, uint32_t count)
{
    g_string_append(code, ", {");
    for (uint32_t i = 0; i < count; i++)
        g_string_append_printf(code, "%s%%%c%u", i ? ", " : "", letter, i);
    g_string_append_c(code, '}');
}

/* Words of a row of a, of 32 bits; a register has one of each group of four. */
static uint32_t words_of(const struct form *f)
{
    return f->k * bits_of(f->a) / 32;
}

static const char prologue[] =
    ".reg .b32 %a<4>, %b<2>, %c<4>, %d<4>; .reg .f32 %w<4>; .reg .b16 %e<8>;\n"
    "and.b32 %r2, %r31, 3; shr.u32 %r3, %r31, 2;\n";

/* The lane's word in a row (group, + 8) and column of a matrix with rows of 'words', from %rd5 on. */
static void put_place(GString *code, uint32_t words, uint32_t columns, uint32_t at,
                      const char *base)
{
    g_string_append_printf(code,
                           "mad.lo.u32 %%r4, %%r3, %u, 0; mad.lo.u32 %%r4, %%r2, %u, %%r4; "
                           "mul.wide.u32 %%rd5, %%r4, 4; add.u64 %%rd5, %s, %%rd5; "
                           "add.u64 %%rd5, %%rd5, %u;\n",
                           words, columns, base, at * 4);
}

static void put_loads(GString *code, const struct form *f)
{
    uint32_t words = words_of(f), halves = f->m / 8;
    put_place(code, words, 1, A_AT, "%rd2");
    for (uint32_t i = 0; i < halves * words / 4; i++)
        g_string_append_printf(code, "ld.global.u32 %%a%u, [%%rd5+%u];\n", i,
                               4 * (i % halves * 8 * words + i / halves * 4));
    put_place(code, words, 1, B_AT, "%rd2");
    for (uint32_t i = 0; i < words / 4; i++)
        g_string_append_printf(code, "ld.global.u32 %%b%u, [%%rd5+%u];\n", i, 16 * i);
    put_place(code, 8, 2, C_AT, "%rd2");
    for (uint32_t i = 0; i < 2 * halves; i++)
        g_string_append_printf(code, "ld.global.u32 %%c%u, [%%rd5+%u];\n", i,
                               4 * (i / 2 * 64 + i % 2));
}

/* Accumulators of halves are pairs. */
static void put_halves(GString *code)
{
    for (uint32_t i = 0; i < 2; i++)
        g_string_append_printf(code,
                               "mov.b32 %%w0, %%c%u; mov.b32 %%w1, %%c%u; cvt.rn.f16x2.f32 %%c%u, "
                               "%%w1, %%w0;\n",
                               2 * i, 2 * i + 1, i);
}

static void put_stores(GString *code, const struct form *f, bool halves)
{
    put_place(code, 8, 2, 0, "%rd1");
    for (uint32_t i = 0; i < f->m / 4; i++) {
        if (halves && i % 2 == 0)
            g_string_append_printf(code,
                                   "mov.b32 {%%e0, %%e1}, %%d%u; cvt.u32.u16 %%a0, %%e0; "
                                   "cvt.u32.u16 %%a1, %%e1;\n",
                                   i / 2);
        g_string_append_printf(code, "st.global.u32 [%%rd5+%u], %%%c%u;\n",
                               4 * (i / 2 * 64 + i % 2), halves ? 'a' : 'd', halves ? i % 2 : i);
    }
}

static void put_mma(GString *code, const struct form *f)
{
    bool halves = strcmp(f->d, "f16") == 0;
    uint32_t sums = f->m / 4 / (halves ? 2 : 1), words = words_of(f);
    put_loads(code, f);
    if (halves)
        put_halves(code);
    g_string_append_printf(code, "mma.sync.aligned.m%un8k%u.row.col%s.%s.%s.%s.%s%s ", f->m, f->k,
                           strstr(f->more, "satfinite") ? f->more : "", f->d, f->a, f->b, f->d,
                           strstr(f->more, "satfinite") ? "" : f->more);
    put_list(code, 'd', sums);
    g_string_erase(code, (gssize)(strrchr(code->str, '{') - code->str) - 2, 2);
    put_list(code, 'a', f->m / 8 * words / 4);
    put_list(code, 'b', words / 4);
    put_list(code, 'c', sums);
    g_string_append(code, ";\n");
    put_stores(code, f, halves);
}

static void put_wmma(GString *code, const struct form *f)
{
    bool counts = strstr(f->more, "popc");
    g_string_append_printf(
        code,
        "add.u64 %%rd5, %%rd2, %u; add.u64 %%rd6, %%rd2, %u;\n"
        "wmma.load.a.sync.aligned.row.m8n8k%u.global.%s {%%a0}, [%%rd2], %u;\n"
        "wmma.load.b.sync.aligned.col.m8n8k%u.global.%s {%%b0}, [%%rd5], %u;\n"
        "wmma.load.c.sync.aligned.row.m8n8k%u.global.s32 {%%c0, %%c1}, [%%rd6], 8;\n"
        "wmma.mma%s.sync.aligned.row.col.m8n8k%u.s32.%s.%s.s32%s {%%d0, %%d1}, {%%a0}, {%%b0}, "
        "{%%c0, %%c1};\n"
        "wmma.store.d.sync.aligned.row.m8n8k%u.global.s32 [%%rd1], {%%d0, %%d1}, 8;\n",
        4 * B_AT, 4 * C_AT, f->k, f->a, f->k, f->k, f->b, f->k, f->k, counts ? f->more : "", f->k,
        f->a, f->b, counts ? "" : f->more, f->k);
}

/* ---- tests -------------------------------------------------------------------------------------- */

/* Any bits, but of floating point: neither infinite nor so far apart that a sum in double precision rounds. */
static void fill(GRand *random, const struct form *f, uint32_t in[OUT_WORDS])
{
    for (uint32_t i = 0; i < OUT_WORDS; i++) {
        uint32_t word = g_rand_int(random);
        const float small = (float)(int32_t)(word % 2048) - 1024;
        in[i] = is_float(f->a) ? word & 0xbfbfbfbf : word;
        if (i >= C_AT && is_float(f->d))
            memcpy(&in[i], &small, sizeof small);
        else if (i >= C_AT && i % 2)
            in[i] = word % 2 ? INT32_MAX - word % 64 : UINT32_C(0x80000000) + word % 64;
    }
}

static void check_form(gconstpointer data)
{
    const struct form *f = data;
    struct arena *arena = arena_new();
    GRand *random = g_rand_new_with_seed(5);
    GString *code = g_string_new(prologue);
    uint32_t in[OUT_WORDS];
    (f->wmma ? put_wmma : put_mma)(code, f);
    fill(random, f, in);
    const struct kernel_case c = {.name = f->a, .body = code->str, .block = 32};
    struct kernel_result found = kernel_on_grid(arena, &c, in);
    g_assert_true(found.done);
    for (uint32_t row = 0; row < f->m; row++)
        for (uint32_t column = 0; column < 8; column++)
            g_assert_cmphex(found.out[row * 8 + column], ==, expected(f, in, row, column));
    g_string_free(code, true);
    g_rand_free(random);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const struct form *f = &forms[i];
        g_autofree char *name =
            g_strdup_printf("/matrices/%s.m%uk%u.%s.%s.%s%s", f->wmma ? "wmma" : "mma", f->m, f->k,
                            f->a, f->b, f->d, f->more);
        g_test_add_data_func(name, f, check_form);
    }
    return g_test_run();
}
