/* SPDX-License-Identifier: MIT */
#include "cli/work/walk.h"

#include <dirent.h>
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "litmus/base/file.h"
#include "litmus/base/sort.h"

static void walk_folder(const char *folder, struct input_list *inputs, struct diag_list *diags);

/* 'what' comes before the path, which may be so long that a message cuts it. */
static void report(struct diag_list *diags, const char *what, int error, const char *path)
{
    diag_add(diags, DIAG_directory_unreadable, NULL, (struct span){0}, NULL, "%s (%s): '%s'", what,
             g_strerror(error), path);
}

/* An entry of a folder; false when it cannot be told what it is (errno says why). Paths have a
 * length limit, so recursion ends. */
static bool walk_entry(const char *path, struct input_list *inputs, struct diag_list *diags)
{
    struct stat stat;
    if (lstat(path, &stat) != 0)
        return errno == ENOENT; /* gone since the folder was listed */
    if (S_ISDIR(stat.st_mode)) {
        walk_folder(path, inputs, diags);
    } else if (g_str_has_suffix(path, ".litmus")) {
        struct input input = {.path = arena_strdup(diags->arena, path)};
        vec_push(diags->arena, &inputs->items, input);
    }
    return true;
}

/* One entry that cannot be looked at stands for all of its folder: either no entry of it can be, or
 * what is below it has too long a path. */
static void walk_entries(DIR *stream, const char *folder, struct input_list *inputs,
                         struct diag_list *diags)
{
    const char *slash = g_str_has_suffix(folder, "/") ? "" : "/";
    bool told = false;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(stream)); errno = 0) {
        if (entry->d_name[0] == '.')
            continue;
        g_autofree char *path = g_strconcat(folder, slash, entry->d_name, NULL);
        if (!walk_entry(path, inputs, diags) && !told) {
            report(diags, "cannot read what is in a folder", errno, folder);
            told = true;
        }
    }
    if (errno)
        report(diags, "cannot list all of a folder", errno, folder);
}

static void walk_folder(const char *folder, struct input_list *inputs, struct diag_list *diags)
{
    DIR *stream = opendir(folder);
    if (!stream) {
        report(diags, "cannot list a folder", errno, folder);
        return;
    }
    walk_entries(stream, folder, inputs, diags);
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

static void walk_argument_folder(const char *folder, struct input_list *inputs,
                                 struct diag_list *diags)
{
    uint32_t first = inputs->items.len, errors = diags->errors;
    walk_folder(folder, inputs, diags);
    uint32_t found = inputs->items.len - first;
    if (found)
        sort_array(&inputs->items.at[first], found, sizeof(struct input), compare_paths);
    else if (diags->errors == errors)
        diag_add(diags, DIAG_no_tests, NULL, (struct span){0}, NULL, "'%s' holds no *.litmus file",
                 folder);
    for (uint32_t i = first; i < inputs->items.len; i++)
        inputs->items.at[i].family = family_below(diags->arena, folder, inputs->items.at[i].path);
}

static void walk_path(struct arena *arena, const char *path, struct input_list *inputs,
                      struct diag_list *diags)
{
    struct input input = {path, NULL, 0, folder_of(arena, path)};
    if (g_file_test(path, G_FILE_TEST_IS_DIR))
        walk_argument_folder(path, inputs, diags);
    else
        vec_push(arena, &inputs->items, input);
}

/* A line "tests/mp.litmus", from the folder of the list; "#…" says nothing. */
static void walk_list(struct arena *arena, const char *list, struct input_list *inputs,
                      struct diag_list *diags)
{
    size_t length;
    const char *text = file_read(arena, list, SOURCE_MAX_BYTES, &length);
    if (!text) {
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL,
                 "cannot read the list '%s': %s", list, g_strerror(errno));
        return;
    }
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        const char *name = g_strstrip(*line);
        g_autofree char *beside = g_build_filename(folder_of(arena, list), name, NULL);
        bool here = g_path_is_absolute(name) || strcmp(folder_of(arena, list), ".") == 0;
        if (*name && *name != '#')
            walk_path(arena, arena_strdup(arena, here ? name : beside), inputs, diags);
    }
}

void walk_inputs(struct arena *arena, const char *const *arguments, uint32_t count,
                 struct input_list *inputs, struct diag_list *diags)
{
    for (uint32_t i = 0; i < count; i++) {
        if (arguments[i][0] == '@')
            walk_list(arena, arguments[i] + 1, inputs, diags);
        else
            walk_path(arena, arguments[i], inputs, diags);
    }
}
