/* SPDX-License-Identifier: MIT */
#include "cli/command/test_folder.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

#include "litmus/base/diag.h"
#include "litmus/read/split.h"

static bool refuse(struct test_folder *folder)
{
    fprintf(stderr, "ptxlit: %s: '%s' cannot be written: %s\n", diag_code(DIAG_file_unwritable),
            folder->path, g_strerror(errno));
    folder->failed = true;
    return false;
}

bool test_folder_open(struct test_folder *folder, const char *path)
{
    *folder = (struct test_folder){.path = path};
    if (!path)
        return true;
    g_autofree char *all = g_build_filename(path, "@all", NULL);
    if (g_mkdir_with_parents(path, 0777) == 0)
        folder->all = fopen(all, "w");
    return folder->all || refuse(folder);
}

/* The second word of a test is its name, which may be that of no file. */
static char *file_of(const char *test, size_t length)
{
    const char *start = memchr(test, ' ', length);
    size_t left = start ? (size_t)(test + length - ++start) : 0, n = 0;
    while (n < left && !g_ascii_isspace(start[n]))
        n++;
    g_autofree char *name = g_strndup(start, n);
    return g_strconcat(g_strdelimit(name, "/", '_'), ".litmus", NULL);
}

static bool add_one(struct test_folder *folder, const char *test, size_t length)
{
    g_autofree char *name = file_of(test, length);
    g_autofree char *path = g_build_filename(folder->path, name, NULL);
    FILE *file = fopen(path, "w");
    if (!file)
        return refuse(folder);
    bool whole = fwrite(test, 1, length, file) == length;
    whole &= fprintf(folder->all, "%s\n", name) > 0;
    return fclose(file) == 0 && whole ? true : refuse(folder);
}

bool test_folder_add(struct test_folder *folder, const char *text, size_t length)
{
    folder->any |= length > 0;
    if (!folder->path) {
        fwrite(text, 1, length, stdout);
        return !ferror(stdout);
    }
    struct arena *arena = arena_new();
    const struct source *source = source_new(arena, "", text, length);
    for (uint32_t from = 0, to; from < length && !folder->failed; from = to) {
        to = litmus_next_test(source, from);
        add_one(folder, text + from, to - from);
    }
    arena_free(arena);
    return !folder->failed;
}

bool test_folder_close(struct test_folder *folder)
{
    if (folder->all && fclose(folder->all) != 0)
        refuse(folder);
    return !folder->failed;
}
