/* SPDX-License-Identifier: MIT */
#include <glib.h>

#include "litmus/base/arena.h"
#include "model/value/rel.h"

/* Sizes around a word, and one of three words. */
static const uint32_t sizes[] = {0, 1, 2, 5, 12, 63, 64, 65, 130};

static struct rel *random_rel(struct arena *arena, GRand *rand, uint32_t n, double density)
{
    struct rel *r = rel_new(arena, n);
    for (uint32_t x = 0; x < n; x++)
        for (uint32_t y = 0; y < n; y++)
            if (g_rand_double(rand) < density)
                rel_add(r, x, y);
    return r;
}

static struct rel *random_set(struct arena *arena, GRand *rand, uint32_t n)
{
    struct rel *s = set_new(arena, n);
    for (uint32_t x = 0; x < n; x++)
        if (g_rand_boolean(rand))
            set_add(s, x);
    return s;
}

typedef bool definition(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y);

static bool in_union(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y)
{
    return rel_has(a, x, y) || rel_has(b, x, y);
}
static bool in_intersection(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y)
{
    return rel_has(a, x, y) && rel_has(b, x, y);
}
static bool in_difference(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y)
{
    return rel_has(a, x, y) && !rel_has(b, x, y);
}
static bool in_composition(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y)
{
    for (uint32_t z = 0; z < a->n; z++)
        if (rel_has(a, x, z) && rel_has(b, z, y))
            return true;
    return false;
}
static bool in_inverse(const struct rel *a, const struct rel *b, uint32_t x, uint32_t y)
{
    (void)b;
    return rel_has(a, y, x);
}

static void check(const struct rel *result, definition *expected, const struct rel *a,
                  const struct rel *b)
{
    for (uint32_t x = 0; x < a->n; x++)
        for (uint32_t y = 0; y < a->n; y++)
            g_assert_cmpint(rel_has(result, x, y), ==, expected(a, b, x, y));
}

static void operations_follow_their_definitions(void)
{
    GRand *rand = g_rand_new_with_seed(1);
    for (uint32_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct arena *arena = arena_new();
        struct rel *a = random_rel(arena, rand, sizes[i], 0.2);
        struct rel *b = random_rel(arena, rand, sizes[i], 0.1);
        struct rel *to = random_rel(arena, rand, sizes[i], 0.5);
        rel_union(to, a, b);
        check(to, in_union, a, b);
        rel_intersect(to, a, b);
        check(to, in_intersection, a, b);
        rel_difference(to, a, b);
        check(to, in_difference, a, b);
        rel_compose(to, a, b);
        check(to, in_composition, a, b);
        rel_inverse(to, a);
        check(to, in_inverse, a, b);
        rel_copy(to, a);
        rel_union(to, to, b);
        check(to, in_union, a, b);
        arena_free(arena);
    }
    g_rand_free(rand);
}

/* Closure as the limit of r, r u r;r, … */
static void naive_closure(struct arena *arena, struct rel *to, const struct rel *a)
{
    struct rel *step = rel_new(arena, a->n), *before = rel_new(arena, a->n);
    rel_copy(to, a);
    do {
        rel_copy(before, to);
        rel_compose(step, before, before);
        rel_union(to, before, step);
    } while (!rel_equal(before, to));
}

static void closure_is_the_least_transitive_relation(void)
{
    GRand *rand = g_rand_new_with_seed(2);
    for (uint32_t round = 0; round < 400; round++) {
        struct arena *arena = arena_new();
        uint32_t n = sizes[round % G_N_ELEMENTS(sizes)];
        struct rel *a = random_rel(arena, rand, n, g_rand_double_range(rand, 0, n ? 2.0 / n : 1));
        if (round % 2) /* half of them acyclic, in an order other than that of the numbers */
            for (uint32_t x = 0; x < n; x++)
                for (uint32_t y = 0; y < n; y++)
                    if ((x * 7 + 3) % 131 >= (y * 7 + 3) % 131)
                        rel_remove(a, x, y);
        struct rel *expected = rel_new(arena, n), *closed = rel_new(arena, n);
        naive_closure(arena, expected, a);
        rel_closure(closed, a);
        g_assert_true(rel_equal(closed, expected));
        rel_closure(a, a);
        g_assert_true(rel_equal(a, expected));
        arena_free(arena);
    }
    g_rand_free(rand);
}

static void products_and_identities_come_from_sets(void)
{
    GRand *rand = g_rand_new_with_seed(3);
    for (uint32_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        struct arena *arena = arena_new();
        uint32_t n = sizes[i];
        struct rel *a = random_set(arena, rand, n), *b = random_set(arena, rand, n);
        struct rel *product = random_rel(arena, rand, n, 0.5);
        struct rel *identity = random_rel(arena, rand, n, 0.5);
        rel_product(product, a, b);
        rel_identity(identity, a);
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++) {
                g_assert_cmpint(rel_has(product, x, y), ==, set_has(a, x) && set_has(b, y));
                g_assert_cmpint(rel_has(identity, x, y), ==, x == y && set_has(a, x));
            }
        arena_free(arena);
    }
    g_rand_free(rand);
}

static void emptiness_and_equality_see_the_last_pair(void)
{
    struct arena *arena = arena_new();
    struct rel *a = rel_new(arena, 130), *b = rel_new(arena, 130);
    g_assert_true(rel_is_empty(a));
    rel_add(a, 129, 129);
    g_assert_false(rel_is_empty(a));
    g_assert_false(rel_equal(a, b));
    rel_remove(a, 129, 129);
    g_assert_true(rel_equal(a, b));
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rel/operations", operations_follow_their_definitions);
    g_test_add_func("/rel/closure", closure_is_the_least_transitive_relation);
    g_test_add_func("/rel/products", products_and_identities_come_from_sets);
    g_test_add_func("/rel/empty", emptiness_and_equality_see_the_last_pair);
    return g_test_run();
}
