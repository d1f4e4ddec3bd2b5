/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_ANSWER_H
#define CLI_ANSWER_ANSWER_H

#include "cli/answer/hang.h"
#include "cli/answer/job.h"
#include "cli/answer/verdict.h"
#include "solver/solver.h"

/* What the search found, put in the words that results use. */
struct answer {
    const struct job *job;
    const struct solver_result *found;
    enum verdict verdict;
    const char *observation;                  /* "always", "never", "sometimes", "unknown" */
    const char *open;                         /* undecided: why; else NULL */
    const char *error;                        /* an error: its line; else NULL */
    bool condition_possible, condition_known; /* some allowed state satisfies the proposition */
    uint32_t positive, negative; /* states that satisfy the proposition, and those that do not */
    const char **undefined;      /* names, sorted, without repeats */
    uint32_t undefined_count;
    const char **warnings; /* likewise */
    uint32_t warning_count;
    struct hang hang;
    /* the verdict rests on a dependency of which is not known whether it has an effect */
    bool open_dependency;
    /* the verdict depends on a reading of what the sources leave open, or NULL */
    const char *unspecified;
    bool readings_open;  /* whether it depends on one was not decided */
    uint32_t race_count; /* of found->races those that are races */
    double milliseconds;
};

/* Searches the executions of the job's test: every state, the races, a witness each when asked. */
struct solver_options answer_options(const struct job *job, bool witnesses);
/* Is it a data race, or one of different sizes? Else it is misuse that the model's text names. */
bool answer_is_race(const struct race *race);
struct answer answer_new(struct job *job, const struct solver_result *found);
/* The condition's proposition that no execution satisfies: is there one to explain, and is it the
 * negation of the condition (a forall that holds)? */
bool answer_unreachable(const struct answer *answer, bool *negate);
/* "time: more than 60 s", "memory", … for a search that stopped early; NULL for SOLVER_DONE. */
const char *answer_stopped(struct arena *arena, const struct options *options,
                           enum solver_status status);

#endif
