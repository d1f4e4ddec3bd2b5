/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/file.h"
#include "cli/show/picture/pair.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

static bool save(struct job *job, const char *target, const char *suffix, const GString *text)
{
    g_autofree char *path = path_for(job, target, suffix);
    bool written = write_file(path, text);
    if (!written)
        diag_add(&job->diags, DIAG_file_unwritable, NULL, (struct span){0, 0}, NULL,
                 "cannot write '%s': %s", path, g_strerror(errno));
    return written;
}

static bool write_one(struct job *job, const struct explanation *explanation,
                      enum picture_format format, struct picture_view view, const char *target,
                      const char *suffix, GString *err)
{
    const char *refused;
    GString *picture = picture_draw(explanation, format, view, &refused);
    if (!picture)
        g_string_append_printf(err, "%s: no picture: %s\n", job->path, refused);
    if (!picture)
        return true;
    bool written = save(job, target, suffix, picture);
    g_string_free(picture, TRUE);
    return written;
}

/* "mp.svg", "-2.svg": "mp-2.svg" */
static char *file_of_example(const char *target, const char *suffix, const char *ending)
{
    if (g_file_test(target, G_FILE_TEST_IS_DIR))
        return g_strdup(target);
    size_t cut = g_str_has_suffix(target, suffix) ? strlen(suffix) : 0;
    return g_strdup_printf("%.*s%s", (int)(strlen(target) - cut), target, ending);
}

/* Each execution below the name of the axiom that it breaks. */
static bool write_beside(struct job *job, const struct explanation *explanation, uint32_t count,
                         struct picture_view view, const char *target)
{
    struct picture_pane *panes = ARENA_ARRAY(job->arena, struct picture_pane, count);
    struct explanation *examples = ARENA_ARRAY(job->arena, struct explanation, count);
    for (uint32_t i = 0; i < count; i++) {
        examples[i] = explanation_of_example(explanation, i);
        panes[i].below = &examples[i];
        panes[i].text = job->model->axioms[examples[i].example->violation.axiom].name;
    }
    GString *picture = picture_panes(panes, count, view);
    bool written = save(job, target, ".svg", picture);
    g_string_free(picture, TRUE);
    return written;
}

static const char *const suffixes[] = {[PICTURE_DOT] = ".dot",
                                       [PICTURE_SVG] = ".svg",
                                       [PICTURE_PDF] = ".pdf",
                                       [PICTURE_TIKZ] = ".tex"};

enum picture_format picture_format_of(const char *target)
{
    if (g_str_has_suffix(target, suffixes[PICTURE_PDF]))
        return PICTURE_PDF;
    return g_str_has_suffix(target, suffixes[PICTURE_TIKZ]) ? PICTURE_TIKZ : PICTURE_SVG;
}

bool picture_save(struct job *job, const char *target, enum picture_format format,
                  const GString *text)
{
    return save(job, target, suffixes[format], text);
}

bool picture_write(struct job *job, const struct explanation *explanation,
                   enum picture_format format, struct picture_view view, const char *target,
                   GString *err)
{
    const char *suffix = suffixes[format];
    uint32_t count = explanation->reason ? explanation->reason->example_count : 0;
    if (target && view.beside && format == PICTURE_SVG && count > 1)
        return write_beside(job, explanation, count, view, target);
    bool written = !target || write_one(job, explanation, format, view, target, suffix, err);
    for (uint32_t i = 1; target && i < count && written; i++) {
        struct explanation example = explanation_of_example(explanation, i);
        g_autofree char *ending = g_strdup_printf("-%u%s", i + 1, suffix);
        g_autofree char *file = file_of_example(target, suffix, ending);
        written = write_one(job, &example, format, view, file, ending, err);
    }
    return written;
}

bool picture_folder(const char *target, bool many)
{
    return !target || !many || g_mkdir_with_parents(target, 0777) == 0;
}
