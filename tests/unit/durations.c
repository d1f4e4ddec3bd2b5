/* SPDX-License-Identifier: MIT */
#include "cli/work/durations.h"

#include <glib.h>
#include <unistd.h>

/* Reads the durations from a file of their own. */
static struct durations *read_durations(struct arena *arena, const char *text, uint32_t shards,
                                        struct diag_list *diags)
{
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("durations-XXXXXX", &path, NULL);
    g_assert_cmpint(file, >=, 0);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    struct durations *durations = durations_read(arena, path, shards, diags);
    close(file);
    unlink(path);
    return durations;
}

/* Of files a to d, with two tests in b, and one that nothing is known of. */
static void test_balanced(void)
{
    static const char *const paths[] = {"a", "b", "c", "d", "new"};
    static const uint32_t expected[] = {2, 1, 2, 2, 2}, in_order[] = {1, 4, 2, 0, 3};
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    struct durations *durations = read_durations(arena,
                                                 "{\"file\":\"a\",\"milliseconds\":1.5}\n"
                                                 "{\"file\":\"b\",\"milliseconds\":9}\n"
                                                 "not a result\n"
                                                 "{\"file\":\"b\",\"milliseconds\":9}\n"
                                                 "{\"file\":\"c\",\"milliseconds\":4}\n"
                                                 "{\"file\":\"d\",\"milliseconds\":0.5}",
                                                 2, &diags);
    for (uint32_t i = 0; i < G_N_ELEMENTS(paths); i++)
        vec_push(arena, &inputs.items, (struct input){.path = paths[i]});
    const uint32_t *shares = durations_share(arena, durations, &inputs);
    const uint32_t *order = durations_order(arena, durations, &inputs);
    for (uint32_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_assert_cmpuint(shares[i], ==, expected[i]);
        g_assert_cmpuint(order[i], ==, in_order[i]);
    }
    g_assert_cmpuint(diags.errors, ==, 0);
    arena_free(arena);
}

static void test_no_times(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    read_durations(arena, "{\"file\":\"a\",\"milliseconds\":null}\n", 2, &diags);
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_null(durations_read(arena, "/nowhere/durations", 2, &diags));
    g_assert_cmpuint(diags.errors, ==, 2);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/durations/balanced", test_balanced);
    g_test_add_func("/durations/no_times", test_no_times);
    return g_test_run();
}
