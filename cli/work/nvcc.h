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

#endif
