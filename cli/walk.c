/* SPDX-License-Identifier: MIT */
#include "cli/walk.h"

#include <dirent.h>
#include <errno.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct walk {
    struct arena *arena;
    struct input_list *inputs;
    struct diag_list *diags;
};

static void walk_folder(struct walk *walk, const char *folder);

/* An entry of a folder. Paths have a length limit, so recursion ends. */
static void walk_entry(struct walk *walk, const char *path)
{
    struct stat stat;
    if (lstat(path, &stat) != 0)
        return; /* gone since the folder was listed */
    if (S_ISDIR(stat.st_mode)) {
        walk_folder(walk, path);
    } else if (g_str_has_suffix(path, ".litmus")) {
        struct input input = {arena_strdup(walk->arena, path), NULL, 0};
        vec_push(walk->arena, &walk->inputs->items, input);
    }
}

static void walk_folder(struct walk *walk, const char *folder)
{
    DIR *stream = opendir(folder);
    if (!stream) {
        diag_add(walk->diags, DIAG_directory_unreadable, NULL, (struct span){0}, NULL,
                 "cannot list '%s': %s", folder, g_strerror(errno));
        return;
    }
    const char *slash = g_str_has_suffix(folder, "/") ? "" : "/";
    for (struct dirent *entry; (entry = readdir(stream));) {
        if (entry->d_name[0] == '.')
            continue;
        g_autofree char *path = g_strconcat(folder, slash, entry->d_name, NULL);
        walk_entry(walk, path);
    }
    closedir(stream);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const struct input *)a)->path, ((const struct input *)b)->path);
}

static void walk_argument_folder(struct walk *walk, const char *folder)
{
    uint32_t first = walk->inputs->items.len, errors = walk->diags->errors;
    walk_folder(walk, folder);
    uint32_t found = walk->inputs->items.len - first;
    if (found)
        qsort(walk->inputs->items.at + first, found, sizeof(struct input), compare_paths);
    else if (walk->diags->errors == errors)
        diag_add(walk->diags, DIAG_no_tests, NULL, (struct span){0}, NULL,
                 "'%s' holds no *.litmus file", folder);
}

/* Reads to the end, but no more than one byte past the limit, which input_read then refuses. */
static const char *read_stream(struct arena *arena, FILE *stream, size_t *length)
{
    size_t size = 64 * 1024, used = 0;
    char *text = g_malloc(size);
    for (size_t got; (got = fread(text + used, 1, size - used, stream)) > 0;) {
        used += got;
        if (used > SOURCE_MAX_BYTES)
            break;
        if (used == size)
            text = g_realloc(text, size *= 2);
    }
    const char *kept = arena_strndup(arena, text, used);
    g_free(text);
    *length = used;
    return kept;
}

void walk_inputs(struct arena *arena, const char *const *arguments, uint32_t count,
                 struct input_list *inputs, struct diag_list *diags)
{
    struct walk walk = {arena, inputs, diags};
    for (uint32_t i = 0; i < count; i++) {
        struct input input = {arguments[i], NULL, 0};
        if (strcmp(arguments[i], "-") == 0)
            input.text = read_stream(arena, stdin, &input.length);
        else if (g_file_test(arguments[i], G_FILE_TEST_IS_DIR)) {
            walk_argument_folder(&walk, arguments[i]);
            continue;
        }
        vec_push(arena, &inputs->items, input);
    }
}

static bool read_file(struct arena *arena, struct input *input, struct diag_list *diags)
{
    FILE *stream = fopen(input->path, "rbe");
    if (stream)
        input->text = read_stream(arena, stream, &input->length);
    bool good = stream && !ferror(stream);
    if (!good)
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 input->path, g_strerror(errno));
    if (stream)
        fclose(stream);
    return good;
}

const struct source *input_read(struct arena *arena, const struct input *input,
                                struct diag_list *diags)
{
    struct input read = *input;
    if (!read.text && !read_file(arena, &read, diags))
        return NULL;
    if (read.length > SOURCE_MAX_BYTES) {
        diag_add(diags, DIAG_file_too_large, NULL, (struct span){0}, NULL,
                 "'%s' is larger than 64 MiB", read.path);
        return NULL;
    }
    return source_new(arena, read.path, read.text, read.length);
}
