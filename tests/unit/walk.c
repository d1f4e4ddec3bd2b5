/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/work/walk.h"

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
    static const char *const families[] = {".", ".", "a", "."};
    g_assert_cmpuint(diags.errors, ==, 0);
    g_assert_cmpuint(inputs.items.len, ==, G_N_ELEMENTS(order));
    for (uint32_t i = 0; i < inputs.items.len; i++) {
        g_assert_true(g_str_has_suffix(inputs.items.at[i].path, order[i]));
        g_assert_cmpstr(inputs.items.at[i].family, ==, families[i]);
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

/* As a user who is not the superuser, to whom every folder is open. False when that cannot be. */
static bool walk_as_a_user(const char *folder, struct input_list *inputs, struct diag_list *diags)
{
    bool superuser = geteuid() == 0;
    if (superuser && seteuid(65534) != 0)
        return false;
    walk_inputs(diags->arena, &folder, 1, inputs, diags);
    g_assert_true(!superuser || seteuid(0) == 0);
    return true;
}

/* Below a folder that may be listed but not entered, or entered but not listed, tests are lost: the
 * folder is named, and the others are found. */
static void a_folder_that_is_closed_is_an_error(gconstpointer mode)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    char *folder = make_folder();
    g_autofree char *inner = g_build_filename(folder, "a", NULL);
    g_autofree char *empty = g_build_filename(folder, "empty", NULL);
    g_assert_cmpint(g_chmod(folder, 0755) | g_chmod(empty, 0755), ==, 0);
    g_assert_cmpint(g_chmod(inner, (unsigned)GPOINTER_TO_INT(mode)), ==, 0);
    if (walk_as_a_user(folder, &inputs, &diags)) {
        g_assert_cmpuint(inputs.items.len, ==, 3);
        g_assert_cmpuint(diags.errors, ==, 1);
        g_assert_cmpint(diags.items.at[0].id, ==, DIAG_directory_unreadable);
        g_assert_nonnull(strstr(diags.items.at[0].message, inner));
        g_assert_nonnull(strstr(diags.items.at[0].message, g_strerror(EACCES)));
    } else {
        g_test_skip("the superuser's rights cannot be put down");
    }
    g_chmod(inner, 0700);
    remove_folder(folder);
    arena_free(arena);
}

enum { DEEP = 20, LONG_NAME = 250 };

/* Folders in folders, each made from inside the one before, as no path to the last can be. */
static void make_deep(const char *folder, const char *name)
{
    int inside = open(folder, O_RDONLY | O_DIRECTORY);
    for (int i = 0; i < DEEP; i++) {
        g_assert_cmpint(mkdirat(inside, name, 0700), ==, 0);
        int next = openat(inside, name, O_RDONLY | O_DIRECTORY);
        g_assert_cmpint(next, >=, 0);
        close(inside);
        inside = next;
    }
    close(openat(inside, "deep.litmus", O_CREAT | O_WRONLY, 0600));
    close(inside);
}

static void remove_deep(int folder, const char *name, int depth)
{
    int inside = depth ? openat(folder, name, O_RDONLY | O_DIRECTORY) : -1;
    if (inside < 0)
        return;
    unlinkat(inside, "deep.litmus", 0);
    remove_deep(inside, name, depth - 1);
    close(inside);
    unlinkat(folder, name, AT_REMOVEDIR);
}

static void a_path_that_is_too_long_is_an_error(void)
{
    struct arena *arena = arena_new();
    struct diag_list diags = {.arena = arena};
    struct input_list inputs = {0};
    char *folder = make_folder();
    g_autofree char *name = g_strnfill(LONG_NAME, 'd');
    make_deep(folder, name);
    const char *arguments[] = {folder};
    walk_inputs(arena, arguments, 1, &inputs, &diags);
    g_assert_cmpuint(inputs.items.len, ==, 4);
    g_assert_cmpuint(diags.errors, ==, 1);
    g_assert_cmpint(diags.items.at[0].id, ==, DIAG_directory_unreadable);
    g_assert_nonnull(strstr(diags.items.at[0].message, folder));
    int top = open(folder, O_RDONLY | O_DIRECTORY);
    remove_deep(top, name, DEEP);
    close(top);
    remove_folder(folder);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/walk/order", a_folder_is_its_tests_in_byte_order);
    g_test_add_func("/walk/errors", what_cannot_be_read_is_an_error);
    g_test_add_data_func("/walk/listed-not-entered", GINT_TO_POINTER(0744),
                         a_folder_that_is_closed_is_an_error);
    g_test_add_data_func("/walk/entered-not-listed", GINT_TO_POINTER(0711),
                         a_folder_that_is_closed_is_an_error);
    g_test_add_func("/walk/too-long", a_path_that_is_too_long_is_an_error);
    return g_test_run();
}
