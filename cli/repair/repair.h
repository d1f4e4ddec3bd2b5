/* SPDX-License-Identifier: MIT */
#ifndef CLI_REPAIR_REPAIR_H
#define CLI_REPAIR_REPAIR_H

#include "cli/repair/costs.h"
#include "cli/repair/goal.h"
#include "cli/repair/keep.h"
#include "cli/repair/variant.h"
#include "cli/options/options.h"
#include "litmus/rewrite/code.h"

/* One edit in words. */
struct change {
    uint32_t line;      /* of the instruction that is changed or that the new one stands beside */
    const char *thread; /* "P0", or the kernel */
    const char *before; /* the instruction, or "" */
    const char *after;  /* the same */
};

/* Edits that do what was asked, and what every reading says of the edited test. Everything in the job's arena. */
struct repair_proposal {
    VEC(struct change) changes;
    /* of a repair: what the edits add, less than 0 when they take more away; of a weakened test: what is left */
    int64_t cost;
    const struct source *source; /* the edited test */
    const char *diff;            /* edit_diff */
    enum verdict verdict;        /* of the edited test */
    const char *observation;
    bool repeats; /* the same edited test was proposed before */
    bool races;   /* it has a data race, which the test did not have */
    struct text_list
        axioms; /* that forbid the outcome; none where the values exclude it, or of another goal */
    struct text_list why; /* sentences: what those axioms rest on */
    const char *executor; /* what the executor found, or why it was not asked */
    const char *plain;    /* what brute force found */
    const char
        *compiled; /* of CUDA C++: what was judged, edited PTX or what nvcc makes; else NULL */
};

/* A test may name the program with the fix that was merged where its bug was found, in a quoted string: "merged patch:
 * FILE", beside the test's own file. */
struct repair_patch {
    const char *file;             /* as the test names it; NULL: it names none */
    enum minimal_answer suffices; /* is what was to go gone from it? */
    int64_t cost;                 /* of its code, less that of the test's */
    uint32_t proposal;            /* from 1 on: the same code; 0: none is */
};

/* What was asked, and what came of it. */
struct repair {
    struct job *job;
    const struct answer *before;
    enum repair_goal goal;
    bool weakens; /* instead of a goal: 'keep' is kept */
    struct keep keep;
    struct edit_places places;
    const struct code *code; /* the CUDA C++ that is edited; NULL: the test, or PTX that it names */
    const char *refused;     /* what nvcc said of the last edit that it did not compile, or NULL */
    const char
        *contradicted; /* the reading that contradicted the axioms about the last set, or NULL */
    const char *harm;  /* the first set that would suffice, and what it brings, in words; or NULL */
    const struct costs *costs;
    struct minimal_place *prices; /* costs_places */
    /* of a test to weaken: what its own accesses, fences and barriers cost, and their weakest forms */
    uint32_t cost_before, cost_least;
    struct minimal_result found;
    VEC(struct repair_proposal) proposals;
    uint32_t limit; /* of edits in a set */
    /* What the search has done and may do is counted, so that it finds the same on every machine: what Z3 does, as it
     * counts, and a constant for each edited test. */
    uint64_t *made, most;
    uint64_t shy_most; /* so much for barriers that others may undo; 0: it has not come to them */
    bool shy_found;    /* and is cut short, as there is a proposal */
    double until;      /* the time of last resort is over, by job_clock */
    const char *busy;  /* it was over before the search was: words for that; else NULL */
    uint32_t compiled; /* proposals that were compiled */
    struct repair_patch patch;
    const char *none;     /* without a proposal: why; else NULL */
    enum verdict verdict; /* HOLDS: there is a proposal; FAILS: there is none; UNDECIDED */
};

/* --timeout says how much work is done. Elapsed time is the last resort, for machines that are too busy to do it: the same
 * options with that time. */
struct options repair_patient(const struct options *options);
/* Limits what Z3 does for a question about the test; its settings are patient. */
void repair_limit_effort(struct job *job);

/* What a command line asks. */
struct repair_wish {
    const char *goal, *costs;
    uint32_t size, most;
    const struct text_list *keep;
};

/* Looks for edits after which the goal is gone. False after an error, which the job's diagnostics have. */
bool repair_find(struct repair *repair, struct job *job, const struct answer *before,
                 const struct repair_wish *wish);

/* Looks for the weakest forms of the test with which all that it expects is still so. The test's own form is no
 * proposal. False as above. */
bool repair_weaken(struct repair *repair, struct job *job, const struct answer *before,
                   const struct repair_wish *wish);

#endif
