/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_SESSION_TRACE_H
#define SOLVER_SESSION_TRACE_H

#include "model/theory/theory.h"

/* What a search tells step by step to a caller who wants to see how an answer came about
 * (ptxlit --verbose and --dump). What it points to holds until the callback returns. */

enum solver_step_kind {
    SOLVER_STEP_ENCODED, /* the graph is clauses now */
    SOLVER_STEP_REFUSED, /* the solver proposed a candidate that breaks axioms; its violations are clauses now */
    SOLVER_STEP_NONE,     /* what it proposed is no execution; clauses say so now */
    SOLVER_STEP_ACCEPTED, /* it proposed a candidate that breaks no axiom */
    SOLVER_STEP_OVER,     /* no candidate is left: the question is answered */
    SOLVER_STEP_STOPPED,  /* time or memory ran out, or Z3 gave up */
    SOLVER_STEP_CLOSED,   /* the search of the graph ends */
};

/* Microseconds that were spent on a graph. */
struct solver_times {
    int64_t encode, solver, extract, theory, judge;
};

struct solver_step {
    enum solver_step_kind kind;
    uint32_t graph;                     /* index into solver_options.graphs */
    const char *question;               /* what is being decided: "condition", "states" … */
    uint32_t candidates;                /* proposed for this graph so far */
    uint32_t clauses, checks;           /* so far: told, and questions asked */
    const struct execution *candidate;  /* REFUSED, ACCEPTED; else NULL */
    const struct violation *violations; /* REFUSED */
    uint32_t violation_count;
    const struct solver_times *times;
    const char *smtlib; /* CLOSED, when asked for: all clauses, as SMT-LIB 2; else NULL */
};

struct solver_trace {
    void (*step)(const void *context, const struct solver_step *step);
    const void *context;
    bool smtlib; /* asks for solver_step.smtlib */
};

#endif
