/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_POOL_H
#define CLI_WORK_POOL_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/answer/note.h"

/* Forked workers that share a list of jobs. A job that crashes its worker, takes too long or too
 * much memory costs that job only: 'lost' makes its result and the rest goes on in a new worker. */

enum { RESULT_MICROSECONDS = 21, RESULT_COUNTS }; /* the last count is the time that the job took */

/* Bytes for standard output and standard error, and what the command counts. */
struct result {
    uint32_t tally;                 /* means something to the command: a verdict */
    uint32_t counts[RESULT_COUNTS]; /* likewise, but for the last: added up over the jobs */
    GString *out, *err;
};

enum loss_cause {
    LOSS_CRASH,
    LOSS_TIME,
    LOSS_MEMORY,
    LOSS_SYSTEM_MEMORY, /* less than 'memory_limit': what the system or its own limit leaves */
    LOSS_KILLED,        /* by somebody else */
    LOSS_UNSTARTED      /* no worker could be started */
};
struct loss {
    enum loss_cause cause;
    int signal; /* LOSS_CRASH: the signal that ended the worker, or 0: it left by itself */
    int error;  /* LOSS_UNSTARTED: why, as errno */
    const struct note *note;
    double seconds;
};

struct pool {
    uint32_t jobs;         /* workers at a time, at least 1 */
    double timeout;        /* seconds a job, 0: none; the job itself is expected to stop by then */
    uint32_t memory_limit; /* MiB a job, 0: none */
    const uint32_t *order; /* in which jobs are begun: their indexes; NULL: the order of these */
    bool alone;            /* workers keep none of the caller's descriptors but the standard ones */
    void *context;         /* given to what follows */
    /* In a worker: does job 'index', filling in 'result'. */
    void (*work)(void *context, uint32_t index, struct note *note, struct result *result);
    /* In the caller: the result of a job whose worker died, or which no worker can be started for. */
    void (*lost)(void *context, uint32_t index, const struct loss *loss, struct result *result);
    /* In the caller: job 'index' is done; called in the order of indexes, whatever finished first. */
    void (*done)(void *context, uint32_t index, const struct result *result);
    /* In the caller, before the first job: the result of a job that need not be done, or false. May
     * be NULL. */
    bool (*known)(void *context, uint32_t index, struct result *result);
    /* In the caller, as soon as a worker has answered, in no order; not for lost jobs. May be NULL. */
    void (*answered)(void *context, uint32_t index, const struct result *result);
    /* In the caller, at Ctrl-C, after 'done' for every job that is: so many are not, and never will be. NULL:
     * Ctrl-C ends the process. */
    void (*interrupted)(void *context, uint32_t left);
};

/* Does jobs 0..count-1: each comes to 'done' once, unless Ctrl-C ends it. With fewer workers than asked for while the
 * system gives no more; when it gives none for a second, what is left is lost. A terminal is told how
 * far it is. Gives the number of jobs that were known. */
uint32_t pool_run(const struct pool *pool, uint32_t count);

#endif
