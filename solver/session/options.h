/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SESSION_OPTIONS_H
#define SOLVER_SESSION_OPTIONS_H

#include "model/cat/cat.h"
#include "model/execution/execution.h"
#include "solver/session/trace.h"

/* What a search is asked, and how it may end. */

enum solver_status {
    SOLVER_DONE,
    SOLVER_TIMEOUT, /* the time ran out: what was found stands, what was not is undecided */
    SOLVER_MEMORY,
    SOLVER_UNKNOWN, /* Z3 gave up for another reason */
    SOLVER_STATES,  /* the limit of states was reached: the verdict stands, the list is cut */
    SOLVER_BOUND,   /* of solver_terminates: a loop may run past --unroll, for all that is known for
                       ever */
    SOLVER_UNDEFINED, /* of solver_terminates: some execution has undefined behaviour */
    SOLVER_INTERNAL,  /* the judge rejected a witness: 'internal' says what both sides say */
};

/* Where a search looks for the time. */
struct solver_clock {
    int64_t (*now)(void *context); /* microseconds, never backwards */
    void *context;
};

struct solver_options {
    const struct test *test;
    struct graph **graphs;
    uint32_t graph_count;
    const struct cat_model *model;
    double timeout_seconds;           /* from a call on, for all graphs together; 0: none */
    const struct solver_clock *clock; /* NULL: the monotonic one of the system */
    unsigned
        effort; /* what the solver may do for a graph, in units of Z3 (rlimit), the same on every machine; 0: no limit */
    uint64_t *made; /* what the solver did is added to it, in the same units; or NULL */
    const struct solver_trace *trace; /* or NULL */
    /* of solver_terminates: the scheduler, for graphs in which threads may be abandoned; NULL: the fair one */
    const struct guarantee *progress;
    uint32_t state_limit; /* 0: chosen from the size of the test, see docs/performance.md */
    bool states;          /* enumerate final states; else only decide the condition */
    bool witnesses;       /* keep an execution a state */
    bool races;           /* look for the model's flags in every execution, not only in those met */
    bool state_races;     /* decide race and race_free of every state */
    bool only_reach; /* of all this nothing: only whether condition and negation are reachable */
};

/* Bytes that Z3 holds, for all solvers of the process together. */
size_t solver_memory(void);

#endif
