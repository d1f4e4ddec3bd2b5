/* SPDX-License-Identifier: MIT */
#include "model/execution/outcome.h"

#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/graph/layout.h"

static struct test *parse(struct arena *arena, const char *text)
{
    struct diag_list diags = {.arena = arena};
    struct test *test = litmus_parse(arena, source_new(arena, "t", text, strlen(text)), &diags);
    g_assert_nonnull(test);
    return test;
}

static const char two_threads[] = "PTX t\n{ x=0; }\n"
                                  " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                                  " st.weak x, 1   | ld.weak r0, x  ;\n"
                                  "                | ld.weak r1, x  ;\n"
                                  "exists (1:r0 == 1 /\\ 1:r1 < 0 /\\ x == 2)";

static void states_are_sorted_and_print_as_herd_does(void)
{
    struct arena *arena = arena_new();
    struct test *test = parse(arena, two_threads);
    struct outcome_set set = {.test = test, .arena = arena};
    static const uint64_t rows[][3] = {{1, 0, 2}, {UINT64_MAX, 5, 0}, {1, 0, 2}, {0, 7, 7}};
    uint32_t index;
    g_assert_cmpuint(test->observed_count, ==, 3);
    for (unsigned i = 0; i < 4; i++)
        outcome_add(&set, rows[i]);
    g_assert_cmpuint(set.items.len, ==, 3);
    g_assert_cmpstr(outcome_print(arena, test, set.items.at[0].values), ==,
                    "1:r0=-1; 1:r1=5; [x]=0;");
    g_assert_cmpstr(outcome_print(arena, test, set.items.at[2].values), ==,
                    "1:r0=1; 1:r1=0; [x]=2;");
    g_assert_true(outcome_find(&set, rows[3], &index));
    g_assert_cmpuint(index, ==, 1);
    arena_free(arena);
}

static void conditions_read_signed_values(void)
{
    struct arena *arena = arena_new();
    struct test *test = parse(arena, two_threads);
    static const uint64_t yes[] = {1, UINT64_MAX, 2}, no[] = {1, 3, 2};
    g_assert_true(outcome_satisfies(test, test->condition, yes));
    g_assert_false(outcome_satisfies(test, test->condition, no));
    g_assert_true(outcome_satisfies(test, NULL, no));
    arena_free(arena);
}

static void addresses_print_as_names(void)
{
    struct arena *arena = arena_new();
    struct test *test = parse(arena, two_threads);
    uint64_t values[3] = {layout_address(test, 0, 0), layout_address(test, 0, 0) + 4, 0};
    g_assert_cmpstr(outcome_print(arena, test, values), ==, "1:r0=&x; 1:r1=&x+4; [x]=0;");
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/outcome/print", states_are_sorted_and_print_as_herd_does);
    g_test_add_func("/outcome/condition", conditions_read_signed_values);
    g_test_add_func("/outcome/address", addresses_print_as_names);
    return g_test_run();
}
