/* SPDX-License-Identifier: MIT */
#ifndef TESTS_UNIT_MACHINE_KERNEL_H
#define TESTS_UNIT_MACHINE_KERNEL_H

#include <glib.h>

#include "litmus/test/test.h"
#include "model/machine/core/report.h"

/* Kernels for tests of the executor: a body in PTX, run by both engines, the grid (vectors) and the
 * scheduler (lane by lane, several seeds), which must agree. */

enum { OUT_WORDS = 1024 };

/* What to run. The body finds %r1 = %tid.x, %r31 = %laneid, %rd1 = out, %rd2 = in, %rd4 =
 * &out[tid], registers %r0-%r63, %rd0-%rd31, %f0-%f15, %fd0-%fd15, %p0-%p15, shared memory s[4096];
 * a final ret is added. */
struct kernel_case {
    const char *name, *body;
    const char *module;            /* what stands before the kernel: functions; or NULL */
    uint32_t block, grid, cluster; /* 0: 32, 1, 1 */
    const char *expect;            /* the first words of out, decimal, or "*" */
    const char *reports; /* names that must come up, or "" for none at all worse than a warning */
    bool lockstep, strict_pc, cooperative;
    uint32_t elect;
    bool races;      /* look for races, lane by lane too */
    bool lanes_only; /* the outcome or the report depends on the schedule: not on the grid */
    bool grid_only;  /* too long lane by lane */
    uint32_t seeds;  /* 0: 4 */
};

struct kernel_result {
    const struct test *test;
    bool done, hang;
    uint32_t out[OUT_WORDS];
    struct report_list reports;
};

/* 'in' (or NULL) are the words of the input buffer, OUT_WORDS of them. */
struct kernel_result kernel_on_grid(struct arena *arena, const struct kernel_case *c,
                                    const uint32_t *in);
#define FIRST_CHOICE UINT64_MAX /* a seed: the first lane that can run goes on, copies wait */
struct kernel_result kernel_by_lanes(struct arena *arena, const struct kernel_case *c,
                                     const uint32_t *in, uint64_t seed);
/* Runs the case on both and checks what it expects. */
void kernel_check(gconstpointer data);
/* g_test for each case: "/prefix/name". */
void kernel_add_cases(const char *prefix, const struct kernel_case *cases, size_t count);

#endif
