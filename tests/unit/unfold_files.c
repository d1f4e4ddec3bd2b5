/* SPDX-License-Identifier: MIT */
#include <glib.h>
#include <string.h>

#include "tests/unit/graphs.h"

/* Every test of a tree unfolds. The tree beside the repository is optional; the corpus is not. */

struct tally {
    uint32_t files, events;
};

static void unfold_file(const char *path, struct tally *tally)
{
    char *text;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    struct unfolded u = unfold_bytes(path, text, length, false);
    if (!u.graph)
        for (uint32_t i = 0; i < u.diags.items.len; i++)
            g_test_message("%s", diag_headline(u.arena, &u.diags.items.at[i]));
    if (!u.graph)
        g_test_fail();
    else
        tally->events += u.graph->event_count;
    tally->files++;
    arena_free(u.arena);
    g_free(text);
}

static void walk(const char *folder, struct tally *tally)
{
    GDir *dir = g_dir_open(folder, 0, NULL);
    const char *name;
    g_assert_nonnull(dir);
    while ((name = g_dir_read_name(dir))) {
        char *path = g_build_filename(folder, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            walk(path, tally);
        else if (g_str_has_suffix(name, ".litmus"))
            unfold_file(path, tally);
        g_free(path);
    }
    g_dir_close(dir);
}

static void walk_tree(gconstpointer data)
{
    const char *root = data;
    struct tally tally = {0};
    if (!root || !g_file_test(root, G_FILE_TEST_IS_DIR)) {
        g_test_skip("the folder is not here");
        return;
    }
    walk(root, &tally);
    g_test_message("%u files, %u events", tally.files, tally.events);
    g_assert_cmpuint(tally.files, >, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/unfold-files/corpus", g_getenv("CORPUS"), walk_tree);
    g_test_add_data_func("/unfold-files/conformance", g_getenv("CONFORMANCE"), walk_tree);
    return g_test_run();
}
