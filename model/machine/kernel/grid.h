/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_KERNEL_GRID_H
#define MODEL_MACHINE_KERNEL_GRID_H

#include "model/machine/core/machine.h"
#include "model/machine/core/report.h"

/* Whole kernels on the sc memory, a cluster at a time on each of several host threads, converged
 * warps as vectors. This is one of the schedules that schedule.h picks from: lanes of a warp step
 * together where they stand together, the group that is furthest behind first, with turns so that
 * every group moves. */

/* What buffers held after a run on weak memory. */
struct grid_outcome {
    uint64_t runs;   /* that ended so */
    uint32_t first;  /* their first, from 1 on */
    uint8_t *memory; /* as in grid_result */
};

struct grid_options {
    struct machine_options machine;
    uint32_t threads; /* of the host; 0: one */
    bool races;       /* look for data races: one host thread, and several schedules */
    uint64_t seed;    /* of the schedules behind the first */
    uint32_t
        weak_runs;  /* so many runs on weak memory (stale.h), of random schedules; 0: one on sc */
    double seconds; /* the time limit; 0: none */
    const struct grid_result
        *before;           /* the launch before it, whose heap it goes on with; or NULL */
    uint64_t memory_limit; /* bytes of parked clusters and of the race detector; 0: 1 GiB */
};

struct grid_result {
    bool done; /* every thread of the launch has exited */
    bool hang, bound;
    uint64_t instructions; /* executed, a lane each */
    uint64_t steps;        /* micros */
    uint64_t clusters;     /* finished */
    bool cut;           /* not every pair of accesses that may race in other schedules was tried */
    uint64_t schedules; /* that ran to the end, where races are looked for or memory is weak */
    uint64_t hung;      /* runs on weak memory that hang */
    VEC(struct grid_outcome)
    outcomes; /* different ones of weak memory, no more than GRID_OUTCOMES */
    struct report_list reports;
    struct _GString *printed; /* by printf; NULL: nothing (lockstep) */
    uint8_t *memory;          /* final global memory; locations by grid_location */
    const struct heap *heap;  /* of device code after it, or NULL */
    struct machine *machine;  /* for addresses and names in reports */
};

enum { GRID_OUTCOMES = 16 };

/* Runs launch 'launch' of the test. NULL after errors in 'diags'. Everything lives in 'arena'. */
struct grid_result *grid_run(struct arena *arena, const struct test *test, uint32_t launch,
                             const struct grid_options *options, struct diag_list *diags);
/* The final bytes of a global location. */
const uint8_t *grid_location(const struct grid_result *result, uint32_t location);

#endif
