/* SPDX-License-Identifier: MIT */
#include "cli/work/task.h"

#include <math.h>
#include <signal.h>
#include <sys/mman.h>

#include "cli/answer/job.h"

enum { LONGEST_WAIT = 3600 };

static void forget(struct task_process *task)
{
    if (task->worker.note)
        munmap(task->worker.note, sizeof *task->worker.note);
    task->worker.note = NULL;
}

bool task_start(struct task_process *task)
{
    task->worker = (struct pool_worker){0};
    task->pool.jobs = 1;
    task->pool.alone = true;
    if (worker_start(&task->worker, &task->pool, NULL, 0) &&
        worker_order(&task->worker, 0, job_clock()))
        return true;
    if (task->worker.pid)
        task_stop(task);
    forget(task);
    return false;
}

double task_left(const struct task_process *task)
{
    double left = worker_deadline(&task->worker, &task->pool) - job_clock();
    return fmin(fmax(left, 0), LONGEST_WAIT);
}

static enum task_end bury(struct task_process *task, struct loss *loss, bool killed)
{
    double seconds = job_clock() - task->worker.started;
    *loss = worker_bury(&task->worker, &task->pool);
    loss->seconds = seconds;
    task->last = *task->worker.note;
    loss->note = &task->last;
    if (killed)
        loss->cause = LOSS_TIME;
    forget(task);
    return TASK_LOST;
}

enum task_end task_take(struct task_process *task, bool readable, struct result *result,
                        struct loss *loss)
{
    struct pool_worker *worker = &task->worker;
    uint32_t job;
    if (readable && !worker_receive(worker))
        return bury(task, loss, false);
    if (worker_answer(worker, result, &job)) {
        task_stop(task);
        return TASK_DONE;
    }
    if (task_left(task) > 0)
        return TASK_RUNS;
    kill(worker->pid, SIGKILL);
    return bury(task, loss, true);
}

void task_stop(struct task_process *task)
{
    kill(task->worker.pid, SIGKILL);
    worker_bury(&task->worker, &task->pool);
    forget(task);
}
