/* SPDX-License-Identifier: MIT */
#ifndef CLI_SHOW_TRACE_H
#define CLI_SHOW_TRACE_H

#include <glib.h>

#include "model/machine/search/schedule.h"

/* One run of the executor, instruction by instruction. */

/* "reads 1", "writes 1 2", or for an atomic "was 0". */
void trace_access(const struct memory_access *access, GString *out);
/* A line an instruction: who, what, which values moved. */
struct trace_printer {
    struct tracer tracer;
    const struct test *test;
    struct arena *arena;
    GString *out;
};
struct trace_printer trace_printer_new(struct arena *arena, const struct run *run, GString *out);
/* Does the run again, printing each instruction of each lane. */
void trace_run(struct arena *arena, struct scheduler *scheduler, struct run *run, uint64_t seed,
               GString *out);

#endif
