/* SPDX-License-Identifier: MIT */
#ifndef CLI_CAMPAIGN_DEVICE_H
#define CLI_CAMPAIGN_DEVICE_H

#include "litmus/base/arena.h"

/* Programs of mutants, compiled and run on the GPU of this machine. */
struct device_run {
    const char *folder; /* where everything is kept; it exists */
    uint32_t
        parts; /* the programs part-1.cu, part-2.cu, … in it, which are compiled at the same time */
    uint32_t seconds; /* that each mutant runs */
};

enum { DEVICE_MOST_PARTS = 64 };

/* "FOLDER/part-1.cu", and what a run keeps its results in, "FOLDER/seen.jsonl". In 'arena'. */
const char *device_source(struct arena *arena, const struct device_run *run, uint32_t part);
const char *device_journal(struct arena *arena, const struct device_run *run);

/* Compiles the programs and runs them, one after the other; what the journal has to the end is not run again. NULL, or why
 * it failed, in 'arena'. What nvcc and the programs say goes to standard error. */
const char *device_compile_and_run(struct arena *arena, const struct device_run *run);

#endif
