/* SPDX-License-Identifier: MIT */
#include "cli/work/walk.h"

#include <dirent.h>
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "litmus/base/file.h"
#include "litmus/base/sort.h"

struct walk {
    struct arena *arena;
    struct input_list *inputs;
    struct diag_list *diags;
};

static void walk_folder(struct walk *walk, const char *folder);

/* 'what' comes before the path, which may be so long that a message cuts it. */
static void report(struct walk *walk, const char *what, int error, const char *path)
{
    diag_add(walk->diags, DIAG_directory_unreadable, NULL, (struct span){0}, NULL, "%s (%s): '%s'",
             what, g_strerror(error), path);
}

/* An entry of a folder; false when it cannot be told what it is (errno says why). Paths have a
 * length limit, so recursion ends. */
static bool walk_entry(struct walk *walk, const char *path)
{
    struct stat stat;
    if (lstat(path, &stat) != 0)
        return errno == ENOENT; /* gone since the folder was listed */
    if (S_ISDIR(stat.st_mode)) {
        walk_folder(walk, path);
    } else if (g_str_has_suffix(path, ".litmus")) {
        struct input input = {arena_strdup(walk->arena, path), NULL, 0, NULL};
        vec_push(walk->arena, &walk->inputs->items, input);
    }
    return true;
}

/* One entry that cannot be looked at stands for all of its folder: either no entry of it can be, or
 * what is below it has too long a path. */
static void walk_entries(struct walk *walk, DIR *stream, const char *folder)
{
    const char *slash = g_str_has_suffix(folder, "/") ? "" : "/";
    bool told = false;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(stream)); errno = 0) {
        if (entry->d_name[0] == '.')
            continue;
        g_autofree char *path = g_strconcat(folder, slash, entry->d_name, NULL);
        if (!walk_entry(walk, path) && !told) {
            report(walk, "cannot read what is in a folder", errno, folder);
            told = true;
        }
    }
    if (errno)
        report(walk, "cannot list all of a folder", errno, folder);
}

static void walk_folder(struct walk *walk, const char *folder)
{
    DIR *stream = opendir(folder);
    if (!stream) {
        report(walk, "cannot list a folder", errno, folder);
        return;
    }
    walk_entries(walk, stream, folder);
    closedir(stream);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct input *)a)->path, ((const struct input *)b)->path);
}

static const char *folder_of(struct arena *arena, const char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    return arena_strdup(arena, folder);
}

static const char *family_below(struct arena *arena, const char *folder, const char *path)
{
    const char *inside = path + strlen(folder);
    inside += *inside == '/';
    const char *slash = strchr(inside, '/');
    return slash ? arena_strndup(arena, inside, (size_t)(slash - inside)) : ".";
}

static void walk_argument_folder(struct walk *walk, const char *folder)
{
    uint32_t first = walk->inputs->items.len, errors = walk->diags->errors;
    walk_folder(walk, folder);
    uint32_t found = walk->inputs->items.len - first;
    if (found)
        sort_array(walk->inputs->items.at + first, found, sizeof(struct input), compare_paths);
    else if (walk->diags->errors == errors)
        diag_add(walk->diags, DIAG_no_tests, NULL, (struct span){0}, NULL,
                 "'%s' holds no *.litmus file", folder);
    for (uint32_t i = first; i < walk->inputs->items.len; i++)
        walk->inputs->items.at[i].family =
            family_below(walk->arena, folder, walk->inputs->items.at[i].path);
}

void walk_inputs(struct arena *arena, const char *const *arguments, uint32_t count,
                 struct input_list *inputs, struct diag_list *diags)
{
    struct walk walk = {arena, inputs, diags};
    for (uint32_t i = 0; i < count; i++) {
        struct input input = {arguments[i], NULL, 0, folder_of(arena, arguments[i])};
        if (strcmp(arguments[i], "-") == 0) {
            input.text = file_drain(arena, stdin, SOURCE_MAX_BYTES, &input.length);
            if (ferror(stdin))
                diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL,
                         "cannot read standard input: %s", g_strerror(errno));
        } else if (g_file_test(arguments[i], G_FILE_TEST_IS_DIR)) {
            walk_argument_folder(&walk, arguments[i]);
            continue;
        }
        vec_push(arena, &inputs->items, input);
    }
}
