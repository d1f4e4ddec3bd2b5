/* SPDX-License-Identifier: MIT */
#include "model/value/expr_bits.h"

#include <glib.h>

#include "litmus/base/arena.h"

enum { WIDTH = 4, LIMIT = 1 << 20 };

struct fixture {
    struct arena *arena;
    struct expr_pool *pool;
    expr_id x, y;
};

static void setup(struct fixture *f, gconstpointer data)
{
    unsigned width = GPOINTER_TO_UINT(data);
    f->arena = arena_new();
    f->pool = expr_pool_new(f->arena);
    f->x = expr_read(f->pool, width, 0, 0);
    f->y = expr_read(f->pool, width, 0, 1);
}

static void teardown(struct fixture *f, gconstpointer data)
{
    (void)data;
    arena_free(f->arena);
}

/* 'varied' has another value in the second version. */
static struct expr_bits *bits_of(struct fixture *f, enum expr_bits_order order, expr_id varied,
                                 uint32_t limit)
{
    uint32_t count = expr_count(f->pool);
    expr_id *itself = ARENA_ARRAY(f->arena, expr_id, count);
    bool *is_varied = ARENA_ARRAY(f->arena, bool, count);
    for (expr_id id = 0; id < count; id++)
        itself[id] = id;
    is_varied[varied] = true;
    struct expr_bits_options options = {
        .exprs = f->pool, .leaf_of = itself, .varied = is_varied, .order = order, .limit = limit};
    return expr_bits_new(f->arena, &options);
}

static bool leaves(void *context, const struct expr *leaf, uint64_t *value)
{
    *value = ((const uint64_t *)context)[leaf->b];
    return true;
}

static uint64_t value_of(struct fixture *f, expr_id id, uint64_t x, uint64_t y)
{
    uint64_t values[] = {x, y}, result;
    g_assert_true(expr_eval(f->pool, id, leaves, values, &result));
    return result;
}

/* Every operation that has a result of its operands' width, or a truth value, by an example. */
static GArray *examples(struct fixture *f)
{
    static const enum expr_op binary[] = {EXPR_ADD,  EXPR_SUB,   EXPR_MUL,  EXPR_UDIV, EXPR_SDIV,
                                          EXPR_UREM, EXPR_SREM,  EXPR_AND,  EXPR_OR,   EXPR_XOR,
                                          EXPR_SHL,  EXPR_LSHR,  EXPR_ASHR, EXPR_EQ,   EXPR_ULT,
                                          EXPR_SLT,  EXPR_CONCAT};
    GArray *list = g_array_new(FALSE, FALSE, sizeof(expr_id));
    struct expr_pool *p = f->pool;
    for (size_t i = 0; i < G_N_ELEMENTS(binary); i++) {
        expr_id both = expr_binary(p, binary[i], f->x, f->y);
        g_array_append_val(list, both);
    }
    expr_id others[] = {
        expr_not(p, f->x),
        expr_ite(p, expr_binary(p, EXPR_ULT, f->x, f->y), f->y, expr_not(p, f->x)),
        expr_extract(p, expr_binary(p, EXPR_ADD, f->x, f->y), 1, 2),
        expr_extend(p, f->x, 7, false),
        expr_extend(p, f->x, 7, true),
        expr_binary(p, EXPR_MUL, expr_extend(p, f->x, 7, true), expr_extend(p, f->y, 7, false)),
    };
    g_array_append_vals(list, others, G_N_ELEMENTS(others));
    return list;
}

/* "The leaves have these values, and the expression has another": true of no leaves. */
static expr_id denial(struct fixture *f, expr_id id, uint64_t x, uint64_t y)
{
    struct expr_pool *p = f->pool;
    unsigned width = expr_get(p, id)->width;
    expr_id result = expr_const(p, width, value_of(f, id, x, y));
    expr_id here = expr_and(p, expr_eq(p, f->x, expr_const(p, WIDTH, x)),
                            expr_eq(p, f->y, expr_const(p, WIDTH, y)));
    return expr_and(p, here, expr_not(p, expr_eq(p, id, result)));
}

