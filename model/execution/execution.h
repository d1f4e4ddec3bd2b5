/* SPDX-License-Identifier: MIT */
#ifndef MODEL_EXECUTION_EXECUTION_H
#define MODEL_EXECUTION_EXECUTION_H

#include "model/graph/graph.h"
#include "model/value/rel.h"

/* One execution of a graph: the choices, and the values that follow from them. It does not depend
 * on the axioms. The solver extracts executions, brute force enumerates them, the judge and the
 * theory evaluate them, cli prints and draws them. */
struct execution {
    struct arena *arena;
    const struct graph *graph;
    bool *executed;    /* an event */
    uint64_t *address; /* an event: its virtual address (memory events) */
    uint64_t *value;   /* an event: written or read value, low 64 bits (memory events) */
    /* Reads-from a granule at a time: rf[rf_base[e] + i] is the write that the i-th granule touched by
     * read e comes from, or NONE. */
    uint32_t *rf_base;
    event_id *rf;
    uint32_t *first_granule, *granules; /* an event: the granules it touches */
    struct rel *co; /* transitive; initial writes are before all others of their granule */
    struct rel *sc; /* Fence-SC order, over pairs of mutually inclusive fence.sc; not closed */
    /* a barrier op: the number of its completion, NONE when it waits for ever */
    uint32_t *completion;
    uint64_t *choice;   /* a choice: its value */
    event_id *final;    /* a granule: the co-maximal write whose value it ends with */
    uint64_t *observed; /* test->observed[i]: its final value */
    bool stuck; /* threads may spin or wait for ever, and then nothing is said about what they
                               would have ended with: for liveness */
};

struct execution *execution_new(struct arena *arena, const struct graph *graph);
/* Fills executed, address, value, first_granule, granules, observed and the completions of uncounted
 * barrier operations from rf, choice, the completions of counted ones and final, by evaluating
 * expressions in an order that follows rf. False when the choices are not an execution: a read's
 * source does not execute or does not cover the granule, two writes that are single copies remain mixed
 * (TEARING_WHOLE), values depend on themselves (or events do, but in C++), a plain or
 * (unless 'stuck') spin assumption fails, a completion breaks the rules of graph.h. */
bool execution_complete(struct execution *execution);
/* The value of an expression in a complete execution; false when it hangs on a read that does not
 * execute, or on the upper half of a 16-byte read. */
bool execution_eval(const struct execution *execution, expr_id expr, uint64_t *value);
struct execution *execution_copy(struct arena *arena, const struct execution *execution);
/* Makes 'to' the execution 'from' of the same graph. */
void execution_assign(struct execution *to, const struct execution *from);

#endif
