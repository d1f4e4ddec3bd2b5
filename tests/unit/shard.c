/* SPDX-License-Identifier: MIT */
#include "cli/work/shard.h"

#include <glib.h>
#include <unistd.h>

/* Reads the costs from a file of their own. */
static struct shard_costs *read_costs(struct arena *arena, const char *text, uint32_t shards,
                                      struct diag_list *diags)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("costs-XXXXXX", &path, NULL);
    g_assert_cmpint(file, >=, 0);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    struct shard_costs *costs = shard_costs_read(arena, path, shards, diags);
    close(file);
    unlink(path);
    return costs;
}

/* Of files a to d, with two tests in b, and one that nothing is known of. */
static void test_balanced(void)
{
    static const char *const paths[] = {"a", "b", "c", "d", "new"};
    static const uint32_t expected[] = {2, 1, 2, 2, 2};
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    struct shard_costs *costs = read_costs(arena,
                                           "{\"file\":\"a\",\"milliseconds\":1.5}\n"
                                           "{\"file\":\"b\",\"milliseconds\":9}\n"
                                           "not a result\n"
                                           "{\"file\":\"b\",\"milliseconds\":9}\n"
                                           "{\"file\":\"c\",\"milliseconds\":4}\n"
                                           "{\"file\":\"d\",\"milliseconds\":0.5}",
                                           2, &diags);
    for (uint32_t i = 0; i < G_N_ELEMENTS(paths); i++)
        vec_push(arena, &inputs.items, (struct input){.path = paths[i]});
    const uint32_t *shares = shard_costs_share(arena, costs, &inputs);
    for (uint32_t i = 0; i < G_N_ELEMENTS(paths); i++)
        g_assert_cmpuint(shares[i], ==, expected[i]);
    g_assert_cmpuint(diags.errors, ==, 0);
    arena_free(arena);
}

static void test_no_times(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    read_costs(arena, "{\"file\":\"a\",\"milliseconds\":null}\n", 2, &diags);
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_null(shard_costs_read(arena, "/nowhere/costs", 2, &diags));
    g_assert_cmpuint(diags.errors, ==, 2);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/shard/balanced", test_balanced);
    g_test_add_func("/shard/no_times", test_no_times);
    return g_test_run();
}
