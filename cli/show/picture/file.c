/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/file.h"

#include <errno.h>
#include <stdio.h>

/* Test names may hold '/'; file names not. */
static char *path_for(struct job *job, const char *target, const char *suffix)
{
    if (!g_file_test(target, G_FILE_TEST_IS_DIR))
        return g_strdup(target);
    g_autofree char *name = g_strdelimit(g_strdup(job->test->name), "/", '_');
    g_autofree char *file = g_strconcat(name, suffix, NULL);
    return g_build_filename(target, file, NULL);
}

static bool write_file(const char *path, const GString *text)
{
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(text->str, 1, text->len, file) == text->len;
    return file && fclose(file) == 0 && good;
}

bool picture_save(struct job *job, const char *target, const char *suffix, const GString *text)
{
    g_autofree char *path = path_for(job, target, suffix);
    bool written = write_file(path, text);
    if (!written)
        diag_add(&job->diags, DIAG_file_unwritable, NULL, (struct span){0, 0}, NULL,
                 "cannot write '%s': %s", path, g_strerror(errno));
    return written;
}

bool picture_write(struct job *job, const struct explanation *explanation,
                   enum picture_format format, const char *target, GString *err)
{
    const char *refused;
    GString *picture = target ? picture_draw(explanation, format, &refused) : NULL;
    if (target && !picture)
        g_string_append_printf(err, "%s: no picture: %s\n", job->path, refused);
    if (!picture)
        return true;
    bool written = picture_save(job, target, format == PICTURE_SVG ? ".svg" : ".dot", picture);
    g_string_free(picture, TRUE);
    return written;
}

bool picture_folder(const char *target, bool many)
{
    return !target || !many || g_mkdir_with_parents(target, 0777) == 0;
}
