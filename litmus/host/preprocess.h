/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_PREPROCESS_H
#define LITMUS_HOST_PREPROCESS_H

#include "litmus/base/source.h"
#include "litmus/base/arena.h"

/* The lines of a file of CUDA C++ that begin with '#'. */

/* "#define NAME(a, b) body", or without parameters; offsets are those of the file. */
struct file_macro {
    const char *name;
    bool is_function, is_gone; /* gone: "#undef" */
    const char **parameters;
    uint32_t parameter_count;
    bool takes_more; /* "..." behind them */
    struct span body;
};
struct preprocessed {
    struct arena *arena;
    char *text;   /* as long as the file: without those lines, and without what they leave out */
    char *bodies; /* the same: only what macros stand for, "" for "#a" in them */
    size_t length;
    bool packs; /* "#pragma pack" */
    VEC(struct file_macro) macros;
};

/* Where nobody knows which lines "#if" selects, "@{" and "};" enclose them all: a statement that is not read. */
void preprocess(struct arena *arena, const char *text, size_t length, struct preprocessed *to);

#endif