static void check_operation(struct fixture *f, expr_id id, enum expr_bits_order order)
{
    expr_id denials[1 << (2 * WIDTH)];
    for (uint64_t i = 0; i < G_N_ELEMENTS(denials); i++)
        denials[i] = denial(f, id, i % (1 << WIDTH), i >> WIDTH);
    expr_id other = expr_not(f->pool, id);
    struct expr_bits *bits = bits_of(f, order, f->x, LIMIT);
    for (size_t i = 0; i < G_N_ELEMENTS(denials); i++)
        g_assert_cmpuint(expr_bit(bits, denials[i], 0, false), ==, BDD_FALSE);
    for (unsigned i = 0; i < expr_get(f->pool, id)->width; i++)
        g_assert_cmpuint(bdd_xor(expr_bits_pool(bits), expr_bit(bits, id, i, true),
                                 expr_bit(bits, other, i, true)),
                         ==, BDD_TRUE);
    g_assert_false(bdd_full(expr_bits_pool(bits)));
}

/* On all operands of four bits the bits are those of the evaluator's result. */
static void bits_are_those_of_the_value(struct fixture *f, gconstpointer data)
{
    (void)data;
    g_autoptr(GArray) list = examples(f);
    for (guint i = 0; i < list->len; i++)
        for (int order = 0; order < EXPR_BITS_ORDERS; order++)
            check_operation(f, g_array_index(list, expr_id, i), (enum expr_bits_order)order);
}

static void the_second_version_differs_where_it_matters(struct fixture *f, gconstpointer data)
{
    (void)data;
    struct expr_pool *p = f->pool;
    expr_id one = expr_const(p, 8, 1);
    expr_id even = expr_binary(p, EXPR_AND, one,
                               expr_binary(p, EXPR_MUL, f->x, expr_binary(p, EXPR_ADD, f->x, one)));
    expr_id sum = expr_binary(p, EXPR_ADD, f->x, f->y);
    expr_id odd = expr_binary(p, EXPR_OR, f->x, one);
    for (int order = 0; order < EXPR_BITS_ORDERS; order++) {
        struct expr_bits *bits = bits_of(f, (enum expr_bits_order)order, f->x, LIMIT);
        g_assert_cmpuint(expr_bits_equal(bits, even, even), ==, BDD_TRUE);
        g_assert_cmpuint(expr_bits_equal(bits, f->y, f->y), ==, BDD_TRUE);
        g_assert_cmpuint(expr_bits_equal(bits, sum, sum), !=, BDD_TRUE);
        g_assert_cmpuint(expr_bits_equal(bits, sum, sum), !=, BDD_FALSE);
        g_assert_cmpuint(expr_bit(bits, odd, 0, true), ==, BDD_TRUE);
        g_assert_cmpuint(expr_bit(bits, odd, 1, true), !=, expr_bit(bits, odd, 1, false));
        g_assert_cmpuint(expr_bit(bits, f->y, 1, true), ==, expr_bit(bits, f->y, 1, false));
        g_assert_false(bdd_full(expr_bits_pool(bits)));
    }
}

/* A comparison of two leaves is small in one order, a row of questions to many in the other. */
static void each_order_has_its_use(struct fixture *f, gconstpointer data)
{
    (void)data;
    enum { SMALL = 10000, ROW = 12 };
    struct expr_pool *p = f->pool;
    expr_id less = expr_binary(p, EXPR_ULT, f->x, f->y), none = expr_true(p);
    for (uint32_t i = 0; i < ROW; i++)
        none = expr_and(p, none,
                        expr_not(p, expr_eq(p, expr_read(p, 32, 0, i), expr_const(p, 32, 7 * i))));
    for (int order = 0; order < EXPR_BITS_ORDERS; order++) {
        struct expr_bits *bits = bits_of(f, (enum expr_bits_order)order, f->x, SMALL);
        expr_bit(bits, less, 0, false);
        g_assert_cmpint(bdd_full(expr_bits_pool(bits)), ==, order == EXPR_BITS_BY_LEAF);
        bits = bits_of(f, (enum expr_bits_order)order, f->x, SMALL);
        expr_bit(bits, none, 0, false);
        g_assert_cmpint(bdd_full(expr_bits_pool(bits)), ==, order == EXPR_BITS_BY_BIT);
    }
}

#define ADD(path, width, test)                                                                     \
    g_test_add(path, struct fixture, GUINT_TO_POINTER(width), setup, test, teardown)

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    ADD("/expr-bits/operations", WIDTH, bits_are_those_of_the_value);
    ADD("/expr-bits/versions", 8, the_second_version_differs_where_it_matters);
    ADD("/expr-bits/orders", 32, each_order_has_its_use);
    return g_test_run();
}
