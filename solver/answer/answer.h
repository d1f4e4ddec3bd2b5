/* SPDX-License-Identifier: MIT */
#ifndef SOLVER_ANSWER_ANSWER_H
#define SOLVER_ANSWER_ANSWER_H

#include "model/execution/outcome.h"
#include "model/models/flags.h"
#include "model/theory/theory.h"
#include "solver/session/options.h"

/* What is found out about a test, and two questions that are asked apart from it. */

/* Two events that a flag of the model relates in some execution: a data race, or what flag.def says. */
struct race {
    uint32_t graph;
    event_id a, b;
    const char *flag; /* the flag's name */
    enum flag_kind kind;
    const struct execution *run; /* one that has it, when witnesses were asked for */
};

/* What an axiom of a reason is needed for. */
struct example {
    struct execution *execution; /* satisfies the condition and every axiom but this one */
    struct violation violation;  /* how it breaks this one; a shortest cycle */
};

/* Why no execution satisfies a condition. */
struct reason {
    uint32_t *axioms; /* indexes into the model: a minimal set that suffices */
    uint32_t axiom_count;
    bool by_values; /* no axiom needed: the program's values exclude it */
    struct example *
        examples; /* one an axiom, where one was found, and only one without options.witnesses; causality first, which tells most */
    uint32_t example_count;
    uint32_t graph;
};

/* A conjunct of the condition that no execution gives, whatever the model says. */
struct unattainable {
    const struct cond *conjunct;
    uint32_t location; /* it asks for a value that nothing writes there; or NONE */
};

struct solver_result {
    enum solver_status status;
    const char *internal;
    struct outcome_set outcomes;              /* allowed final states (filter applied) */
    struct execution **witnesses;             /* one a state, or NULL */
    bool condition_reachable;                 /* some allowed final state satisfies the condition */
    bool negation_reachable;                  /* some allowed final state does not */
    bool condition_decided, negation_decided; /* false: the search stopped before it knew */
    bool complete;      /* every state was enumerated, no loop goes on past the bound, and what may
                           lie outside of that list, the next three, was looked for to the end */
    bool bound_decided; /* false here: the search for it stopped early; what was found stands */
    bool undefined_decided,
        outside_decided; /* undefined, with flags that say so; mixed_size_race */
    bool hang_decided;   /* can_hang */
    bool bound_reached;  /* some loop can run past --unroll */
    struct span bound_span;
    struct race *races;
    uint32_t race_count;
    bool races_complete; /* every race was found; false too when none was looked for */
    const struct undefined **undefined;
    const struct execution **undefined_runs; /* one that has each */
    uint32_t undefined_count;
    bool mixed_size_race;              /* outside the model: no verdict */
    struct unattainable *unattainable; /* looked for where the condition is not reachable */
    uint32_t unattainable_count;
    bool can_hang;                        /* a barrier that some execution never completes */
    const char *hang;                     /* which, or NULL */
    const struct execution *hang_run;     /* one that does */
    uint32_t checks, clauses, iterations; /* work done */
};

/* For a condition that 'solve' found unreachable. 'negate': for a forall's negation. NULL on
 * timeout. */
struct reason *solver_explain(struct arena *arena, const struct solver_options *options,
                              bool negate);
/* May some loop of the graph go round more often than it was unrolled? True too where that is not found out
 * in little time. */
bool solver_passes_bound(struct arena *arena, const struct solver_options *options, uint32_t graph);
/* Does every fair execution terminate? *status says whether the answer was found; 'stuck' is an
 * execution that does not, with SOLVER_BOUND one in which a loop goes on past the bound, or NULL. */
bool solver_terminates(struct arena *arena, const struct solver_options *options,
                       enum solver_status *status, struct execution **stuck);
/* Does the scheduler owe every thread of the graph a turn? So it does too, whatever it says of units, when there is but one
 * and its threads are owed theirs. */
bool solver_is_fair(const struct graph *graph, const struct guarantee *progress);

#endif
