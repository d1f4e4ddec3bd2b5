/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "cli/walk.h"

static const char *const files[] = {"b.litmus",   "a.litmus", "a/z.litmus",
                                    "a-b.litmus", "x.cat",    ".hidden.litmus"};

static char *make_folder(void)
{
    char *folder = g_dir_make_tmp("ptxlit-XXXXXX", NULL);
    g_autofree char *inner = g_build_filename(folder, "a", NULL);
    g_autofree char *empty = g_build_filename(folder, "empty", NULL);
    g_autofree char *loop = g_build_filename(folder, "loop", NULL);
    g_mkdir(inner, 0700);
    g_mkdir(empty, 0700);
    g_assert_cmpint(symlink(folder, loop), ==, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        g_assert_true(g_file_set_contents(path, files[i], -1, NULL));
    }
    return folder;
}

static void remove_folder(char *folder)
{
    static const char *const others[] = {"a", "empty", "loop", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i], NULL);
        g_remove(path);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        g_autofree char *path = g_build_filename(folder, others[i], NULL);
        g_remove(path);
    }
    g_free(folder);
}

static void a_folder_is_its_tests_in_byte_order(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    char *folder = make_folder();
    const char *arguments[] = {folder};
    walk_inputs(arena, arguments, 1, &inputs, &diags);
    static const char *const order[] = {"a-b.litmus", "a.litmus", "a/z.litmus", "b.litmus"};
    g_assert_cmpuint(diags.errors, ==, 0);
    g_assert_cmpuint(inputs.items.len, ==, G_N_ELEMENTS(order));
    for (uint32_t i = 0; i < inputs.items.len; i++) {
        g_assert_true(g_str_has_suffix(inputs.items.at[i].path, order[i]));
        const struct source *source = input_read(arena, &inputs.items.at[i], &diags);
        g_assert_nonnull(source);
        g_assert_cmpuint(source->length, ==, strlen(order[i]));
    }
    remove_folder(folder);
    arena_free(arena);
}

static void what_cannot_be_read_is_an_error(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    char *folder = make_folder();
    const char *arguments[] = {g_build_filename(folder, "empty", NULL),
                               g_build_filename(folder, "none.litmus", NULL)};
    walk_inputs(arena, arguments, 2, &inputs, &diags);
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_cmpint(diags.items.at[0].id, ==, DIAG_no_tests);
    g_assert_cmpuint(inputs.items.len, ==, 1);
    g_assert_null(input_read(arena, &inputs.items.at[0], &diags));
    g_assert_cmpint(diags.items.at[1].id, ==, DIAG_file_unreadable);
    g_free((char *)arguments[0]);
    g_free((char *)arguments[1]);
    remove_folder(folder);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/walk/order", a_folder_is_its_tests_in_byte_order);
    g_test_add_func("/walk/errors", what_cannot_be_read_is_an_error);
    return g_test_run();
}
