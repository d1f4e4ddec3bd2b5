/* SPDX-License-Identifier: MIT */
#include "cli/answer/input.h"

#include <errno.h>
#include <glib.h>
#include <stdbool.h>

#include "litmus/base/file.h"

const struct source *input_read(struct arena *arena, const struct input *input,
                                struct diag_list *diags)
{
    size_t length = input->length;
    const char *text =
        input->text ? input->text : file_read(arena, input->path, SOURCE_MAX_BYTES, &length);
    bool large = text ? length > SOURCE_MAX_BYTES : errno == EFBIG;
    if (large)
        diag_add(diags, DIAG_file_too_large, NULL, (struct span){0}, NULL,
                 "'%s' is larger than 64 MiB", input->path);
    else if (!text)
        diag_add(diags, DIAG_file_unreadable, NULL, (struct span){0}, NULL, "cannot read '%s': %s",
                 input->path, g_strerror(errno));
    return large || !text ? NULL : source_new(arena, input->path, text, length);
}
