/* SPDX-License-Identifier: MIT */
#include "cli/work/helpers.h"

#include <glib/gstdio.h>
#include <string.h>

static const char text[] = {
#include "cli/helpers.hpp.inc"
};

static const char *const names[] = {"helper_cuda.h", "helper_functions.h", "helper_string.h",
                                    "helper_timer.h"};

bool helpers_are_missing(const char *complaint)
{
    bool missing = strstr(complaint, "No such file");
    for (size_t i = 0; missing && i < G_N_ELEMENTS(names); i++)
        if (strstr(complaint, names[i]))
            return true;
    return false;
}

bool helpers_write(const char *folder)
{
    bool good = g_mkdir(folder, 0700) == 0;
    for (size_t i = 0; good && i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        /* one text, whichever of them is included first */
        good = i ? g_file_set_contents(path, "#include \"helper_cuda.h\"\n", -1, NULL)
                 : g_file_set_contents(path, text, sizeof text, NULL);
    }
    return good;
}

void helpers_remove(const char *folder)
{
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        g_unlink(path);
    }
    g_rmdir(folder);
}
