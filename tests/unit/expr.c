/* SPDX-License-Identifier: MIT */
#include "model/value/expr.h"

#include <glib.h>

#include "litmus/base/arena.h"

struct fixture {
    struct arena *arena;
    struct expr_pool *pool;
    expr_id x, y, p, q; /* 32-bit reads and truth values */
};

static void setup(struct fixture *f, gconstpointer data)
{
    (void)data;
    f->arena = arena_new();
    f->pool = expr_pool_new(f->arena);
    f->x = expr_read(f->pool, 32, 0, 0);
    f->y = expr_read(f->pool, 32, 0, 1);
    f->p = expr_read(f->pool, 1, 0, 2);
    f->q = expr_read(f->pool, 1, 0, 3);
}

static void teardown(struct fixture *f, gconstpointer data)
{
    (void)data;
    arena_free(f->arena);
}

static uint64_t constant(struct fixture *f, expr_id id)
{
    uint64_t value;
    g_assert_true(expr_is_const(f->pool, id, &value));
    return value;
}

static expr_id k(struct fixture *f, uint64_t value)
{
    return expr_const(f->pool, 32, value);
}

static void equal_expressions_are_one(struct fixture *f, gconstpointer data)
{
    (void)data;
    g_assert_cmpuint(expr_binary(f->pool, EXPR_ADD, f->x, f->y), ==,
                     expr_binary(f->pool, EXPR_ADD, f->y, f->x));
    g_assert_cmpuint(expr_binary(f->pool, EXPR_SUB, f->x, f->y), !=,
                     expr_binary(f->pool, EXPR_SUB, f->y, f->x));
    for (uint32_t i = 0; i < 5000; i++) /* the table grows and keeps finding */
        g_assert_cmpuint(k(f, i), ==, k(f, i));
}

static void constants_fold(struct fixture *f, gconstpointer data)
{
    (void)data;
    static const struct {
        enum expr_op op;
        uint64_t a, b, result;
    } rows[] = {
        {EXPR_ADD, 0xffffffff, 2, 1},
        {EXPR_SUB, 1, 2, 0xffffffff},
        {EXPR_MUL, 0x10000, 0x10000, 0},
        {EXPR_UDIV, 7, 0, 0xffffffff},
        {EXPR_SDIV, 0x80000000, 0xffffffff, 0x80000000},
        {EXPR_SDIV, 0xfffffff9, 2, 0xfffffffd},
        {EXPR_SDIV, 0xfffffff9, 0, 1},
        {EXPR_UREM, 7, 0, 7},
        {EXPR_SREM, 0xfffffff9, 4, 0xfffffffd},
        {EXPR_SREM, 0x80000000, 0xffffffff, 0},
        {EXPR_SHL, 1, 32, 0},
        {EXPR_LSHR, 0x80000000, 31, 1},
        {EXPR_ASHR, 0x80000000, 99, 0xffffffff},
        {EXPR_ULT, 1, 0xffffffff, 1},
        {EXPR_SLT, 1, 0xffffffff, 0},
        {EXPR_EQ, 5, 5, 1},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++)
        g_assert_cmphex(
            constant(f, expr_binary(f->pool, rows[i].op, k(f, rows[i].a), k(f, rows[i].b))), ==,
            rows[i].result);
    g_assert_cmphex(constant(f, expr_extend(f->pool, k(f, 0x80000000), 64, true)), ==,
                    0xffffffff80000000);
    g_assert_cmphex(constant(f, expr_extract(f->pool, k(f, 0x12345678), 8, 16)), ==, 0x3456);
}

static void identities_fold(struct fixture *f, gconstpointer data)
{
    (void)data;
    struct expr_pool *p = f->pool;
    g_assert_cmpuint(constant(f, expr_binary(p, EXPR_XOR, f->x, f->x)), ==, 0);
    g_assert_cmpuint(constant(f, expr_binary(p, EXPR_SUB, f->x, f->x)), ==, 0);
    g_assert_cmpuint(constant(f, expr_binary(p, EXPR_AND, f->x, k(f, 0))), ==, 0);
    g_assert_cmpuint(expr_binary(p, EXPR_ADD, f->x, k(f, 0)), ==, f->x);
    g_assert_cmpuint(expr_not(p, expr_not(p, f->x)), ==, f->x);
    expr_id twice = expr_binary(p, EXPR_ADD, expr_binary(p, EXPR_ADD, f->x, k(f, 3)), k(f, 4));
    g_assert_cmpuint(twice, ==, expr_binary(p, EXPR_ADD, f->x, k(f, 7)));
    expr_id wide = expr_extend(p, f->x, 64, false);
    g_assert_cmpuint(expr_extract(p, wide, 0, 32), ==, f->x);
    g_assert_cmpuint(expr_eq(p, wide, expr_const(p, 64, 5)), ==, expr_eq(p, f->x, k(f, 5)));
    g_assert_true(expr_is_false(p, expr_eq(p, wide, expr_const(p, 64, UINT64_C(1) << 32))));
    expr_id low = expr_extract(p, f->x, 0, 8), high = expr_extract(p, f->x, 8, 24);
    g_assert_cmpuint(expr_binary(p, EXPR_CONCAT, high, low), ==, f->x);
}

