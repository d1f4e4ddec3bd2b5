/* SPDX-License-Identifier: MIT */
#ifndef CLI_ANSWER_STALL_H
#define CLI_ANSWER_STALL_H

#include "cli/answer/job.h"

/* What becomes of the threads that have not ended in an execution that never ends. */

enum stall_kind {
    STALL_ROUND,     /* goes round a loop for ever */
    STALL_WAIT,      /* waits for ever */
    STALL_LEFT,      /* is left standing by the scheduler */
    STALL_UNSTARTED, /* the same, before its first instruction */
};
struct stall {
    uint32_t thread;
    enum stall_kind kind;
    const char *words;      /* "goes round for ever at line 7; it waits for q, which …" */
    const event_id *events; /* ROUND: its reads in each iteration */
    uint32_t event_count;
};
struct stall_list {
    VEC(struct stall) items; /* by thread; none in an execution that ends */
};

/* All in the job's arena. */
struct stall_list stall_find(const struct job *job, const struct execution *stuck);
/* "P0 goes round for ever at line 7; it waits for q, which …: again and again a". */
const char *stall_line(const struct job *job, const struct execution *stuck,
                       const struct stall *stall);

#endif
