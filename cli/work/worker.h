/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_WORKER_H
#define CLI_WORK_WORKER_H

#include <sys/types.h>

#include "cli/work/pool.h"

/* One worker process as its parent sees it. */
struct pool_worker {
    pid_t pid;         /* 0: not running */
    int channel;       /* socket: job indexes to it, results from it */
    struct note *note; /* shared with it */
    GByteArray *received;
    uint32_t job;       /* UINT32_MAX: idle */
    double started;     /* when it got the job, g_get_monotonic_time in seconds */
    bool retiring;      /* it said that it will end; it takes no more jobs */
    uint64_t oom_kills; /* when it was started: processes that the system had killed for memory */
};

/* Before the bytes of a result on the channel. */
struct answer_head {
    uint32_t job, tally, retiring, counts[RESULT_COUNTS];
    uint64_t out_length, err_length;
};

/* Forks; the child serves orders until its channel closes. 'others' are closed in the child. */
bool worker_start(struct pool_worker *worker, const struct pool *pool,
                  const struct pool_worker *others, uint32_t other_count);
bool worker_order(struct pool_worker *worker, uint32_t job, double now);
/* Reads what has come. False at the end of the stream: the worker is gone. */
bool worker_receive(struct pool_worker *worker);
/* The next whole answer, or false. The caller frees the strings. */
bool worker_answer(struct pool_worker *worker, struct result *result, uint32_t *job);
/* When a worker that does not stop by itself is to be killed: the solver has the first word on time. */
double worker_deadline(const struct pool_worker *worker, const struct pool *pool);
/* Waits for the end of a worker that is gone or was killed, and says what ended it. */
struct loss worker_bury(struct pool_worker *worker, const struct pool *pool);

#endif