static void guards_fold(struct fixture *f, gconstpointer data)
{
    (void)data;
    struct expr_pool *p = f->pool;
    expr_id both = expr_and(p, f->p, f->q), first = expr_and(p, f->p, expr_not(p, f->q));
    g_assert_cmpuint(expr_or(p, both, first), ==, f->p);
    g_assert_true(expr_is_false(p, expr_and(p, both, expr_not(p, f->q))));
    g_assert_true(expr_is_true(p, expr_or(p, f->p, expr_not(p, f->p))));
    g_assert_cmpuint(expr_and(p, f->p, both), ==, both);
    g_assert_true(
        expr_excludes(p, expr_eq(p, f->x, k(f, 1)), expr_and(p, f->p, expr_eq(p, f->x, k(f, 2)))));
    g_assert_false(expr_excludes(p, f->p, f->q));
    g_assert_cmpuint(expr_ite(p, f->p, expr_true(p), expr_false(p)), ==, f->p);
    g_assert_cmpuint(expr_eq(p, expr_ite(p, f->p, k(f, 1), k(f, 0)), k(f, 1)), ==, f->p);
}

static bool leaves(void *context, const struct expr *leaf, uint64_t *value)
{
    const uint64_t *values = context;
    *value = values[leaf->b];
    return values[leaf->b] != UINT64_MAX;
}

static void evaluation_needs_only_what_matters(struct fixture *f, gconstpointer data)
{
    (void)data;
    struct expr_pool *p = f->pool;
    uint64_t values[] = {7, UINT64_MAX, 1, 0}, result;
    expr_id sum = expr_binary(p, EXPR_ADD, f->x, f->y);
    g_assert_false(expr_eval(p, sum, leaves, values, &result));
    g_assert_true(expr_eval(p, expr_ite(p, f->p, f->x, f->y), leaves, values, &result));
    g_assert_cmpuint(result, ==, 7);
    expr_id unknown = expr_eq(p, f->y, k(f, 1));
    g_assert_true(expr_eval(p, expr_and(p, unknown, f->q), leaves, values, &result));
    g_assert_cmpuint(result, ==, 0);
    values[1] = 0xffffffff;
    g_assert_true(expr_eval(p, sum, leaves, values, &result));
    g_assert_cmphex(result, ==, 6);
}

static void halves_of_wide_values_evaluate(struct fixture *f, gconstpointer data)
{
    (void)data;
    struct expr_pool *p = f->pool;
    uint64_t values[] = {0x11111111, 0x22222222, 0, 0}, result;
    expr_id pair = expr_binary(p, EXPR_CONCAT, f->x, f->y);
    expr_id wide = expr_binary(p, EXPR_CONCAT, pair, pair);
    g_assert_cmpuint(expr_get(p, wide)->width, ==, 128);
    g_assert_true(expr_eval(p, expr_extract(p, wide, 96, 32), leaves, values, &result));
    g_assert_cmphex(result, ==, 0x11111111);
    g_assert_true(expr_eval(p, expr_extract(p, wide, 0, 32), leaves, values, &result));
    g_assert_cmphex(result, ==, 0x22222222);
}

#define ADD(path, test) g_test_add(path, struct fixture, NULL, setup, test, teardown)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("/expr/one", equal_expressions_are_one);
    ADD("/expr/constants", constants_fold);
    ADD("/expr/identities", identities_fold);
    ADD("/expr/guards", guards_fold);
    ADD("/expr/lazy", evaluation_needs_only_what_matters);
    ADD("/expr/wide", halves_of_wide_values_evaluate);
    return g_test_run();
}
