/* SPDX-License-Identifier: MIT */
#include "model/value/bdd.h"

#include <glib.h>

#include "litmus/base/arena.h"

enum { VARIABLES = 4, ROWS = 1 << VARIABLES, STEPS = 20000 };

/* A function beside its truth table: bit i is its value where variable k is bit k of i. */
struct function {
    bdd diagram;
    uint32_t table;
};

static uint32_t table_of_variable(uint32_t variable)
{
    uint32_t table = 0;
    for (uint32_t row = 0; row < ROWS; row++)
        table |= (row >> variable & 1) << row;
    return table;
}

static struct function combined(struct bdd_pool *pool, const struct function *a,
                                const struct function *b, const struct function *c, int op)
{
    const uint32_t all = (1u << ROWS) - 1;
    switch (op) {
    case 0:
        return (struct function){bdd_and(pool, a->diagram, b->diagram), a->table & b->table};
    case 1:
        return (struct function){bdd_or(pool, a->diagram, b->diagram), a->table | b->table};
    case 2:
        return (struct function){bdd_xor(pool, a->diagram, b->diagram), a->table ^ b->table};
    case 3:
        return (struct function){bdd_not(pool, a->diagram), ~a->table & all};
    default:
        return (struct function){bdd_if(pool, a->diagram, b->diagram, c->diagram),
                                 (a->table & b->table) | (~a->table & c->table & all)};
    }
}

/* Whatever way a function is made, its number is the one of its truth table, and nobody else's. */
static void a_function_has_one_number(void)
{
    struct arena *arena = arena_new();
    struct bdd_pool *pool = bdd_pool_new(arena, 1 << 20);
    g_autoptr(GRand) rand = g_rand_new_with_seed(4);
    g_autoptr(GHashTable) diagram_of = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) table_of = g_hash_table_new(NULL, NULL);
    struct function known[64] = {{BDD_FALSE, 0}, {BDD_TRUE, (1u << ROWS) - 1}};
    for (uint32_t i = 2; i < G_N_ELEMENTS(known); i++)
        known[i] =
            (struct function){bdd_variable(pool, i % VARIABLES), table_of_variable(i % VARIABLES)};
    for (int step = 0; step < STEPS; step++) {
        const struct function *pick[3];
        for (int i = 0; i < 3; i++)
            pick[i] = &known[g_rand_int_range(rand, 0, G_N_ELEMENTS(known))];
        struct function f = combined(pool, pick[0], pick[1], pick[2], g_rand_int_range(rand, 0, 5));
        gpointer table = GUINT_TO_POINTER(f.table), diagram = GUINT_TO_POINTER(f.diagram);
        if (g_hash_table_contains(diagram_of, table))
            g_assert_true(g_hash_table_lookup(diagram_of, table) == diagram);
        if (g_hash_table_contains(table_of, diagram))
            g_assert_true(g_hash_table_lookup(table_of, diagram) == table);
        g_hash_table_insert(diagram_of, table, diagram);
        g_hash_table_insert(table_of, diagram, table);
        known[g_rand_int_range(rand, 0, G_N_ELEMENTS(known))] = f;
    }
    g_assert_false(bdd_full(pool));
    g_assert_cmpuint(g_hash_table_size(diagram_of), >, 1000);
    arena_free(arena);
}

/* The pool's own table grows several times on the way. */
static void many_functions_stay_apart(void)
{
    struct arena *arena = arena_new();
    struct bdd_pool *pool = bdd_pool_new(arena, 1 << 20);
    enum { MANY = 5000 };
    for (uint32_t i = 0; i < MANY; i++)
        g_assert_cmpuint(bdd_variable(pool, i), ==, i + 2);
    for (uint32_t i = 0; i < MANY; i++)
        g_assert_cmpuint(bdd_variable(pool, i), ==, i + 2);
    arena_free(arena);
}

static void a_pool_says_when_it_is_full(void)
{
    struct arena *arena = arena_new();
    struct bdd_pool *pool = bdd_pool_new(arena, 10);
    bdd all = BDD_TRUE;
    for (uint32_t i = 0; i < 4; i++)
        bdd_variable(pool, i);
    g_assert_false(bdd_full(pool));
    for (uint32_t i = 0; i < 20; i++)
        all = bdd_and(pool, all, bdd_variable(pool, i));
    g_assert_true(bdd_full(pool));
    struct bdd_pool *given_up = bdd_pool_new(arena, 1000);
    g_assert_false(bdd_full(given_up));
    bdd_give_up(given_up);
    g_assert_true(bdd_full(given_up));
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/bdd/one", a_function_has_one_number);
    g_test_add_func("/bdd/many", many_functions_stay_apart);
    g_test_add_func("/bdd/full", a_pool_says_when_it_is_full);
    return g_test_run();
}
