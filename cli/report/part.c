/* SPDX-License-Identifier: MIT */
#include "cli/report/part.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct report_part {
    FILE *file;
    int error; /* the first */
};

enum { BLOCK_BYTES = 1 << 16 };

struct report_part *part_new(const char *folder)
{
    g_autofree char *name = g_build_filename(folder, ".part-XXXXXX", NULL);
    int descriptor = g_mkstemp(name);
    if (descriptor < 0)
        return NULL;
    unlink(name);
    FILE *file = fdopen(descriptor, "w+b");
    if (!file)
        return NULL;
    struct report_part *part = g_new0(struct report_part, 1);
    part->file = file;
    return part;
}

void part_free(struct report_part *part)
{
    if (part)
        fclose(part->file);
    g_free(part);
}

static void put(FILE *file, const char *text, size_t length, int *error)
{
    if (!*error && fwrite(text, 1, length, file) < length)
        *error = errno ? errno : EIO;
}

void part_add(struct report_part *part, const char *text, size_t length)
{
    put(part->file, text, length, &part->error);
}

static void copy(struct report_part *part, FILE *to)
{
    g_autofree char *block = g_malloc(BLOCK_BYTES);
    if (!part->error && (fflush(part->file) != 0 || fseek(part->file, 0, SEEK_SET) != 0))
        part->error = errno;
    for (size_t got; !part->error && (got = fread(block, 1, BLOCK_BYTES, part->file)) > 0;)
        put(to, block, got, &part->error);
    if (ferror(part->file) && !part->error)
        part->error = EIO;
}

static int write_all(FILE *file, struct report_part *part, const char *before, const char *after)
{
    int error = 0;
    put(file, before, strlen(before), &error);
    if (part && !error) {
        copy(part, file);
        error = part->error;
    }
    put(file, after, strlen(after), &error);
    if (fflush(file) != 0 && !error)
        error = errno;
    return error;
}

/* A link or a device keeps its place and is written through. */
static bool is_replaced(const char *path)
{
    struct stat stat;
    return g_lstat(path, &stat) != 0 || S_ISREG(stat.st_mode);
}

int part_write(struct report_part *part, const char *path, const char *before, const char *after)
{
    bool replaced = is_replaced(path);
    g_autofree char *fresh = replaced ? g_strconcat(path, ".new", NULL) : g_strdup(path);
    FILE *file = fopen(fresh, "wbe");
    if (!file)
        return errno;
    int error = write_all(file, part, before, after);
    if (fclose(file) != 0 && !error)
        error = errno;
    if (replaced && !error && g_rename(fresh, path) != 0)
        error = errno;
    if (replaced && error)
        unlink(fresh);
    return error;
}
