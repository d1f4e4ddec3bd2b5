/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_ENDING_H
#define CLI_ANSWER_ENDING_H

#include "cli/answer/job.h"
#include "cli/answer/verdict.h"
#include "model/machine/search/liveness.h"

/* Does every run of a test end that a scheduler and the memory model allow? The executor decides
 * it on its state graph, as far as interleavings show everything; what is left, the axioms. */
struct ending {
    enum verdict verdict;
    const char *open;        /* undecided: why */
    const char *scheduler;   /* as --progress names it */
    struct execution *stuck; /* fails: an execution that the axioms found, or NULL */
    /* fails: a run that the executor found, which 'run' can follow in 'graph'; or kind HANG_NONE */
    struct hang hang;
    struct run run;
    struct state_graph *graph;
    struct report_list *reports;
};

/* The scheduler that the test is asked about, as progress_name says it: that of --progress, or the
 * test's own, or fair. */
const char *ending_scheduler(const struct job *job);
/* 'scheduler' is one that progress_parse takes. */
struct ending ending_find(struct job *job, const char *scheduler);
/* What the executor alone tells of it: a run of kind HANG_NONE says nothing. */
struct ending ending_of_executor(const struct job *job, const char *scheduler);

#endif
