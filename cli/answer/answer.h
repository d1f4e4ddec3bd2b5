/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_ANSWER_H
#define CLI_ANSWER_ANSWER_H

#include "cli/answer/hang.h"
#include "cli/answer/job.h"
#include "cli/answer/verdict.h"

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
    struct text_list undefined, warnings; /* names, sorted, without repeats */
    struct answer_hang hang;
    /* the verdict rests on a dependency of which is not known whether it has an effect */
    bool open_dependency;
    /* the verdict depends on a reading of what the sources leave open, or NULL */
    const char *unspecified;
    bool readings_open; /* whether it depends on one was not decided */
    bool interleaved;   /* decided by all interleavings, beyond the bound of loops */
    uint32_t
        race_count; /* of found->races those that are races and do not look the same (race_pair.h) */
    double milliseconds;
};

/* Adds a name to those in the list, which is sorted and has no repeats. */
void answer_name(struct arena *arena, struct text_list *names, const char *name);
/* Is it a data race, or one of different sizes? Else it is misuse that the model's text names. A race in C++ is both. */
bool answer_is_race(const struct race *race);
bool answer_is_misuse(const struct race *race);
/* What else is to be found than the states, the races and the verdict. */
enum {
    ANSWER_WITNESSES = 1,   /* an execution for each state */
    ANSWER_STATE_RACES = 2, /* which states are reached with a race, and which without */
    ANSWER_NO_STATES = 4,   /* less: only whether the condition can be met */
    ANSWER_NO_RACES = 8, /* less: no race, but for those that leave the model without an answer */
    ANSWER_HANGS = 16    /* an execution that never ends, whatever others do */
};
/* "'x=2' is never met: nothing writes 2 to 'x'"; in the job's arena. */
const char *answer_never_met(const struct job *job, const struct unattainable *found);
/* Searches the executions of the job's test; where it has loops without a bound and interleavings are all there is, those
 * on the executor (interleavings.h), which give no witnesses. */
struct answer answer_new(struct job *job, uint32_t wanted);
/* What is known of a test of which every final state was found, and that has no race. */
struct answer answer_of_states(const struct job *job, const struct solver_result *found);
/* One of the two events of a race, or of another pair that a flag of the model names. */
struct answer_access {
    const char *thread, *text;
    uint32_t offset;    /* in the test, */
    struct place place; /* as line and column */
};
struct answer_access answer_access(const struct answer *answer, const struct race *race,
                                   event_id id);
/* Where no execution ends: one that does not, as the axioms have it. NULL: some end, or they have none. */
const struct execution *answer_stuck(const struct answer *answer);
/* The condition's proposition that no execution satisfies: is there one to explain, and is it the
 * negation of the condition (a forall that holds)? */
bool answer_unreachable(const struct answer *answer, bool *negate);
/* The axioms of a minimal reason for that, with an execution for each if 'witnesses'; NULL: not found in time. Of what
 * interleavings answered it is a detail, which is not to use up the time. */
struct reason *answer_reason(struct job *job, const struct answer *answer, bool witnesses,
                             bool negate);
/* The verdict of a launch without a question (job_is_unasked): FAILS with a race, undefined behaviour or a thread that never ends (ANSWER_HANGS), UNDECIDED where
 * the search for one stopped before its end. */
void answer_judge_unasked(struct answer *answer);

#endif
