/* SPDX-License-Identifier: MIT */
#include "cli/answer/input.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

#include "litmus/base/file.h"

const char *input_drain(struct arena *arena, FILE *stream, size_t *length)
{
    return file_drain(arena, stream, SOURCE_MAX_BYTES, length);
}

static bool read_file(struct arena *arena, struct input *input, struct diag_list *diags)
{
    FILE *stream = fopen(input->path, "rbe");
    if (stream)
        input->text = input_drain(arena, stream, &input->length);
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
