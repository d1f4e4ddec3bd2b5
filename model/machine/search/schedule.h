/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_SCHEDULE_H
#define MODEL_MACHINE_SEARCH_SCHEDULE_H

#include "model/execution/outcome.h"
#include "model/machine/core/run.h"

/* Random runs: one lane at a time, or one warp at a time in lockstep mode, fair in the long run. */

enum run_end {
    RUN_DONE,    /* every lane has exited */
    RUN_HANG,    /* nothing can move: reports say why */
    RUN_STOPPED, /* an error or trap ended it */
    RUN_BOUND,   /* a bound was reached: nothing is known */
    RUN_PRUNED,  /* the weak memory's guesses led nowhere: says nothing */
};

/* A chooser over a repeatable sequence of pseudo-random numbers. */
struct random_chooser {
    struct chooser chooser;
    uint64_t state;
};
void schedule_random(struct random_chooser *chooser, uint64_t seed);

struct scheduler;
/* Room for runs of one machine; in machine.arena. */
struct scheduler *scheduler_new(const struct machine *machine);
/* From the initial state (run->state and the memory are reset) to the end. */
enum run_end schedule_run(struct scheduler *scheduler, struct run *run);

/* What many runs gave. */
struct histogram {
    struct outcome_set set;
    VEC(uint64_t) counts;                  /* of set.items */
    uint64_t runs, hangs, stopped, bounds; /* runs without the pruned ones */
};
struct histogram_options {
    uint64_t seed;
    uint64_t runs;
    const struct cond *until; /* stop after the run that reaches it; NULL: never */
};
/* Adds runs to the histogram; run->chooser is set here. Returns the number of the run that reached
 * 'until', or UINT64_MAX. Run i depends on (seed, i) alone: see schedule_seed. */
uint64_t schedule_histogram(struct histogram *histogram, struct scheduler *scheduler,
                            struct run *run, const struct histogram_options *options);
uint64_t schedule_seed(uint64_t seed, uint64_t index);

#endif
