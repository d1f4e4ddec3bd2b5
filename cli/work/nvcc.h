/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_NVCC_H
#define CLI_WORK_NVCC_H

#include <glib.h>

#include "litmus/base/source.h"

/* Who reads the files that a test names: CUDA C++ is compiled, unless its PTX is kept beside it and not older. */
struct nvcc {
    struct source_files files;
    GString *trace; /* is told the compiler's command; or NULL */
};
struct nvcc nvcc_new(GString *trace);

/* Words of $NVCC, which may hold options, or the compiler on PATH or where CUDA installs it; none: there is no compiler.
 * The caller frees them (g_strfreev). */
char **nvcc_find(void);

enum nvcc_end { NVCC_DONE, NVCC_REFUSED, NVCC_MISSING };
/* The PTX of a text of CUDA C++ that is called 'name' and names its own headers from 'folder'. '*file' has it, or why there
 * is none. */
enum nvcc_end nvcc_compile(const struct nvcc *nvcc, struct arena *arena, const struct source *text,
                           const char *folder, struct source_file *file);

#endif
