/* SPDX-License-Identifier: MIT */
#include "cli/report/sections.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdint.h>

enum { SCRIPT_BYTES = 1 << 18 };

struct sections {
    struct report_part *page;
    char *folder, *fresh; /* where they go, and where they are until all are written */
    GString *script;      /* not written yet */
    uint32_t scripts;     /* written, or begun */
    bool begun;
    int error; /* the first */
};

/* A folder of files, if it is there. */
static void remove_folder(const char *path)
{
    GDir *folder = g_dir_open(path, 0, NULL);
    if (!folder)
        return;
    for (const char *name; (name = g_dir_read_name(folder));) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_remove(file);
    }
    g_dir_close(folder);
    g_rmdir(path);
}

struct sections *sections_new(const char *folder, struct report_part *page)
{
    struct sections *s = g_new0(struct sections, 1);
    s->page = page;
    s->folder = g_build_filename(folder, "sections", NULL);
    s->fresh = g_build_filename(folder, SECTIONS_FRESH, NULL);
    s->script = g_string_new(NULL);
    remove_folder(s->fresh);
    if (page || g_mkdir(s->fresh, 0777) == 0)
        return s;
    int error = errno;
    sections_free(s);
    errno = error;
    return NULL;
}

static void write_script(struct sections *s)
{
    g_autofree char *name = g_strdup_printf("%u.js", s->scripts - 1);
    g_autofree char *path = g_build_filename(s->fresh, name, NULL);
    g_string_append(s->script, "]);\n");
    if (s->page)
        part_add(s->page, s->script->str, s->script->len);
    else if (!s->error)
        s->error = part_write(NULL, path, s->script->str, "");
    g_string_truncate(s->script, 0);
    s->begun = false;
}

bool sections_add(struct sections *s, const char *html)
{
    bool begins = !s->begun;
    if (begins)
        g_string_append_printf(s->script, "report.section(%u, [\n", s->scripts++);
    json_auto_t *text = json_string(html);
    g_autofree char *quoted = json_dumps(text, JSON_ENCODE_ANY | JSON_ESCAPE_SLASH);
    g_string_append_printf(s->script, "%s%s", begins ? "" : ",\n", quoted);
    s->begun = true;
    if (s->script->len >= SCRIPT_BYTES)
        write_script(s);
    return begins;
}

int sections_finish(struct sections *s)
{
    if (s->begun)
        write_script(s);
    if (s->error)
        return s->error;
    g_autofree char *old = g_strconcat(s->folder, ".old", NULL);
    remove_folder(old);
    bool moved = g_rename(s->folder, old) == 0;
    if (!s->page && g_rename(s->fresh, s->folder) != 0) {
        int error = errno;
        if (moved)
            g_rename(old, s->folder);
        return error;
    }
    remove_folder(old);
    return 0;
}

void sections_free(struct sections *s)
{
    if (!s)
        return;
    remove_folder(s->fresh);
    g_string_free(s->script, TRUE);
    g_free(s->folder);
    g_free(s->fresh);
    g_free(s);
}
