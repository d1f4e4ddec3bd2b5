/* SPDX-License-Identifier: MIT */
#ifndef MODEL_MACHINE_SEARCH_EXPLORE_H
#define MODEL_MACHINE_SEARCH_EXPLORE_H

#include "model/execution/outcome.h"
#include "model/machine/step/step.h"

/* Every schedule of a test: a depth-first search over the states of lanes and memory, each visited
 * once. Local instructions run eagerly, and so does a step that no other lane can tell apart
 * (docs/weak-machine.md, search); everything else is tried in every order, with every choice of the
 * memory. Spin loops end because a state that was seen is not entered again. */

struct explore_options {
    uint64_t max_states;         /* 0: no limit */
    double timeout_seconds;      /* 0: none */
    size_t memory_limit;         /* bytes that the search may take; 0: no limit */
    bool reduce;                 /* false: no eager steps, to measure what they save */
    bool issue_loads;            /* let loads stay outstanding (the ptx memory) */
    const struct tracer *tracer; /* or NULL */
    const uint64_t *until; /* NULL, or: stop at this outcome and tell the moves that led there */
};

/* A move of the schedule that was asked for. */
struct explore_step {
    struct move move;
    const struct micro *micro; /* what the lane stood at, or whose value returned */
};

struct explore_result {
    struct outcome_set outcomes; /* final values of complete runs */
    bool finished;               /* false: a limit was reached */
    const char *limit;           /* which, or NULL */
    bool hangs;                  /* some schedule never ends: see reports */
    bool stops;                  /* some schedule ends in an error */
    uint64_t states, steps, pruned;
    uint64_t reduced;          /* states in which the reduction tried one move of all */
    struct explore_step *path; /* to 'until'; NULL: not met */
    uint32_t path_length;
};

void explore(struct arena *arena, const struct machine *machine, struct memory *memory,
             const struct explore_options *options, struct report_list *reports,
             struct explore_result *result);

#endif
