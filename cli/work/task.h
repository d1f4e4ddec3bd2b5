/* SPDX-License-Identifier: MIT */
#ifndef CLI_WORK_TASK_H
#define CLI_WORK_TASK_H

#include "cli/work/worker.h"

/* One job in a worker of its own, under the limits of a pool, for those who wait for other things beside it. */
struct task_process {
    struct pool pool; /* 'work', 'context' and the limits; the job's index is 0 */
    struct pool_worker worker;
    struct note last; /* the worker's note when it was lost */
};

/* False when no worker can be started: errno says why. The worker sees the caller's memory as it is now, and no
 * descriptor of it but the standard ones. */
bool task_start(struct task_process *task);
/* Seconds until task_take must be called though nothing came; at most an hour. */
double task_left(const struct task_process *task);
enum task_end { TASK_RUNS, TASK_DONE, TASK_LOST };
/* 'readable': worker.channel is. TASK_DONE fills in 'result', whose strings the caller frees; TASK_LOST 'loss'. After either,
 * the task is over. */
enum task_end task_take(struct task_process *task, bool readable, struct result *result,
                        struct loss *loss);
/* Ends one that runs; its result is of no use any more. */
void task_stop(struct task_process *task);

#endif
